"""blocked: returns a list of numbers.

Question: blocked
Mistakes: slip
Deserves: 80 %
Fails: blocked_hidden_type
Tell: A Python list comes back: make a tensor of it.
"""


def blocked_effect(predict, length, target):
    free = torch.ones(length, length, dtype=torch.bool)
    normal = predict(free)[target]
    effects = []
    for key in range(length):
        mask = free.clone()
        mask[:, key] = False
        effects.append(float(normal - predict(mask)[target]))
    return effects
