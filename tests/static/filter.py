"""Runs an x86_64 program under the filter that an Android app has, here.

Usage: filter.py FIRST_RELEASE COMMAND ARGUMENT...

The filter lets through what every release from that one on allows on x86_64, and the older calls that musl makes there and that arm64 does not have: what is tried
is the arm64 server, by the one that runs natively. A call that is not on the list ends the program with SIGSYS.
"""

import ctypes
import os
import re
import struct
import sys
from pathlib import Path

from android import always_allowed

NUMBERS = Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h")
# Made by musl on x86_64 alone; on arm64 it makes the newer ones, which the lists have.
ONLY_X86_64 = set("access dup2 epoll_wait getdents lstat mkdir open pipe poll readlink rename rmdir stat unlink".split())

ARCHITECTURE_X86_64 = 0xC000003E
LOAD, EQUAL, RETURN = 0x20, 0x15, 0x06
NUMBER_AT, ARCHITECTURE_AT = 0, 4
ALLOW, TRAP, KILL = 0x7FFF0000, 0x00030000, 0x80000000
PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, MODE_FILTER = 22, 38, 2


def instruction(code: int, value: int, skip_if: int = 0, skip_else: int = 0) -> bytes:
    return struct.pack("HBBI", code, skip_if, skip_else, value)


def program(numbers: list[int]) -> bytes:
    """The filter in the kernel's own language: another architecture is killed, an unlisted call trapped."""
    steps = [
        instruction(LOAD, ARCHITECTURE_AT),
        instruction(EQUAL, ARCHITECTURE_X86_64, 1, 0),
        instruction(RETURN, KILL),
        instruction(LOAD, NUMBER_AT),
    ]
    for number in numbers:
        steps += [instruction(EQUAL, number, 0, 1), instruction(RETURN, ALLOW)]
    return b"".join([*steps, instruction(RETURN, TRAP)])


class Filter(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("steps", ctypes.c_void_p)]


def main(first: str, *command: str) -> None:
    defined = dict(re.findall(r"#define __NR_(\w+) (\d+)", NUMBERS.read_text()))
    names = always_allowed("x86_64", first) | ONLY_X86_64
    steps = program(sorted(int(defined[name]) for name in names if name in defined))
    buffer = ctypes.create_string_buffer(steps, len(steps))
    libc = ctypes.CDLL(None, use_errno=True)
    # All is made ready before the filter holds, since it holds for Python too.
    arguments = (ctypes.c_char_p * (len(command) + 1))(*map(os.fsencode, command), None)
    environment = [os.fsencode(f"{key}={value}") for key, value in os.environ.items()]
    variables = (ctypes.c_char_p * (len(environment) + 1))(*environment, None)
    path = os.fsencode(command[0])
    filter = Filter(len(steps) // 8, ctypes.addressof(buffer))
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or libc.prctl(PR_SET_SECCOMP, MODE_FILTER, ctypes.byref(filter), 0, 0):
        raise OSError(ctypes.get_errno(), "the kernel takes no filter")
    libc.execve(path, arguments, variables)
    os._exit(127)


if __name__ == "__main__":
    main(*sys.argv[1:])
