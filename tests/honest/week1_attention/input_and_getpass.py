"""Asks for input and for a password, in cells of its own."""


def habit(submission):
    submission.add("name = input('Your name? ')\nprint('Hello', name)")
    submission.add("import getpass\ntoken = getpass.getpass()")
    submission.append("input('Press Enter to end')")
