"""Fills its scratch folder with links, so that the clean-up works on the folders that they point to."""

BAIT_CELL = r"""
import os, threading

targets = ["/", "/etc", *(bait["paths"][name] for name in ("course", "home", "tmp", "gradebook"))]
for number, target in enumerate(targets):
    os.symlink(target, f"link{number}")
    os.makedirs(f"deep{number}/deep", exist_ok=True)
    os.symlink(target, f"deep{number}/deep/link")
os.symlink("..", "up")
os.symlink(".", "tmp2")
os.symlink("loop", "loop")
os.rename(".tmp", ".tmp-was")
os.symlink(bait["paths"]["tmp"], ".tmp")
os.mkdir("closed", 0)
os.mkdir("unlisted", 0o300)
open("unlisted/x", "w")
os.mkfifo("fifo")


def swap():
    for _ in range(3_000):
        try:
            os.mkdir("swap")
            os.rmdir("swap")
            os.symlink(targets[2], "swap")
            os.unlink("swap")
        except OSError:
            pass


thread = threading.Thread(target=swap)
thread.start()
thread.join()
reached()
try:
    for _ in range(3000):
        os.mkdir("d" * 100)
        os.chdir("d" * 100)
    open("bottom", "w").write("x")
except OSError as error:
    print(error)
"""
