"""blocked: puts the effects into a float32 tensor.

Question: blocked
Mistakes: slip
Deserves: 85 %
Fails: blocked_hidden_dtype
Tell: The effects of a float64 model come back as float32: keep the dtype of the probabilities.
"""


def blocked_effect(predict, length, target):
    free = torch.ones(length, length, dtype=torch.bool)
    normal = predict(free)[target]
    effects = torch.zeros(length)
    for key in range(length):
        mask = free.clone()
        mask[:, key] = False
        effects[key] = normal - predict(mask)[target]
    return effects
