"""Global variables and functions with the names that tests and given cells use."""


def habit(submission):
    submission.append("scores, want, got, hint, weights, mask, mistakes, generator = range(8)")
    submission.add(
        "scores = want = got = hint = by_hand = weights = output = Q = K = V = mask = mistakes = 'mine'\n"
        "generator = words = n = length = x = result = 0\n"
        "def along(axis): return None\ndef probe_unchanged(*args): return 'mine'\n"
        "def check_close(*args, **kwargs): raise RuntimeError('my own check_close')\nSEED = 'x'\ndevice = 'cpu'"
    )
