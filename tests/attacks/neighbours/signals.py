"""Sends every signal to everything: all processes, groups, the guardian, the grader and the victim."""

BAIT_CELL = r"""
import ctypes, os, signal

libc = ctypes.CDLL(None, use_errno=True)
others = {bait["victim"], bait["grader"], os.getppid(), 1, *range(max(2, os.getpid() - 150), os.getpid())}
for pid in (*others, *(-other for other in others if other > 1)):
    for number in (signal.SIGTERM, signal.SIGSTOP, signal.SIGUSR1, signal.SIGKILL):
        try:
            print("GOT", pid, os.kill(pid, number))
        except OSError:
            pass
for pid in others:
    for call in (
        (234, pid, pid, 15),
        (200, pid, 15),
        (129, pid, 15, bytes(128)),
        (297, pid, pid, 15, bytes(128)),
    ):
        if libc.syscall(*call) == 0:
            print("GOT", call)
    try:
        print("GOT", signal.pidfd_send_signal(os.pidfd_open(pid), signal.SIGKILL))
    except OSError:
        pass
reached()
os.system(f"killall -9 python; kill -STOP {bait['victim']}; fuser -k {bait['paths']['course']}")
# To everybody whom it may signal, itself and its own children among them.
for number in (signal.SIGUSR1, signal.SIGTERM, signal.SIGKILL):
    os.kill(-1, number)
"""
