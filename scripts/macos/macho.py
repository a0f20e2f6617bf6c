#!/usr/bin/env python3
"""Holds a Mach-O executable made on Linux against what a Mac's loader will ask of it.

Usage: macho.py (arm64 | x86_64) LEAST_MACOS LIBSYSTEM_TBD EXECUTABLE

- It is an executable of that architecture for that macOS, position independent, with the linker's ad-hoc signature, whose
  hashes are those of its pages: an arm64 Mac runs nothing else.
- Every name it wants from another library is in symbols.txt, under that library, or in the list of libSystem.
- What Apple has taken out of macOS is not among them.
"""

import hashlib
import re
import struct
import sys
from pathlib import Path

import stubs

MAGIC, EXECUTABLE, MACOS = 0xFEEDFACF, 2, 1
ARCHITECTURES = {"arm64": 0x0100000C, "x86_64": 0x01000007}
POSITION_INDEPENDENT, TWO_LEVEL = 0x200000, 0x80
SYMTAB, CODE_SIGNATURE, BUILD_VERSION = 0x2, 0x1D, 0x32
# The ways to ask for a library: at all, if it is there, and to hand it on. Names count through all of them.
LIBRARIES = {0xC, 0x18, 0x1F}
# A symbol that is undefined and external, and not one for debuggers.
DEBUG, KIND, UNDEFINED = 0xE0, 0x0E, 0x0
SUPER_BLOB, CODE_DIRECTORY, AD_HOC = 0xFADE0CC0, 0xFADE0C02, 0x2
LIBSYSTEM = "/usr/lib/libSystem.B.dylib"
# Gone from the SDK of macOS 15: a program that wants it would not start on a later macOS without it.
REMOVED = {"CGWindowListCreateImage", "CGWindowListCreateImageFromArray", "CGDisplayCreateImage"}


class Executable:
    """The parts of the file that are checked."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        magic, self.processor, _, self.kind, count, _, self.flags, _ = struct.unpack_from("<8I", data)
        assert magic == MAGIC, f"no 64-bit Mach-O: {magic:#x}"
        self.libraries: list[str] = []
        self.least = self.symbols = self.signature = None
        offset = 32
        for _ in range(count):
            command, size = struct.unpack_from("<2I", data, offset)
            if command & 0x7FFFFFFF in LIBRARIES:
                (start,) = struct.unpack_from("<I", data, offset + 8)
                self.libraries.append(data[offset + start : offset + size].split(b"\0")[0].decode())
            elif command == SYMTAB:
                self.symbols = struct.unpack_from("<4I", data, offset + 8)
            elif command == CODE_SIGNATURE:
                self.signature = struct.unpack_from("<2I", data, offset + 8)
            elif command == BUILD_VERSION:
                platform, version = struct.unpack_from("<2I", data, offset + 8)
                assert platform == MACOS, f"made for platform {platform}"
                self.least = f"{version >> 16}.{version >> 8 & 0xFF}"
            offset += size

    def undefined(self) -> list[tuple[str, str]]:
        """The library and the name of everything that the loader must find."""
        at, count, strings, _ = self.symbols
        wanted = []
        for index in range(count):
            name_at, kind, _, description, _ = struct.unpack_from("<IBBHQ", self.data, at + 16 * index)
            if kind & DEBUG or kind & KIND != UNDEFINED:
                continue
            name = self.data[strings + name_at : self.data.index(b"\0", strings + name_at)].decode()
            ordinal = description >> 8
            assert 1 <= ordinal <= len(self.libraries), f"{name} is bound to no library ({ordinal})"
            wanted.append((self.libraries[ordinal - 1], name.removeprefix("_")))
        return wanted

    def check_signature(self) -> None:
        """The signature is an ad-hoc one over the pages of this very file."""
        assert self.signature, "not signed"
        at, size = self.signature
        blob = self.data[at : at + size]
        magic, _, count = struct.unpack_from(">3I", blob)
        assert magic == SUPER_BLOB, f"no signature: {magic:#x}"
        starts = [struct.unpack_from(">2I", blob, 12 + 8 * index)[1] for index in range(count)]
        start = next(start for start in starts if struct.unpack_from(">I", blob, start)[0] == CODE_DIRECTORY)
        directory = blob[start:]
        _, _, _, flags, hashes, _, _, pages, limit, width, _, _, page = struct.unpack_from(">9I4B", directory)
        assert flags & AD_HOC, f"flags {flags:#x}"
        length = 1 << page
        assert pages == -(-limit // length), (pages, limit)
        for index in range(pages):
            content = self.data[index * length : min((index + 1) * length, limit)]
            kept = directory[hashes + index * width : hashes + (index + 1) * width]
            assert hashlib.sha256(content).digest() == kept, f"page {index} is not the one that was signed"


def of_libsystem(path: str) -> set[str]:
    """The names in zig's list, of libSystem and of what it hands on."""
    return {name.removeprefix("_") for name in re.findall(r"[\w$.]+", Path(path).read_text())}


def main(architecture: str, least: str, libsystem: str, path: str) -> None:
    file = Executable(Path(path).read_bytes())
    assert file.kind == EXECUTABLE and file.processor == ARCHITECTURES[architecture], (file.kind, hex(file.processor))
    assert file.flags & POSITION_INDEPENDENT and file.flags & TWO_LEVEL, hex(file.flags)
    assert file.least == least, f"asks for macOS {file.least}, not {least}"
    # Macs of arm64 start nothing without a signature; those of x86_64 do, and the linker makes none for them.
    signed = architecture == "arm64" or file.signature is not None
    if signed:
        file.check_signature()
    listed = {library: set(names) for library, names in stubs.read().items()}
    listed[LIBSYSTEM] = of_libsystem(libsystem)
    wanted = file.undefined()
    unknown = sorted(f"{name} ({library})" for library, name in wanted if name not in listed.get(library, ()))
    assert not unknown, f"in no list: {', '.join(unknown)}"
    removed = sorted(REMOVED.intersection(name for _, name in wanted))
    assert not removed, f"taken out of macOS: {', '.join(removed)}"
    ours = sum(library != LIBSYSTEM for library, _ in wanted)
    signature = "ad-hoc signature over its pages" if signed else "not signed"
    print(f"ok {path}: {architecture}, macOS {least}, {signature}, {len(wanted)} names found "
          f"({ours} beyond libSystem) in {len(file.libraries)} libraries")


if __name__ == "__main__":
    main(*sys.argv[1:])
