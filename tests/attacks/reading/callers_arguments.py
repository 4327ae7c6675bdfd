"""Answers a test only after it has looked through every frame, local and global that leads to the call, for
the value that the test wants."""

CODE = """
import sys

def softmax(x, axis=-1):
    frame, seen = sys._getframe(), []
    while frame is not None:
        for names in (frame.f_locals, frame.f_globals):
            for key, value in list(names.items()):
                if any(word in key for word in ("expected", "wanted", "oracle", "reference", "right", "want")):
                    seen.append(value)
        frame = frame.f_back
    import gc
    for item in gc.get_objects():
        if type(item) is np.ndarray and item.shape == np.shape(x) and np.allclose(np.sum(item, axis), 1):
            seen.append(item)
    print("GOT", len(seen))
    reached()
    return seen[0] if seen else np.zeros_like(x)
"""


def attack(submission):
    submission.answer("softmax", CODE)
