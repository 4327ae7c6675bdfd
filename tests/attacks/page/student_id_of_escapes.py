"""Is handed in under a name that clears the terminal and turns the direction of reading."""

REFUSED = True
STUDENT = "\x1b[2J\x1b]0;owned\x07\r\na-neighbour: 0 of 30\u202e\u2066"
