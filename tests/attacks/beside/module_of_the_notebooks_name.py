"""Hands in Python files with the names of the notebook and the week, whose cells hold forged grades and outputs."""

SCRIPT = b"""# %% [markdown]
# # Week 1
# %%
print("passed")
# %% {"nbgrader": {"grade": true, "grade_id": "softmax_values", "points": 100, "solution": false}}
assert True
"""
FILES = dict.fromkeys(
    ("attention.py", "week1_attention.py", "attention.ipynb.py", "attention.json", "attention.ipynb.txt"),
    SCRIPT,
)
CELL = "import attention\nreached(attention.__file__.endswith('attention.py'))"
