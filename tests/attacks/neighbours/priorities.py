"""Changes priority, scheduling, processors, limits and memory policy of others, and raises its own."""

BAIT_CELL = r"""
import ctypes, os, resource

libc = ctypes.CDLL(None, use_errno=True)
for pid in (bait["victim"], bait["grader"], os.getppid()):
    tried(
        lambda: os.setpriority(os.PRIO_PROCESS, pid, 19),
        lambda: os.setpriority(os.PRIO_PGRP, pid, 19),
        lambda: os.setpriority(os.PRIO_USER, os.getuid(), 19),
        lambda: os.sched_setaffinity(pid, {0}),
        lambda: os.sched_setscheduler(pid, os.SCHED_IDLE, os.sched_param(0)),
        lambda: os.sched_setparam(pid, os.sched_param(0)),
        lambda: resource.prlimit(pid, resource.RLIMIT_NOFILE, (3, 3)),
        lambda: resource.prlimit(pid, resource.RLIMIT_CPU, (1, 1)),
        lambda: open(f"/proc/{pid}/oom_score_adj", "w").write("1000"),
        lambda: open(f"/proc/{pid}/autogroup", "w").write("19"),
    )
    print(
        [
            libc.syscall(*call)
            for call in (
                (251, 1, pid, 3 << 13),
                (256, pid, 8, bytes(8), bytes(8)),
                (279, pid, 0, 0, 0, 0, 0),
                (314, pid, bytes(56), 0),
            )
        ]
    )
tried(
    lambda: os.nice(-10),
    lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50)),
    lambda: os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1)),
    lambda: resource.setrlimit(resource.RLIMIT_NICE, (40, 40)),
    lambda: resource.setrlimit(resource.RLIMIT_AS, (-1, -1)),
    lambda: open("/proc/self/oom_score_adj", "w").write("-1000"),
    lambda: open("/sys/devices/system/cpu/cpu1/online", "w").write("0"),
    lambda: libc.prctl(62, 1, 0, 1, 0) and 1 / 0,
)
"""
CLOSED = "(ValueError,)"
