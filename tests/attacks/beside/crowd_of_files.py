"""Hands in hundreds of files, folders in folders, and more megabytes than a kernel's folder holds."""

FILES = (
    {f"many/{number}.txt": b"x" for number in range(300)}
    | {"deep/" * 40 + "x.py": b"x = 1"}
    | {f"large{number}.py": b"# " + b"x" * (12 << 20) for number in range(3)}
)
SHOWS = {
    "status": "graded",
    "flags": {"too_large", "too_many_files", "file_left_out", "from_scratch_in_file", "maybe_in_file"},
}
