"""Builtins overwritten before the answers: sum, all, list, range and others hold numbers and tensors."""

REPAIRS = {"words_in_code"}  # a last cell that only prints a word may be the written answer


def habit(submission):
    submission.add(
        "list = [1]; sum = 10; all = torch.ones(2); any = 3; max = min = 4; sorted = set = dict = 'x'; zip = map = 1"
    )
    submission.append("sum, list")
