"""entropy: computes in float32 whatever comes.

Question: entropy
Mistakes: slip
Deserves: 85 %
Fails: entropy_hidden_dtype
Tell: float64 weights come back as float32: keep the dtype of the weights.
"""


def attention_entropy(weights):
    w = weights.float()
    return -torch.xlogy(w, w).sum(dim=-1)
