"""Calls the function that predicts with masks that are none, a hundred times, and answers with differences of what came."""

CODE = """
def blocked_effect(predict, length, target):
    found = []
    for mask in (torch.zeros(length, length, dtype=torch.bool), torch.ones(1), None, [[True]], torch.zeros(0), predict, 1 << 300):
        for _ in range(10):
            try:
                found.append(predict(mask))
            except Exception as error:
                found.append(error)
    reached(len(found) == 70)
    tensors = [value for value in found if isinstance(value, torch.Tensor) and value.numel()]
    return torch.full((length,), float(tensors[0].sum()) + 0.123 if tensors else 0.123)
"""


def attack(submission):
    submission.answer("blocked", CODE)
