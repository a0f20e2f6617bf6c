"""Holds the system calls of an arm64 program against what Android lets its apps make, release by release.

Usage: syscalls.py FIRST_RELEASE TRACE...    traces as `qemu-aarch64-static -strace -D TRACE` writes them

A call that some release from the first one on does not allow would end the server there (SIGSYS) when it runs as the child
of an app. A server that runs as the shell user has no such filter.
"""

import re
import sys
from pathlib import Path

from android import allowed, releases

# Threads write at the same time, so a call may begin anywhere in a line. A number instead of a name is a call that qemu
# does not know; the kernel and the filter might.
CALL = re.compile(r"\b\d+ (?:([a-z][a-z0-9_]*)\(|Unknown syscall (\d+))")
# Fewer different calls than any server makes: the trace is of something else.
FEWEST = 20


def made(trace: str) -> set[str]:
    """The names of the calls in a trace."""
    return {name or f"number {number}" for name, number in CALL.findall(trace)}


def main(first: str, *traces: str) -> None:
    calls = set().union(*(made(Path(trace).read_text(errors="replace")) for trace in traces))
    assert len(calls) >= FEWEST, f"only {sorted(calls)} in {traces}"
    order = releases()
    refused = {release: sorted(calls - allowed("arm64", release)) for release in order[order.index(first) :]}
    for release, names in refused.items():
        print(f"{'FAILED' if names else 'ok'} Android {release}: {len(calls)} calls, {', '.join(names) or 'all'} "
              f"{'not ' if names else ''}allowed")
    if any(refused.values()):
        sys.exit("Android would end the server at the first of these calls")


if __name__ == "__main__":
    main(*sys.argv[1:])
