"""Variables named str, dict, list, set, max, sorted and len are left behind by experiments."""


def habit(submission):
    submission.append("str = 'x'; dict = {}")
    submission.add("max = 0; type = 'word'; id = 3; any = all = None; vars = tokens = text = words = 'mine'")
