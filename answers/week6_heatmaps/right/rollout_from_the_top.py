"""rollout: starts at the last layer and multiplies from the right.

Question: rollout
"""


def attention_rollout(weights_per_layer):
    def one(w):
        a = w.mean(1) / 2
        a = a + torch.eye(a.size(-1)).to(a) / 2
        return a

    result = one(weights_per_layer[-1])
    for w in reversed(weights_per_layer[:-1]):
        result = result @ one(w)
    return result
