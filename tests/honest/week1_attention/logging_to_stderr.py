"""Switches logging on for everything, libraries included, and logs from inside the functions."""


def habit(submission):
    submission.add(
        "import logging\n"
        "logging.basicConfig(level=logging.DEBUG, force=True)\n"
        "log = logging.getLogger('homework')\n"
        "plt.figure(); plt.plot([1, 2]); plt.show()"
    )
    code = submission.source("softmax").replace("    shifted", "    log.error('scores %s', x)\n    shifted")
    submission.answer("softmax", code)
