"""Variables named as builtins, left behind: list, sum, max, min, id, input, bool, all, any, type, print, len."""

REPAIRS = {"words_in_code"}  # a last cell that only prints a word may be the written answer


def habit(submission):
    submission.add(
        "list = [1, 2]; sum = 0; max = 3; min = 1; id = 7; input = 'text'; str = 'a'; dict = {}; set = 1"
    )
    submission.append("print('end')")
    submission.add(
        "all = any = bool = type = tuple = range = zip = isinstance = sorted = abs = round = float = int = None\n"
        "len = enumerate = map = object = getattr = 1",
        after="scaling",
    )
    submission.add("bool = tuple = float = int = len = isinstance = all = any = None", after="softmax")
    submission.add("del bool, tuple, float, int, len, isinstance, all, any", after="softmax_hidden_input")
