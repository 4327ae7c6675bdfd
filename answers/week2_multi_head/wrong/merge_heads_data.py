"""merge_heads: works on x.data, which has no gradient.

Question: merge_heads
Mistakes: slip
Deserves: 75 %
Fails: merge_heads_hidden_gradient
Tell: No gradient reaches x: detach(), .data, .numpy(), tolist(), torch.tensor(...) and no_grad() cut the way
    back, and requires_grad_() does not restore it. Use x itself, in torch.
"""


def merge_heads(x):
    b, h, s, d = x.data.shape
    return x.data.transpose(1, 2).reshape(b, s, h * d)
