"""split_heads: detaches and goes through numpy.

Question: split_heads
Mistakes: slip
Deserves: 75 %
Fails: split_heads_hidden_gradient
Tell: The values are right but no gradient reaches x: detach(), .data, .numpy(), tolist(), torch.tensor(...)
    and no_grad() cut the way back, and requires_grad_() does not restore it. Use x itself, in torch.
"""


def split_heads(x, num_heads):
    a = x.detach().cpu().numpy()
    b, s, d = a.shape
    a = a.reshape(b, s, num_heads, d // num_heads).transpose(0, 2, 1, 3)
    return torch.from_numpy(np.ascontiguousarray(a))
