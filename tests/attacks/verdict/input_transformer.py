"""Installs input transformers that turn the source of every later cell into `pass`: a test that does nothing passes."""

CELL = r"""
shell = get_ipython()
def nothing(lines):
    reached()
    return ["pass\n"]
shell.input_transformers_cleanup.append(nothing)
shell.input_transformers_post.append(nothing)
shell.transform_cell = nothing
"""
BEFORE = "scaling"
