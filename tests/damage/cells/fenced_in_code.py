"""An answer pasted into its cell with the fences of the chat that it came from."""

REPAIRS = {"characters_restored"}


def damage(submission):
    cell = submission.cell("attention")
    cell["source"] = f"```python\n{cell['source']}\n```\n"
