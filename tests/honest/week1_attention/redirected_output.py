"""Redirects standard output and error, into files and into nothing, and never puts them back."""


def habit(submission):
    submission.add(
        "import sys, io, os\nsys.stderr = open('errors.txt', 'w')\nsys.stdout = io.StringIO()\nprint('gone')"
    )
    submission.replace("softmax", "    shifted", "    print('here')\n    shifted")
    submission.append("sys.stdout = sys.__stdout__\nprint('back')")
