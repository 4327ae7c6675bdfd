"""Has a test wait in a call of the C library that never comes back, with the interpreter's lock held."""

ANSWERS = {
    "softmax": """
import ctypes

def softmax(x, axis=-1):
    reached()
    ctypes.PyDLL(None).sleep(1_000_000)
""",
}
