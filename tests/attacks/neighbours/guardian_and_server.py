"""Kills, stops and starves the guardian and the fork servers, and uses up process numbers."""

BAIT_CELL = r"""
import os, signal, time

guardian = os.getppid()
tried(
    lambda: os.kill(guardian, signal.SIGKILL),
    lambda: os.kill(guardian, signal.SIGSTOP),
    lambda: open(f"/proc/{guardian}/oom_score_adj", "w").write("1000"),
    lambda: open(f"/proc/{guardian}/stat").read(),
    lambda: os.listdir(f"/proc/{guardian}/task"),
)
# Children that end at once and are collected late: their numbers come round again.
end = time.monotonic() + 0.5
while time.monotonic() < end:
    try:
        pid = os.posix_spawn("/bin/true", ["true"], {})
        os.waitpid(pid, 0)
    except OSError:
        pass
os.chdir("/")
os.kill(0, signal.SIGCONT)
reached()
os.kill(os.getpid(), signal.SIGSTOP)
"""
