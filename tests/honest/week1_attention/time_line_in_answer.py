"""Line magics and shell lines in the middle of an answer cell."""


def habit(submission):
    code = submission.source("softmax")
    submission.answer("softmax", f"%matplotlib inline\n!ls\n{code}\n%time softmax(np.ones(3))\n!echo done")
    submission.answer("scaling", submission.source("scaling") + "\n%timeit -n 1 -r 1 None\nfiles = !ls")
