"""Prints shapes in forward and keeps the last weights; hooks, a docstring test, a main guard."""


def habit(submission):
    submission.replace("multi_head", "heads, weights =", "print('Q', Q.shape, K.shape); heads, weights =")
    submission.replace(
        "multi_head", "return self.W_O", "self.last_weights = weights.detach(); return self.W_O"
    )
    submission["multi_head"] += """
model = MultiHeadAttention(8, 2)
print(model)
model(*[torch.ones(1, 2, 8)] * 3)"""
