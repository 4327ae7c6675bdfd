"""Answers that keep state: a cache in a global dict, counters, an attribute of the function, the last weights."""


def habit(submission):
    submission["causal_mask"] = """
_masks = {}
calls = 0
def causal_mask(length):
    global calls
    calls += 1
    if length not in _masks:
        _masks[length] = torch.tril(torch.ones(length, length)).bool()
    return _masks[length]
"""
    keep = "    scaled_dot_product_attention.last = weights\n    history.append(weights)\n"
    submission.replace("attention", "    return", f"{keep}    return")
    submission["attention"] += "\nhistory = []"
