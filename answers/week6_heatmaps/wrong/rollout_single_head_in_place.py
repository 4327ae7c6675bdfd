"""rollout: halves the weights of a layer with one head in place.

Question: rollout
Mistakes: slip
Deserves: 80 %
Fails: rollout_hidden_inputs
Tell: With a single head, weights[:, 0] is a view, and what works in place, like *= or add_(), changes the
    caller's weights.
"""


def attention_rollout(weights_per_layer):
    result = None
    for weights in weights_per_layer:
        average = weights.mean(dim=1) if weights.shape[1] > 1 else weights[:, 0]
        average *= 0.5
        average += 0.5 * torch.eye(weights.shape[-1], dtype=weights.dtype, device=weights.device)
        result = average if result is None else average @ result
    return result
