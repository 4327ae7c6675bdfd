"""Writes a module with %%writefile and imports it; %%bash, %run, changes of sys.path."""


def habit(submission):
    submission.add(
        "%%writefile helper.py\nimport numpy as np\ndef largest(x, axis):\n    return x.max(axis, keepdims=True)\n"
    )
    submission.add("%%bash\necho hello > made.txt\ncat made.txt")
    submission.add("%%sh\nls")
    submission.add("%%script python\nprint('a script')")
    submission.add(
        "!mkdir -p src; echo 'def one(): return 1.0' > src/more.py\nimport sys; sys.path.append('src')"
    )
    submission.add("%run helper.py\n%load helper.py")
    submission["softmax"] = """
import importlib, helper
importlib.reload(helper)
from more import one
def softmax(x, axis=-1):
    powers = one() * np.exp(x - helper.largest(x, axis))
    return powers / powers.sum(axis, keepdims=True)
"""
