"""Line magics and shell lines in the middle of an answer cell."""


def habit(submission):
    code = submission["softmax"]
    submission["softmax"] = f"%matplotlib inline\n!ls\n{code}\n%time softmax(np.ones(3))\n!echo done"
    submission["scaling"] += "\n%timeit -n 1 -r 1 None\nfiles = !ls"
