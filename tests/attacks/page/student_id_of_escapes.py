"""Is handed in under a name that clears the terminal, writes a line of marks and turns the direction of
reading."""

REFUSED = True


def attack(submission):
    submission.student = "\x1b[2J\x1b]0;owned\x07\r\na-neighbour: 0 of 30\u202e\u2066"
