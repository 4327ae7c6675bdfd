"""entropy: takes the logarithm in float32.

Question: entropy
Mistakes: slip
Deserves: 80 %
Fails: entropy_hidden_zero
Tell: A small weight in float64 is 0 in float32, and its logarithm minus infinity: take the logarithm in the
    weights' own dtype.
"""


def attention_entropy(weights):
    return -torch.xlogy(weights, weights.float()).sum(dim=-1)
