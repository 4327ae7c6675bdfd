"""Makes system calls that a filter may not know: 32-bit, x32 and future numbers, io_uring, large arguments."""

BAIT_CELL = r"""
import ctypes, mmap, os

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
for number in (41, 42, 46, 49, 53, 307, 425, 426, 427, *range(470, 520)):
    for arguments in ((1, 1, 0), (2, 1, 0), (1 << 32 | 2, 1 << 32 | 1, 0), (8, 0, 0)):
        answer = libc.syscall(
            ctypes.c_long(number), *map(ctypes.c_long, arguments), ctypes.c_long(0), ctypes.c_long(0)
        )
        if answer >= 0:
            print("GOT", number, arguments, answer)
# socket(2, 1, 0) as a 32-bit program would ask for it, and with an x32 number; in children, since it may end them.
for code in (
    b"\x53\xb8\x67\x01\x00\x00\xbb\x02\x00\x00\x00\xb9\x01\x00\x00\x00\x31\xd2\xcd\x80\x5b\xc3",
    b"\xb8\x29\x00\x00\x40\xbf\x02\x00\x00\x00\xbe\x01\x00\x00\x00\x31\xd2\x0f\x05\xc3",
):
    if os.fork() == 0:
        page = mmap.mmap(-1, 4096, prot=7)
        page.write(code)
        answer = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()
        os.write(1, b"GOT %d" % answer)
        os._exit(1 if answer < 0 else 0)
    _, status = os.wait()
    print("child", status)
"""
