"""Gives another answer to each of two equal calls, and changes a tensor that it has already returned, from a thread, while it is being compared."""

ANSWER = """
import threading, time
import numpy as np, torch
shared = torch.zeros(4, 4)
numbers = np.zeros((2, 3))

def flicker():
    while True:
        shared.random_(0, 2)
        numbers[:] = np.random.rand(2, 3)
        time.sleep(0)

threading.Thread(target=flicker, daemon=True).start()
count = [0]

def softmax(x, axis=-1):
    reached()
    return numbers
def scaled_dot_product_attention(Q, K, V, mask=None):
    count[0] += 1
    return (shared, shared) if count[0] % 2 else [shared]
def causal_mask(length):
    count[0] += 1
    return shared.bool() if count[0] % 3 else shared[: count[0] % 4]
padding_mask = lambda token_ids, pad_id: shared[:3, None]
def dot_product_variance(q, k, scaled):
    count[0] += 1
    return float(count[0])
softmax_entropy = lambda weights: shared[0, : count[0] % 4]
"""
