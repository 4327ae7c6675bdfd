"""Hands in modules of which one never ends its import, one ends Python, and one starts processes that stay."""

FILES = {
    "endless.py": b"import os\nos.mkdir('began')\nwhile True:\n    pass\n",
    "ends.py": b"import os\nos._exit(0)\n",
    "forks.py": b"import os, time\nfor _ in range(5):\n    if os.fork() == 0:\n        time.sleep(1000)\n",
}
CELL = "reached()\nimport forks\nimport endless"
BEFORE = "attention"


def attack(submission):
    submission.answer("scaling", "import ends")
