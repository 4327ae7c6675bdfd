"""Installs input transformers that turn the source of every later cell into `pass`: a test that does nothing passes."""

CODE = r"""
shell = get_ipython()
nothing = lambda lines: ["pass\n"]
shell.input_transformers_cleanup.append(nothing)
shell.input_transformers_post.append(nothing)
shell.transform_cell = lambda source: "pass"
"""


def attack(submission):
    submission.add(CODE, before="scaling")
