"""Prints shapes in forward and keeps the last weights; hooks, a docstring test, a main guard."""


def habit(submission):
    code = submission.source("multi_head").replace(
        "        heads, weights =", "        print('Q', Q.shape, 'K', K.shape)\n        heads, weights ="
    )
    code = code.replace(
        "        return self.W_O", "        self.last_weights = weights.detach()\n        return self.W_O"
    )
    submission.answer(
        "multi_head",
        code + "\nmodel = MultiHeadAttention(8, 2)\nprint(model)\nmodel(*[torch.ones(1, 2, 8)] * 3)",
    )
