"""Answers with programs that take a parser's time and memory: the longest list, sum, call chain and comparison."""

SHOWS = {
    "status": "repaired",
    "stops": {"timed_out"},
    "repairs": {"nothing_recognised"},
    "flags": {"nothing_recognised"},
}
ANSWERS = {
    # IPython looks through a cell with a magic token by token.
    "softmax": "%pwd\nx = [" + "1," * 400_000 + "]",
    "attention": "1" + "<1" * 60_000,
    "causal_mask": "f" + "()" * 60_000,
    "padding_mask": "-" * 200_000 + "1",
    "scaling": "(" * 200_000 + "lambda:" * 50_000,
}
