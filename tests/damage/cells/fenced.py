"""An answer as text between fences, as it came out of a chat, in place of the cell and without its name."""

from damage.harness import own_words

WEEK = "week2_multi_head"
REPAIRS = {"cell_type_restored", "metadata_restored"}


def damage(submission):
    place = submission.place("split_heads")
    submission.cells[place] = own_words(f"```python\n{submission.cells[place]['source']}\n```")
