"""Changes owner, mode, times, extended attributes and flags of the course folder and of libraries."""

BAIT_CELL = r"""
import ctypes, fcntl, os

libc = ctypes.CDLL(None, use_errno=True)
for path in (np.__file__, *(bait["paths"][name] for name in ("course", "source", "gradebook", "home"))):
    tried(
        lambda: os.chown(path, os.getuid(), os.getgid() + 1),
        lambda: os.lchown(path, 1, 1),
        lambda: os.setxattr(path, "user.x", b"x"),
        lambda: os.chmod(path, 0),
        lambda: os.utime(path, (1, 1)),
        lambda: os.removexattr(path, "user.x"),
        lambda: libc.syscall(452, -100, path.encode(), 0, 0),
        lambda: libc.syscall(463, -100, path.encode(), 0, b"user.x", b"x", 1),
        lambda: libc.syscall(469, -100, path.encode(), bytes(64), 64, 0),
    )

    def flags():
        with open(path) as file:
            current = fcntl.ioctl(file, 0x80086601, bytes(8))
            fcntl.ioctl(file, 0x40086602, bytes([current[0] | 0xC0]) + current[1:])
            return current

    def handle():
        descriptor = os.open(path, os.O_PATH)
        return os.chmod(f"/proc/self/fd/{descriptor}", 0), os.utime(f"/proc/self/fd/{descriptor}", (1, 1))

    tried(flags, handle)
"""
