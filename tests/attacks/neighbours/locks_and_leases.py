"""Locks and leases every library that others open and empties the cache that holds them."""

BAIT_CELL = r"""
import fcntl, glob, os

held, leased = [], 0
for path in glob.glob(bait["paths"]["packages"] + "/**/*.py", recursive=True)[:4000:25]:
    try:
        descriptor = os.open(path, os.O_RDONLY)
        held.append(descriptor)
        for number in (fcntl.F_WRLCK, fcntl.F_RDLCK):
            try:
                fcntl.fcntl(descriptor, fcntl.F_SETLEASE, number)
                leased += 1
                print("GOT", path)
            except OSError:
                pass
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    except OSError:
        pass
print(len(held), leased)
tried(lambda: open("/proc/sys/vm/drop_caches", "w").write("3"), lambda: os.sync())
"""
