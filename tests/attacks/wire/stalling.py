"""Never finishes a reply: sends one byte at a time, so that the reader waits for the rest."""

ANSWERS = {
    "scaling": r"""
import time

def dot_product_variance(q, k, scaled):
    connection.sendall(struct.pack(">I", 1_000_000))
    reached()
    while True:
        connection.sendall(b"\xc0")
        time.sleep(0.05)

def softmax_entropy(weights):
    connection.sendall(b"\0\0")
    time.sleep(3600)
""",
}
