"""Stops the notebook in the middle with sys.exit, quit or an error, to be removed later, and forgets it."""


def habit(submission):
    submission.add("import sys\nsys.exit('stop here for now')", before="attention")
    submission.add("quit()", before="causal_mask")
    submission.add("exit", after="causal_mask")
    submission.add("raise RuntimeError('stop here')", before="padding_mask")
    submission.add("assert False, 'not yet'", before="scaling")
