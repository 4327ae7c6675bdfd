"""seccomp: a filter that refuses system calls which no notebook needs. Calls that are not named are allowed,
except those newer than the table in `syscalls`.

It covers what Landlock does not: every kind of socket, other processes' memory, namespaces, rarely used parts of
Linux, and on older kernels the gaps that later versions of Landlock close.
"""

import ctypes
import errno
import os
import struct
from dataclasses import dataclass

from coursekit.engine.supervisor.sandbox import linux
from coursekit.engine.supervisor.sandbox.linux import SandboxError
from coursekit.engine.supervisor.sandbox.syscalls import NEWEST, NUMBERS

# Offsets in struct seccomp_data.
_NR, _ARCH, _ARGS = 0, 4, 16

# Instructions of classic BPF: load a 32-bit word, and with a constant, jumps, return.
_LOAD, _AND, _JEQ, _JGT, _JGE, _JSET, _RETURN = 0x20, 0x54, 0x15, 0x25, 0x35, 0x45, 0x06

_KILL, _ERRNO, _ALLOW = 0x80000000, 0x00050000, 0x7FFF0000

_AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_X32 = 0x40000000  # set in the numbers of the x32 calls, a second set with x86_64's own arch value

_SECCOMP_MODE_FILTER = 2


@dataclass(frozen=True)
class Arg:
    """A condition on one argument of a call: `(half of it & mask) operation value`.

    The filter sees 32 bits at a time. The low half is the whole of an int argument: Linux itself
    drops the rest, so a rule must not depend on it.
    """

    index: int
    operation: str  # "==", "!=" or "&" (any of these bits)
    value: int
    mask: int = 0xFFFFFFFF
    high: bool = False


@dataclass(frozen=True)
class Rule:
    """Answer the call with an error (0: report success and do nothing) if all conditions hold."""

    name: str
    error: int
    when: tuple[Arg, ...] = ()


# Calls that reach beyond this process, or whose effect would outlive it.
_REFUSED = """
    socket connect bind sendmsg sendmmsg
    ptrace process_vm_readv process_vm_writev process_madvise process_mrelease pidfd_getfd kcmp
    migrate_pages move_pages
    unshare setns mount umount2 move_mount fsopen fsmount fsconfig fspick open_tree open_tree_attr
    mount_setattr pivot_root chroot
    bpf perf_event_open userfaultfd io_setup io_uring_setup io_uring_enter io_uring_register
    memfd_create memfd_secret keyctl add_key request_key lookup_dcookie
    kexec_load kexec_file_load init_module finit_module delete_module swapon swapoff reboot
    sethostname setdomainname settimeofday clock_settime clock_adjtime adjtimex acct quotactl quotactl_fd
    syslog iopl ioperm modify_ldt vhangup nfsservctl uselib personality
    open_by_handle_at fanotify_init inotify_init inotify_init1
    sched_setattr sched_setparam setpriority ioprio_set
    shmget shmat shmctl shmdt msgget msgsnd msgrcv msgctl semget semop semtimedop semctl
    mq_open mq_unlink mq_timedsend mq_timedreceive mq_notify mq_getsetattr
    landlock_create_ruleset landlock_add_rule landlock_restrict_self
"""

# One signal to the process group must reach everything that student code has started.
_LEAVING_THE_GROUP = "setsid setpgid"

# Landlock does not cover owner, mode and attributes of files: as the same user, a student could lock the
# instructor out of the course folder.
_ATTRIBUTES = """
    chown lchown fchown fchownat setxattr lsetxattr fsetxattr setxattrat
    removexattr lremovexattr fremovexattr removexattrat file_setattr
"""

# The same for modes and times; but shutil.copy and tarfile call these after each file, so they report
# success. `sync` would let one notebook slow the whole machine down.
_IGNORED = "chmod fchmod fchmodat fchmodat2 utime utimes futimesat utimensat sync syncfs"

# CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. NEWTIME only exists in clone3 and unshare.
_CLONE_NEW = 0x00020000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x20000000 | 0x40000000
_CLONE_PARENT = 0x00008000  # the new process is a child of the caller's parent, which may be the guardian
_CLONE_FILES, _CLONE_THREAD = 0x00000400, 0x00010000

_AF_UNIX, _SOCK_STREAM, _SOCK_TYPE = 1, 1, 0xF

# Requests that are allowed on a descriptor; all others would affect devices, file systems or read-only files. A
# lease on a library makes other processes wait for 45 s to open it; flags would change files outside the scratch
# folder.
_IOCTL = {
    "TCGETS": 0x5401,
    "TIOCGPGRP": 0x540F,
    "TIOCGWINSZ": 0x5413,
    "FIONREAD": 0x541B,
    "FIONBIO": 0x5421,
    "FIONCLEX": 0x5450,
    "FIOCLEX": 0x5451,
}
_FCNTL = {
    "F_DUPFD": 0,
    "F_GETFD": 1,
    "F_SETFD": 2,
    "F_GETFL": 3,
    "F_SETFL": 4,
    "F_GETLK": 5,
    "F_SETLK": 6,
    "F_SETLKW": 7,
    "F_OFD_GETLK": 36,
    "F_OFD_SETLK": 37,
    "F_OFD_SETLKW": 38,
    "F_DUPFD_CLOEXEC": 1030,
    "F_SETPIPE_SZ": 1031,
    "F_GETPIPE_SZ": 1032,
    "F_GET_SEALS": 1034,
}
_PR_SCHED_CORE = 62


def rules(landlock: int, pid: int) -> list[Rule]:
    """Return the deny list.

    Args:
        landlock: the kernel's Landlock ABI; calls that an older one does not cover are refused here.
        pid: the process that the filter is for.
    """
    deny = [
        # The filter cannot look at clone3's arguments, they are in memory. libc then uses clone.
        Rule("clone3", errno.ENOSYS),
        Rule("clone", errno.EPERM, (Arg(0, "&", _CLONE_NEW | _CLONE_PARENT),)),
        # A thread with descriptors of its own, which the process's list in /proc does not show.
        Rule("clone", errno.EPERM, (Arg(0, "==", _CLONE_THREAD, mask=_CLONE_THREAD | _CLONE_FILES),)),
        # A datagram socket of a pair could still send to any address; a stream socket cannot.
        Rule("socketpair", errno.EPERM, (Arg(0, "!=", _AF_UNIX),)),
        Rule("socketpair", errno.EPERM, (Arg(1, "!=", _SOCK_STREAM, mask=_SOCK_TYPE),)),
        # An address (pointer) that is not null, in either half.
        Rule("sendto", errno.EPERM, (Arg(4, "!=", 0),)),
        Rule("sendto", errno.EPERM, (Arg(4, "!=", 0, high=True),)),
        Rule("prlimit64", errno.EPERM, (Arg(0, "!=", 0),)),
        Rule("sched_setaffinity", errno.EPERM, (Arg(0, "!=", 0), Arg(0, "!=", pid))),
        # zmq sets each of its threads to the policy that it has already, SCHED_OTHER, and aborts if it cannot.
        Rule("sched_setscheduler", errno.EPERM, (Arg(1, "!=", 0),)),
        # By PDEATHSIG, the process dies with its guardian.
        Rule("prctl", errno.EPERM, (Arg(0, "==", linux.PR_SET_PDEATHSIG),)),
        # The /proc of an undumpable process belongs to root: an ordinary user's guardian could not read it any more.
        Rule("prctl", errno.EPERM, (Arg(0, "==", linux.PR_SET_DUMPABLE),)),
        # A process that has a core to itself leaves the core's other hardware thread idle.
        Rule("prctl", errno.EPERM, (Arg(0, "==", _PR_SCHED_CORE),)),
        Rule("ioctl", errno.ENOTTY, tuple(Arg(1, "!=", request) for request in _IOCTL.values())),
        Rule("fcntl", errno.EPERM, tuple(Arg(1, "!=", command) for command in _FCNTL.values())),
    ]
    if landlock < 3:
        deny += [
            Rule("truncate", errno.EPERM),
            Rule("openat2", errno.ENOSYS),
            # Opening for reading and truncating at once.
            Rule("open", errno.EPERM, (Arg(1, "==", os.O_TRUNC, mask=os.O_TRUNC | os.O_ACCMODE),)),
            Rule("openat", errno.EPERM, (Arg(2, "==", os.O_TRUNC, mask=os.O_TRUNC | os.O_ACCMODE),)),
        ]
    if landlock < 6:
        # Signals only to the process itself, its threads and its own group.
        other_process = (Arg(0, "!=", pid),)
        deny += [
            Rule("kill", errno.EPERM, other_process + (Arg(0, "!=", 0), Arg(0, "!=", -pid & 0xFFFFFFFF))),
            Rule("tgkill", errno.EPERM, other_process),
            Rule("rt_sigqueueinfo", errno.EPERM, other_process),
            Rule("rt_tgsigqueueinfo", errno.EPERM, other_process),
            Rule("tkill", errno.EPERM),
            Rule("pidfd_send_signal", errno.EPERM),
        ]
    for names, error in (
        (_REFUSED, errno.EPERM),
        (_LEAVING_THE_GROUP, errno.EPERM),
        (_ATTRIBUTES, errno.EPERM),
        (_IGNORED, 0),
    ):
        deny += [Rule(name, error) for name in names.split()]
    return deny


def assemble(deny: list[Rule], arch: str) -> bytes:
    """Return the BPF program for these rules, 8 bytes per instruction.

    Raises:
        SandboxError: this architecture is not supported.
    """
    if arch not in _AUDIT_ARCH:
        raise SandboxError(f"The sandbox knows the system calls of x86_64 and aarch64, not of {arch!r}.")
    # 32-bit calls have other numbers: a process that makes one is ended.
    code = [
        _op(_LOAD, _ARCH),
        _op(_JEQ, _AUDIT_ARCH[arch], 1, 0),
        _op(_RETURN, _KILL),
        _op(_LOAD, _NR),
    ]
    if arch == "x86_64":
        code += [_op(_JGE, _X32, 0, 1), _op(_RETURN, _KILL)]
    code += [_op(_JGT, NEWEST, 0, 1), _op(_RETURN, _ERRNO | errno.ENOSYS)]
    for rule in deny:
        number = NUMBERS[rule.name].get(arch)
        if number is not None:
            code += _block(rule, number)
    code.append(_op(_RETURN, _ALLOW))
    return b"".join(code)


def _block(rule: Rule, number: int) -> list[bytes]:
    """Return the instructions for one rule. Before and after them, the call's number is in the accumulator."""
    size = sum(3 if arg.mask != 0xFFFFFFFF else 2 for arg in rule.when)
    body: list[bytes] = []
    for arg in rule.when:
        body.append(_op(_LOAD, _ARGS + 8 * arg.index + (4 if arg.high else 0)))
        if arg.mask != 0xFFFFFFFF:
            body.append(_op(_AND, arg.mask))
        # If the condition does not hold, skip the other conditions and the return.
        out = size - len(body)
        if arg.operation == "==":
            body.append(_op(_JEQ, arg.value, 0, out))
        elif arg.operation == "!=":
            body.append(_op(_JEQ, arg.value, out, 0))
        else:
            body.append(_op(_JSET, arg.value, 0, out))
    body.append(_op(_RETURN, _ERRNO | rule.error))
    if rule.when:
        body.append(_op(_LOAD, _NR))
    return [_op(_JEQ, number, 0, len(body)), *body]


def _op(code: int, value: int, then: int = 0, otherwise: int = 0) -> bytes:
    return struct.pack("<HBBI", code, then, otherwise, value)


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]


def restrict(landlock: int) -> None:
    """Install the filter for the calling thread and its descendants, for good.

    Args:
        landlock: the kernel's Landlock ABI.

    Raises:
        SandboxError: Linux refused.
    """
    program = assemble(rules(landlock, os.getpid()), linux.arch())
    buffer = ctypes.create_string_buffer(program, len(program))
    argument = _Program(len(program) // 8, ctypes.addressof(buffer))
    try:
        linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
        linux.prctl(linux.PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(argument))
    except OSError as error:
        raise SandboxError(f"seccomp refused: {error}.") from error


def available() -> bool:
    """Return whether Linux accepts filters. A kernel that does answers a null program with EFAULT."""
    try:
        linux.prctl(linux.PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.c_void_p())
    except OSError as error:
        return error.errno == errno.EFAULT
    return False
