"""Recursion, also deep, with the limit raised."""


def habit(submission):
    submission.add("import sys\nsys.setrecursionlimit(10**6)")
    submission["softmax"] = """
def softmax(x, axis=-1):
    if axis != -1 and axis != x.ndim - 1:
        return np.moveaxis(softmax(np.moveaxis(x, axis, -1), -1), -1, axis)
    if x.ndim > 1:
        return np.stack([softmax(part) for part in x])
    def add(values, place=0):
        return 0.0 if place == len(values) else values[place] + add(values, place + 1)
    powers = np.exp(x - x.max())
    return powers / add(powers)
def deep(n):
    return 0 if n == 0 else 1 + deep(n - 1)
print(deep(5000))
"""
