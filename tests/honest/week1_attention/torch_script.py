"""torch.jit.script on an answer, torch.jit.trace and torch.compile with a backend that needs no compiler."""


def habit(submission):
    submission["padding_mask"] = (
        "@torch.jit.script\ndef padding_mask(token_ids, pad_id: int):\n    return (token_ids != pad_id).unsqueeze(1)"
    )
    submission["causal_mask"] = "@torch.jit.ignore\n" + submission["causal_mask"]
    submission.append("torch.jit.trace(lambda x: x + 1, torch.ones(2))")
