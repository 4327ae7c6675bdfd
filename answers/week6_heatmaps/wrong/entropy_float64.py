"""entropy: computes in float64 whatever comes.

Question: entropy
Mistakes: slip
Deserves: 85 %
Fails: entropy_hidden_dtype
Tell: float32 weights come back as float64: keep the dtype of the weights.
"""


def attention_entropy(weights):
    w = weights.double()
    return -torch.xlogy(w, w).sum(dim=-1)
