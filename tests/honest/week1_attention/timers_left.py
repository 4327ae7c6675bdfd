"""Guards an experiment against running too long with SIGALRM, and leaves the timer running."""


def habit(submission):
    submission.add(
        "import signal\ndef too_long(*_): raise TimeoutError('too long')\nsignal.signal(signal.SIGALRM, too_long)\n"
        "signal.alarm(1)\nsignal.setitimer(signal.ITIMER_REAL, 0.2, 0.2)"
    )
    submission.add(
        "import threading\nthreading.Timer(0.5, lambda: signal.raise_signal(signal.SIGALRM)).start()",
        before="causal_mask",
    )
