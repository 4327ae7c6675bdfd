"""rollout: in numpy, sentence by sentence.

Question: rollout
"""


def attention_rollout(weights_per_layer):
    first = weights_per_layer[0]
    arrays = [w.detach().cpu().numpy() for w in weights_per_layer]
    results = []
    for b in range(first.shape[0]):
        r = np.eye(first.shape[-1])
        for a in arrays:
            r = (0.5 * a[b].mean(axis=0) + 0.5 * np.eye(first.shape[-1])) @ r
        results.append(r)
    return torch.tensor(np.stack(results), dtype=first.dtype, device=first.device)
