"""Ends the process in the middle of a test with exit code 0, the code that says all is well, in five different ways."""

CODE = """
import atexit, os, sys
atexit.register(print, "passed")

def softmax(x, axis=-1):
    reached()
    os._exit(0)
"""
MORE = """
def causal_mask(length):
    raise SystemExit(0)

def padding_mask(token_ids, pad_id):
    raise KeyboardInterrupt
"""
LAST = """
def dot_product_variance(q, k, scaled):
    get_ipython().kernel.do_shutdown(False)
    get_ipython().ask_exit()
    exit(0)

def softmax_entropy(weights):
    os.execv("/bin/true", ["true"])
"""
ANSWERS = {"softmax": CODE, "causal_mask": MORE, "padding_mask": MORE, "scaling": LAST}
