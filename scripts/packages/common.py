"""What all packages are made from: one version, one description, the binaries in dist/, and files with fixed times.

The same inputs give the same bytes: no clock, no user, no order of a file system goes into a package.
"""

import gzip
import io
import tarfile
import tomllib
import zipfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
DIST = ROOT / "dist"

WORKSPACE = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]
VERSION = WORKSPACE["version"]
LICENCE = WORKSPACE["license"]
DESCRIPTION = tomllib.loads((ROOT / "crates/fingertip/Cargo.toml").read_text())["package"]["description"]
# The name in package registries; `fingertip` is somebody else's on PyPI.
REGISTRY_NAME = "fingertip-mcp"
# The name in the MCP registry. It belongs to whoever owns that GitHub account: a fork that publishes has another one.
MCP_NAME = "io.github.fingertip/fingertip"
# Where its releases would be.
REPOSITORY = "https://github.com/" + MCP_NAME.removeprefix("io.github.")
# Everything in an archive has this time, the first that a zip file can tell.
TIME = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True)
class Platform:
    """One kind of machine, by the names that the package formats have for it."""

    system: str
    architecture: str
    debian: str | None
    node: str
    wheel: str

    @property
    def name(self) -> str:
        return f"{self.system}-{self.architecture}"

    def binary(self) -> bytes | None:
        """The program for it, where it was built."""
        if self.system == "linux":
            path = DIST / f"fingertip-linux-{self.architecture}"
            return path.read_bytes() if path.exists() else None
        path = DIST / f"fingertip-macos-{self.architecture}.tar.gz"
        if not path.exists():
            return None
        with tarfile.open(path) as archive:
            return archive.extractfile("Fingertip.app/Contents/MacOS/fingertip").read()


# A static binary runs with either C library, so it may have the tags of both.
PLATFORMS = [
    Platform("linux", "x86_64", "amd64", "linux-x64", "manylinux2014_x86_64.musllinux_1_1_x86_64"),
    Platform("linux", "aarch64", "arm64", "linux-arm64", "manylinux2014_aarch64.musllinux_1_1_aarch64"),
    Platform("macos", "x86_64", None, "darwin-x64", "macosx_13_0_x86_64"),
    Platform("macos", "aarch64", None, "darwin-arm64", "macosx_13_0_arm64"),
]


@dataclass(frozen=True)
class File:
    """One file of a package."""

    path: str
    content: bytes
    executable: bool = False

    @property
    def mode(self) -> int:
        return 0o755 if self.executable else 0o644


def text(path: str, content: str) -> File:
    return File(path, content.encode())


def documents(folder: str = "") -> list[File]:
    """What goes along with the program everywhere."""
    return [File(f"{folder}{name}", (ROOT / name).read_bytes()) for name in ("LICENSE", "README.md")]


def tar_gz(files: list[File], folders: bool = False) -> bytes:
    """An archive of these files, with entries for their folders where a reader wants them."""
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.GNU_FORMAT) as archive:
        made: set[str] = set()
        for file in sorted(files, key=lambda file: file.path):
            parents = [str(parent) for parent in reversed(Path(file.path).parents)] if folders else []
            for parent in parents:
                if parent != "." and parent not in made:
                    made.add(parent)
                    entry = tarfile.TarInfo(parent)
                    entry.type, entry.mode = tarfile.DIRTYPE, 0o755
                    entry.uname = entry.gname = "root"
                    archive.addfile(entry)
            entry = tarfile.TarInfo(file.path)
            entry.size, entry.mode = len(file.content), file.mode
            entry.uname = entry.gname = "root"
            archive.addfile(entry, io.BytesIO(file.content))
    # The highest level takes three times as long for a hundredth less.
    return gzip.compress(raw.getvalue(), 6, mtime=0)


def zip_file(files: list[File]) -> bytes:
    """An archive that keeps whether a file is a program."""
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in files:
            entry = zipfile.ZipInfo(file.path, TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            # Made on Unix: a regular file with this mode.
            entry.create_system, entry.external_attr = 3, (0o100000 | file.mode) << 16
            archive.writestr(entry, file.content)
    return raw.getvalue()
