"""Android's lists of the system calls that an app may make, from android-syscalls.txt."""

from pathlib import Path

LISTS = Path(__file__).with_name("android-syscalls.txt")


def releases() -> list[str]:
    """The releases of the lists, the oldest first."""
    return next(line.split()[1:] for line in lines() if line.startswith("releases "))


def always_allowed(architecture: str, first: str) -> set[str]:
    """The calls that an app may make on every release from the first one on."""
    order = releases()
    return set.intersection(*(allowed(architecture, release) for release in order[order.index(first) :]))


def allowed(architecture: str, release: str) -> set[str]:
    """The calls that an app may make on that release, on arm64 or x86_64."""
    order = releases()
    at, calls = order.index(release), set()
    for line in lines():
        kind, *rest = line.split()
        if kind in ("both", architecture):
            first, last, *names = rest
            if order.index(first) <= at <= order.index(last):
                calls.update(names)
    return calls


def lines() -> list[str]:
    return [line for line in LISTS.read_text().splitlines() if line and not line.startswith("#")]
