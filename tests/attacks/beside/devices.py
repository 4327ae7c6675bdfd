"""Hands in links to devices and to files without an end under the name of a notebook."""

from attacks.harness import Link

FILES = {
    "attention.ipynb": Link("/dev/zero"),
    "a.ipynb": Link("/dev/stdin"),
    "b.ipynb": Link("/proc/self/mem"),
    "c/attention.ipynb/attention.ipynb/x": b"a folder of the notebook's name",
}
SHOWS = {"status": "unreadable", "repairs": {"renamed_file"}, "flags": {"unreadable"}}
