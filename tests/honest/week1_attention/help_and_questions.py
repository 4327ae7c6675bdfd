"""Looks things up: help, ?, ??, dir, vars, inspect, and IPython's In, Out and _."""


def habit(submission):
    submission.add("help(torch.softmax)\ndir(torch)\nvars()\nglobals().keys()")
    submission.add("torch.softmax?")
    submission.add("np.max??\n?plt.plot\n*load*?")
    submission.add("1 + 1")
    submission.add("print(_, __, Out, In[-1], _i); _ * 2")
    submission.add("import inspect\nprint(inspect.getsource(softmax))", after="softmax")
    submission["softmax"] = "np.exp?\n" + submission["softmax"]
    submission.add("_ = 5; __ = 6; Out = {}; In = []")
