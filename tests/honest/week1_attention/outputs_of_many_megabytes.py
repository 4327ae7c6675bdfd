"""Single outputs of 40 MB and more: a list printed whole, an animation as HTML, a program that prints a file."""


def habit(submission):
    submission.add("print(list(range(5_000_000)))")
    submission.add(
        "from IPython.display import HTML\nHTML('<img src=\"data:image/gif;base64,' + 'R0lGODlh' * 5_000_000)"
    )
    submission.add("import subprocess\nsubprocess.run('yes | head -c 50000000', shell=True)")
    submission.add("!yes | head -c 50000000")
    submission.add(
        "try:\n    raise ValueError('x' * 40_000_000)\nexcept ValueError as error:\n    print(error)"
    )
