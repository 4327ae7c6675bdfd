"""Reads the master, the answers and the hidden tests through every call that opens a file."""

BAIT_CELL = r"""
import ctypes, glob, io, mmap, os, subprocess

path = bait["paths"]["source"]
libc = ctypes.CDLL(None, use_errno=True)


def direct():
    descriptor = libc.open(path.encode(), 0)
    return os.read(descriptor, 10**6)


def by_folder():
    folder = os.open(os.path.dirname(path), os.O_PATH)
    return os.read(os.open(os.path.basename(path), os.O_RDONLY, dir_fd=folder), 10**6)


def by_place():
    os.chdir(os.path.dirname(path))
    return open(os.path.basename(path)).read()


def by_handle():
    handle = ctypes.create_string_buffer(b"\x80\0\0\0" + bytes(140))
    mount = ctypes.c_int()
    assert libc.name_to_handle_at(-100, path.encode(), handle, ctypes.byref(mount), 0) == 0
    return os.read(libc.open_by_handle_at(-100, handle, 0), 10**6)


def through_proc():
    descriptor = os.open(path, os.O_PATH)
    return open(f"/proc/self/fd/{descriptor}").read()


tried(
    lambda: open(path).read(),
    direct,
    by_folder,
    by_place,
    by_handle,
    through_proc,
    lambda: subprocess.run(["cat", path], capture_output=True).stdout,
    lambda: (
        subprocess.run(
            ["grep", "-rhoE", bait["token"], bait["paths"]["course"]], capture_output=True
        ).stdout
    ),
    lambda: os.system(f"cp {path} . && cat ./*.ipynb"),
    lambda: open("/proc/self/root" + path).read(),
    lambda: __import__("linecache").getlines(path),
    lambda: (
        __import__("torch").from_file(path, size=10_000, dtype=__import__("torch").uint8).numpy().tobytes()
    ),
    lambda: __import__("numpy").fromfile(path, dtype="u1").tobytes(),
    lambda: glob.glob(bait["paths"]["course"] + "/**", recursive=True)[1:],
    lambda: open(bait["paths"]["answer"]).read(),
)
"""
CLOSED = "(RuntimeError,)"
