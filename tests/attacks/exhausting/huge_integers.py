"""Returns integers whose text takes minutes to make, without Python's limit on it; also as sizes and lengths."""

ANSWER = """
import sys
sys.set_int_max_str_digits(0)

class Long(list):
    def __len__(self): return sys.maxsize
    def __iter__(self):
        while True: yield 1 << 100_000

def causal_mask(length):
    reached()
    return 1 << 50_000_000

def padding_mask(token_ids, pad_id):
    reached()
    return Long()

def softmax(x, axis=-1):
    reached()
    return {1 << 4000: [1 << 4000] * 100_000}
"""
QUESTIONS = ("causal_mask", "padding_mask", "softmax")
