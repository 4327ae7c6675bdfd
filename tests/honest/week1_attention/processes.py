"""Child processes in cells of its own: multiprocessing, os.fork, a subprocess left running."""


def habit(submission):
    submission.add(
        "import multiprocessing as mp, os, subprocess, sys\n"
        "child = os.fork()\nif child == 0: os._exit(0)\nos.waitpid(child, 0)\n"
        "subprocess.Popen(['sleep', '100'])\nprint(subprocess.check_output(['echo', 'hello'], text=True))"
    )
    submission.add("with mp.get_context('fork').Pool(2) as pool:\n    print(pool.map(abs, [-1, -2]))")
    submission.add(
        "from torch.utils.data import DataLoader\nprint(len(list(DataLoader(range(8), num_workers=2))))"
    )
