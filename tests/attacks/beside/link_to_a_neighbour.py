"""Has no notebook but a folder that links to a neighbour's submission, to the answers and to itself."""

from attacks.harness import Link

FILES = {
    "attention.ipynb": Link("copy/attention.ipynb"),
    "copy": Link("../../a-neighbour/week1_attention"),
    "answers": Link("../../../answers/week1_attention"),
    "round": Link("../week1_attention"),
    "self.ipynb": Link("self.ipynb"),
    "root": Link("/"),
}
SHOWS = {"status": "unreadable", "flags": {"unreadable"}}
