"""Line magics of everyday use."""


def habit(submission):
    submission.add("%load_ext autoreload\n%autoreload 2")
    submission.add("%config InlineBackend.figure_format = 'retina'\n%precision 3\n%xmode Minimal\n%pdb on")
    submission.add("%time x = 1\n%timeit -n 10 -r 2 sum(range(100))\n%who\n%whos\n%env\n%lsmagic\n%history")
    submission.add("%%timeit -n 2 -r 2\nnp.exp(np.ones(10))")
    submission.add("%prun -q sum(range(10))\n%alias_magic t timeit\n%no_such_magic")
    submission.add("%load_ext no_such_extension")
    submission.add("1 / 0")
