"""Changes the process: environment variables, recursion limit, garbage collector, number of threads, signals, cwd."""


def habit(submission):
    submission.add(
        "import os, sys, gc, signal, locale, faulthandler, resource\n"
        "os.environ['KMP_DUPLICATE_LIB_OK'] = 'TRUE'\nos.environ['CUDA_VISIBLE_DEVICES'] = ''\n"
        "os.environ.pop('HOME', None); os.environ['TOKENIZERS_PARALLELISM'] = 'false'\n"
        "sys.setrecursionlimit(50000); sys.path.insert(0, '/content'); sys.argv = ['x']\n"
        "gc.disable(); gc.collect(); gc.set_threshold(0)\n"
        "signal.signal(signal.SIGINT, signal.SIG_DFL)\nsys.tracebacklimit = 0\nsys.setswitchinterval(0.001)"
    )
    submission.add("torch.set_num_interop_threads(2)")
    submission.add("locale.setlocale(locale.LC_ALL, 'de_DE.UTF-8')")
    submission.add("os.environ.clear()")
