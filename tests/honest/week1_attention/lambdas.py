"""Lambdas where a function is asked for."""


def habit(submission):
    submission.answer(
        "softmax",
        "e = lambda x, axis: np.exp(x - x.max(axis, keepdims=True))\n"
        "softmax = lambda x, axis=-1: e(x, axis) / e(x, axis).sum(axis, keepdims=True)",
    )
    submission.answer("causal_mask", "causal_mask = lambda n: torch.ones(n, n).tril() > 0")
    submission.answer(
        "padding_mask", "padding_mask = lambda token_ids, pad_id: (token_ids != pad_id)[:, None]"
    )
