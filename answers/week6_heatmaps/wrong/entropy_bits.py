"""entropy: uses the logarithm to base 2.

Question: entropy
Fails: entropy_values, entropy_shape, entropy_hidden_zero, entropy_hidden_dtype
Tell: The entropies are in bits: use the natural logarithm for nats.
"""


def attention_entropy(weights):
    return -(weights * torch.log2(weights.clamp(min=1e-30))).sum(dim=-1)
