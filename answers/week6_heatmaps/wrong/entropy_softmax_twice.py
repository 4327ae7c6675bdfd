"""entropy: applies a softmax to what are weights already.

Question: entropy
Mistakes: concept
Deserves: 20 %
Fails: entropy_values, entropy_shape, entropy_hidden_zero, entropy_hidden_dtype
Tell: The weights went through a second softmax, which makes every row nearly even: they are weights
    already.
"""


def attention_entropy(weights):
    p = torch.softmax(weights, dim=-1)
    return -(p * p.log()).sum(dim=-1)
