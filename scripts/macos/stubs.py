#!/usr/bin/env python3
"""Writes stubs of Apple's frameworks (.tbd files) to link against, from the names in symbols.txt.

Usage: stubs.py FOLDER    makes FOLDER/Frameworks and FOLDER/lib

A stub says which file the loader will look for and which names it has. Those of Apple's SDK may not be used on other
machines; these hold nothing but the names that we use. A name that symbols.txt does not list does not link.
"""

import sys
from pathlib import Path

SYMBOLS = Path(__file__).with_name("symbols.txt")
TARGETS = "[ arm64-macos, x86_64-macos ]"


def read() -> dict[str, list[str]]:
    """Names by the library that has them; a library is a path of the system."""
    libraries: dict[str, list[str]] = {}
    for line in SYMBOLS.read_text().splitlines():
        if line.startswith("/"):
            names = libraries.setdefault(line, [])
        elif line and not line.startswith("#"):
            names += line.split()
    return libraries


def stub(install_name: str, names: list[str]) -> str:
    symbols = ", ".join(f"_{name}" for name in sorted(names))
    return (
        f"--- !tapi-tbd\ntbd-version: 4\ntargets: {TARGETS}\ninstall-name: '{install_name}'\n"
        f"exports:\n  - targets: {TARGETS}\n    symbols: [ {symbols} ]\n...\n"
    )


def main(folder: str) -> None:
    for install_name, names in read().items():
        name = Path(install_name).name
        if ".framework/" in install_name:
            file = Path(folder, "Frameworks", f"{name}.framework", f"{name}.tbd")
        else:
            file = Path(folder, "lib", name.split(".")[0] + ".tbd")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(stub(install_name, names))


if __name__ == "__main__":
    main(*sys.argv[1:])
