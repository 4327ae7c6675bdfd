"""Restarts the runtime after pip, as advised for Colab: kills its process, in several ways and places."""


def habit(submission):
    submission.add("!pip install -U -q numpy\nimport os\nos.kill(os.getpid(), 9)")
    submission.add(
        "import IPython\nIPython.Application.instance().kernel.do_shutdown(True)", before="attention"
    )
    submission.add("import os, signal\nos.kill(os.getpid(), signal.SIGTERM)", before="causal_mask")
    submission.add("os._exit(00)", before="padding_mask")
