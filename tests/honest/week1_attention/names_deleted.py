"""Deletes names when it is done with them; clears the workspace at the top of the notebook."""


def habit(submission):
    submission.add("%reset -f\nprint('clean')", before="setup")
    submission.add("scratch = torch.ones(1000, 1000)\ndel scratch\nimport gc; gc.collect()")
    submission.add("del plt, sys", after="softmax")
    submission.append("%reset -f")
