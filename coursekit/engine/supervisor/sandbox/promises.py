"""The guarantees of the sandbox: the table of SECURITY.md and the lines of `course doctor`."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Promise:
    """One thing that student code cannot do, and the mechanism that prevents it."""

    key: str  # names the trial that attempts, from inside a sandbox, what is promised to fail
    what: str
    by: str
    linux: str = "5.13"  # the first version on which `by` holds
    # The consequence where `by` does not hold: on an older kernel, or as said.
    consequence: str = "`course grade` refuses."
    extra: bool = False  # a second barrier against what another promise prevents on every supported kernel


PROMISES = (
    Promise("read", "It reads no files but Python's, the system's programs and its own.", "Landlock"),
    Promise("write", "It writes, makes and removes files in its scratch folder only.", "Landlock"),
    Promise(
        "truncate",
        "It truncates no file that it may only read.",
        "Landlock",
        "6.2",
        "seccomp refuses to truncate any file, even in the scratch folder.",
    ),
    Promise("attributes", "It changes no file's mode, owner or times.", "seccomp"),
    Promise("network", "It makes no socket: no network, no local service.", "seccomp"),
    Promise(
        "tcp", "A second lock on TCP.", "Landlock", "6.7", "The lock on sockets is the only one.", extra=True
    ),
    Promise(
        "abstract",
        "A second lock on local sockets without a file.",
        "Landlock",
        "6.12",
        "The lock on sockets is the only one.",
        extra=True,
    ),
    Promise(
        "signals",
        "It sends signals to its own processes only.",
        "Landlock",
        "6.12",
        "seccomp lets it signal itself and its group, but none of its processes by number.",
    ),
    Promise("processes", "It reads nothing about other processes.", "Landlock"),
    Promise("memory_of", "It looks into no other process's memory.", "seccomp, Landlock"),
    Promise("namespaces", "It makes no namespace and mounts nothing.", "seccomp"),
    Promise("privileges", "It has no privilege and gains none.", "capabilities, no_new_privs"),
    Promise("group", "It starts nothing that outlives it.", "seccomp, guardian"),
    Promise("memory", "Its memory is limited.", "rlimit, guardian"),
    Promise("time", "Its processor time is limited.", "rlimit"),
    Promise("file_size", "The size of its files is limited.", "rlimit, guardian"),
    Promise("descriptors", "The number of its open files is limited.", "rlimit"),
    Promise(
        "requests",
        "It starts no asynchronous disk requests (AIO), whose number all processes share.",
        "seccomp",
    ),
    Promise(
        "number",
        "The number of its processes is limited.",
        "rlimit, guardian",
        consequence=(
            "No kernel applies this limit to root: above 64 of them, the guardian ends all. Grade as an ordinary user."
        ),
    ),
)


def table() -> str:
    """Return the promises as SECURITY.md shows them."""
    rows = [("What student code cannot do", "by", "Linux", "on an older kernel"), ("---",) * 4]
    rows += [(promise.what, promise.by, promise.linux, promise.consequence) for promise in PROMISES]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)
