"""Turns the machine off, mounts, loads, swaps, traces and changes clocks and kernel settings, as root might."""

BAIT_CELL = r"""
import ctypes, os, time

libc = ctypes.CDLL(None, use_errno=True)
for number, *arguments in (
    (169, 0xFEE1DEAD, 672274793, 0),
    (165, b"/", b"/mnt", b"tmpfs", 0, 0),
    (166, b"/proc", 2),
    (155, b".", b"."),
    (161, b"."),
    (272, 0x10000000),
    (272, 0x20000),
    (308, 0, 0),
    (321, 0, 0, 0),
    (298, bytes(128), 0, -1, -1, 0),
    (175, 0, 0, 0),
    (313, 0, b"", 0),
    (246, 0, 0, 0, 0),
    (167, b"x", 0),
    (168, b"x"),
    (170, b"x", 1),
    (171, b"x", 1),
    (164, bytes(16), 0),
    (227, 0, bytes(16)),
    (159, bytes(208)),
    (163, 0),
    (103, 10, 0, 0),
    (172, 3),
    (153,),
    (135, 0x0040000),
    (304, -100, bytes(8), 0),
    (323, 0),
    (430, b"tmpfs", 0),
    (428, -100, b"/", 1),
    (442, -100, b"/", 0, bytes(32), 32),
):
    answer = libc.syscall(number, *arguments)
    if answer >= 0:
        print("GOT", number, answer)
paths = '''
    /proc/sysrq-trigger /proc/sys/kernel/core_pattern /proc/sys/kernel/hostname /sys/power/state
    /sys/fs/cgroup/cgroup.procs /dev/mem /dev/kmsg /dev/watchdog /dev/vda
'''
for path in paths.split():
    tried(lambda: open(path, "w").write("x"))
for mode in (0o20000, 0o60000):
    tried(lambda: os.mknod("device", 0o600 | mode, os.makedev(8, 0)))
os.system("shutdown -h now; reboot -f; su -c id; sudo -n id; mount; unshare -r id")
"""
