"""entropy: uses the logarithm to base 2.

Question: entropy
Mistakes: slip
Deserves: 75 %
Fails: entropy_values
Tell: The entropies are in bits: use the natural logarithm for nats.
"""


def attention_entropy(weights):
    return -(weights * torch.log2(weights.clamp(min=1e-30))).sum(dim=-1)
