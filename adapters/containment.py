"""What a child process gives up before it opens a file: resources, network, files, other processes.

Runs inside the child. Every step reports whether it took effect; the parent shows this in `doctor`. Sources:
prctl(2), seccomp(2), unshare(2), landlock(7), linux/filter.h, linux/audit.h and the kernel's syscall tables.
"""

import contextlib
import ctypes
import os
import platform
import resource
import socket
import struct
import sys
from collections.abc import Sequence
from pathlib import Path

_PR_SET_DUMPABLE, _PR_SET_SECCOMP, _PR_SET_NO_NEW_PRIVS = 4, 22, 38
_SECCOMP_MODE_FILTER = 2
_CLONE_NEWUSER, _CLONE_NEWNET = 0x10000000, 0x40000000
_LANDLOCK_CREATE_RULESET, _LANDLOCK_ADD_RULE, _LANDLOCK_RESTRICT_SELF = 444, 445, 446
_LANDLOCK_ACCESS_FS = (1 << 13) - 1  # ABI 1: every right of a file or directory
_LANDLOCK_READ = 0b1101  # execute, read a file, list a directory
_LANDLOCK_MAKE_SOCKET = 1 << 9
_LANDLOCK_PATH_BENEATH = 1
_LANDLOCK_SCOPE_SIGNAL = 1 << 1  # ABI 6 (Linux 6.12): no signals to processes outside
_OFFICE = ("/var/lib/libreoffice", "/var/spool/libreoffice", "/var/cache/fontconfig")
_SYSTEM = ("/usr", "/bin", "/lib", "/lib64", "/etc", "/opt", "/nix", "/dev", "/proc", *_OFFICE)

_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_DENIED = {  # call: number on x86_64, number on aarch64 (None if it does not exist)
    "socket": (41, 198),
    "connect": (42, 203),
    "accept": (43, 202),
    "accept4": (288, 242),
    "bind": (49, 200),
    "listen": (50, 201),
    "socketpair": (53, 199),
    "clone": (56, 220),
    "clone3": (435, 435),
    "fork": (57, None),
    "vfork": (58, None),
    "execve": (59, 221),
    "execveat": (322, 281),
    "kill": (62, 129),
    "tkill": (200, 130),
    "tgkill": (234, 131),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438),
    "pidfd_send_signal": (424, 424),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "process_mrelease": (448, 448),
    "kcmp": (312, 272),
    "io_uring_setup": (425, 425),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "open_by_handle_at": (304, 265),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
}
_SIGNALS = frozenset({"kill", "tgkill"})
"""Signal calls that a program may use on its own processes (a shell on its children, abort(3) on itself)."""
_PROGRAM_NEEDS = frozenset({"clone", "clone3", "fork", "vfork", "execve", "execveat"}) | _SIGNALS
_SOCKETS = ("/tmp",)  # noqa: S108 - where LibreOffice puts them
_LOCAL_SOCKETS = frozenset({"socket", "connect", "accept", "accept4", "bind", "listen", "socketpair"})
_LOAD, _JUMP_EQUAL, _JUMP_AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_ALLOW, _DENY, _KILL = 0x7FFF0000, 0x00050000 | 1, 0x80000000  # 1 = EPERM


def contain(address_space: int) -> list[str]:
    """Give up everything; returns the names of the measures in force."""
    _limit(resource.RLIMIT_CORE, 0)
    held = ["memory limit"] if _limit(resource.RLIMIT_AS, address_space) else []
    if _limit(resource.RLIMIT_FSIZE, 0):
        held.append("no file output")
    if sys.platform == "linux":
        held += [name for name, step in _LINUX_STEPS if step()]
    return held


def contain_program(address_space: int, output: int, folder: Path, *, sockets: bool) -> list[str]:
    """Give up what a program executed next does not need; returns the measures in force. It may read the
    system's own files and write files of at most `output` bytes in `folder`; `sockets`: it needs them between
    its own processes, and puts them under /tmp."""
    _limit(resource.RLIMIT_CORE, 0)
    held = ["memory limit"] if _limit(resource.RLIMIT_AS, address_space) else []
    if _limit(resource.RLIMIT_FSIZE, output):
        held.append("limited file output")
    if sys.platform != "linux":
        return held
    needed = _PROGRAM_NEEDS | _LOCAL_SOCKETS if sockets else _PROGRAM_NEEDS
    steps = (
        ("no new privileges", _no_new_privileges),
        ("network namespace", _network_namespace),
        ("own folder only", lambda: _files(_SYSTEM, (str(folder), "/dev/null"), _SOCKETS if sockets else ())),
        ("seccomp", lambda: _seccomp(needed)),
    )
    return held + [name for name, step in steps if step()]


def limit_cpu(seconds: float) -> None:
    """Let this process use `seconds` more of CPU time; the kernel then kills it (SIGXCPU)."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    soft = int(used.ru_utime + used.ru_stime + seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (soft, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def _limit(what: int, value: int) -> bool:
    try:
        resource.setrlimit(what, (value, value))
    except (ValueError, OSError):
        return False
    return True


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _no_new_privileges() -> bool:
    libc = _libc()
    libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
    return bool(libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)


def _network_namespace() -> bool:
    libc = _libc()
    return any(libc.unshare(flags) == 0 for flags in (_CLONE_NEWNET, _CLONE_NEWNET | _CLONE_NEWUSER))


def _no_files() -> bool:
    """Give up opening anything in the file system."""
    return _files()


def _files(readable: Sequence[str] = (), writable: Sequence[str] = (), sockets: Sequence[str] = ()) -> bool:
    """Landlock: only files under these paths can still be opened; `sockets` are created under others."""
    libc = _libc()
    ruleset = _ruleset(libc)
    if ruleset < 0:
        return False
    rules = ((readable, _LANDLOCK_READ), (writable, _LANDLOCK_ACCESS_FS), (sockets, _LANDLOCK_MAKE_SOCKET))
    for paths, rights in rules:
        for path in filter(os.path.exists, paths):
            _allow(libc, ruleset, path, rights)
    restricted = libc.syscall(_LANDLOCK_RESTRICT_SELF, ruleset, 0) == 0
    os.close(ruleset)
    return bool(restricted)


def _ruleset(libc: ctypes.CDLL) -> int:
    """A new ruleset, without the limit on signals if the kernel does not support it; negative on failure."""
    scoped = struct.pack("=QQQ", _LANDLOCK_ACCESS_FS, 0, _LANDLOCK_SCOPE_SIGNAL)
    for attributes in (scoped, struct.pack("=Q", _LANDLOCK_ACCESS_FS)):
        ruleset = int(libc.syscall(_LANDLOCK_CREATE_RULESET, attributes, len(attributes), 0))
        if ruleset >= 0:
            break
    return ruleset


def _allow(libc: ctypes.CDLL, ruleset: int, path: str, rights: int) -> None:
    """Add a rule for `path`; a file has no rights of directories (bits 3 and 5 on)."""
    if not Path(path).is_dir():
        rights &= 0b111
    descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    rule = struct.pack("=Qi", rights, descriptor)
    libc.syscall(_LANDLOCK_ADD_RULE, ruleset, _LANDLOCK_PATH_BENEATH, rule, 0)
    os.close(descriptor)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def _seccomp(needed: frozenset[str] = frozenset()) -> bool:
    """Deny sockets, new processes and access to other processes, except for the calls `needed`; open sockets
    keep working. Allowed signals cannot reach the parent, its group, or all processes."""
    machine = platform.machine()
    if machine not in _ARCHITECTURES:
        return False
    column = list(_ARCHITECTURES).index(machine)
    denied = [numbers[column] for name, numbers in _DENIED.items() if name not in needed]
    signals = [_DENIED[name][column] for name in sorted(_SIGNALS & needed)]
    code = _filter(
        _ARCHITECTURES[machine],
        [number for number in denied if number is not None],
        [number for number in signals if number is not None],
        _untouchable(),
    )
    program = _Program(len(code) // 8, code)
    if _libc().prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0) != 0:
        return False
    if "socket" in needed:
        return True
    with contextlib.suppress(OSError):
        socket.socket().close()
        return False
    return True


def _untouchable() -> list[int]:
    """Forbidden first arguments of a signal: the parent, its group, the first process, all processes
    (kill(2)), as the unsigned numbers a filter sees."""
    parent = os.getppid()
    numbers = {parent, -parent, 1, -1}
    with contextlib.suppress(OSError):
        group = os.getpgid(parent)
        if group != os.getpgrp():
            numbers.add(-group)
    return sorted(number & 0xFFFFFFFF for number in numbers if number)


def _filter(architecture: int, denied: list[int], guarded: list[int], untouchable: list[int]) -> bytes:
    """The filter as classic BPF: another architecture kills; calls of the x32 table and `denied` ones get
    EPERM, and so does a `guarded` one whose first argument is in `untouchable`."""
    step = struct.Struct("=HBBI")
    rules = [
        step.pack(_LOAD, 0, 0, 4),
        step.pack(_JUMP_EQUAL, 1, 0, architecture),
        step.pack(_RETURN, 0, 0, _KILL),
        step.pack(_LOAD, 0, 0, 0),
        step.pack(_JUMP_AT_LEAST, 0, 1, 0x40000000),
        step.pack(_RETURN, 0, 0, _DENY),
    ]
    for number in denied:
        rules += [step.pack(_JUMP_EQUAL, 0, 1, number), step.pack(_RETURN, 0, 0, _DENY)]
    for number in guarded:
        rules.append(step.pack(_JUMP_EQUAL, 0, 2 * len(untouchable) + 2, number))
        rules.append(step.pack(_LOAD, 0, 0, 16))  # the low half of the first argument
        for value in untouchable:
            rules += [step.pack(_JUMP_EQUAL, 0, 1, value), step.pack(_RETURN, 0, 0, _DENY)]
        rules.append(step.pack(_RETURN, 0, 0, _ALLOW))
    return b"".join((*rules, step.pack(_RETURN, 0, 0, _ALLOW)))


_LINUX_STEPS = (
    ("no new privileges", _no_new_privileges),
    ("network namespace", _network_namespace),
    ("no file access", _no_files),
    ("seccomp", _seccomp),
)
