"""Claims the name and the tag of the setup cell for a cell that redefines check_close, the helper that every test judges with."""

SHOWS = {"status": "repaired", "repairs": {"duplicate_dropped", "given_edited"}}


def attack(submission):
    code = "def check_close(*args, **kwargs):\n    return None\nisinstance = lambda *args: True\n"
    setup = submission.cell("setup")
    setup["source"] = setup["source"] + "\n\n" + code
    twin = submission.add(code)
    twin["metadata"] = {**setup["metadata"], "tags": ["setup"]}
    twin["id"] = setup["id"]
