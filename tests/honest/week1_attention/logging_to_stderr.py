"""Switches logging on for everything, libraries included, and logs from inside the functions."""


def habit(submission):
    submission.add(
        "import logging\n"
        "logging.basicConfig(level=logging.DEBUG, force=True)\n"
        "log = logging.getLogger('homework')\n"
        "plt.figure(); plt.plot([1, 2]); plt.show()"
    )
    submission.replace("softmax", "    shifted", "    log.error('scores %s', x)\n    shifted")
