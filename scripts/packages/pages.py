"""Manual pages and shell completions, which the program itself prints."""

import gzip
import platform as machine
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from common import File, Platform

# What a shell calls the file, by the shell's name here.
COMPLETIONS = {"bash": "fingertip", "zsh": "_fingertip", "fish": "fingertip.fish"}
# Seconds a page may take.
LIMIT = 30


@dataclass(frozen=True)
class Pages:
    """The pages, uncompressed, by their names."""

    manual: dict[str, bytes]
    completions: dict[str, bytes]

    def beside(self, folder: str) -> list[File]:
        """As they lie in an archive."""
        manual = [File(f"{folder}man/{name}", content) for name, content in self.manual.items()]
        return manual + [File(f"{folder}completions/{COMPLETIONS[shell]}", content) for shell, content in self.completions.items()]

    def debian(self) -> list[File]:
        """As Debian wants them."""
        folders = {
            "bash": "./usr/share/bash-completion/completions",
            "zsh": "./usr/share/zsh/vendor-completions",
            "fish": "./usr/share/fish/vendor_completions.d",
        }
        manual = [File(f"./usr/share/man/man1/{name}.gz", gzip.compress(content, mtime=0)) for name, content in self.manual.items()]
        return manual + [File(f"{folders[shell]}/{COMPLETIONS[shell]}", content) for shell, content in self.completions.items()]


def runs_here(platform: Platform) -> bool:
    """Whether this machine runs programs of the platform."""
    system = {"Linux": "linux", "Darwin": "macos"}.get(machine.system())
    architecture = {"arm64": "aarch64"}.get(machine.machine(), machine.machine())
    return (platform.system, platform.architecture) == (system, architecture)


def of(binary: bytes) -> Pages:
    """What this program, which must run here, prints."""
    with tempfile.TemporaryDirectory() as folder:
        program, manual = Path(folder, "fingertip"), Path(folder, "man")
        program.write_bytes(binary)
        program.chmod(0o755)
        subprocess.run([program, "man", manual], check=True, timeout=LIMIT)
        printed = {
            shell: subprocess.run([program, "completions", shell], check=True, timeout=LIMIT, stdout=subprocess.PIPE).stdout
            for shell in COMPLETIONS
        }
        return Pages({page.name: page.read_bytes() for page in sorted(manual.iterdir())}, printed)
