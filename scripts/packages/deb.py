"""Debian packages. The program is static, so that they depend on nothing; adb is what a phone needs, and only suggested."""

import gzip
import hashlib
import io

from common import DESCRIPTION, ROOT, VERSION, File, Platform, tar_gz, text
from pages import Pages

# For whoever wants a server that is always there: systemctl --user enable --now fingertip
UNIT = """[Unit]
Description=Fingertip, an MCP server for real user interfaces
Documentation=man:fingertip(1) file:///usr/share/doc/fingertip/README.md.gz

[Service]
ExecStart=/usr/bin/fingertip serve
Restart=on-failure
NoNewPrivileges=yes

[Install]
WantedBy=default.target
"""

NOTES = """Phones over USB
===============

adb must be let to the phone: Debian's package android-sdk-platform-tools-common brings the udev rules for it, and the user
must be in the group plugdev (sudo adduser $USER plugdev, then log in again). `fingertip doctor` says what is missing.

A server that is always there
=============================

    systemctl --user enable --now fingertip
    fingertip token
"""

COPYRIGHT = """Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: fingertip

Files: *
Copyright: the authors of Fingertip and of the crates listed in the SBOM beside this package
License: Apache-2.0
 On Debian systems the full text is in /usr/share/common-licenses/Apache-2.0.
"""


def deb(platform: Platform, binary: bytes, pages: Pages) -> tuple[str, bytes]:
    """The name and the bytes of the package."""
    files = [
        File("./usr/bin/fingertip", binary, executable=True),
        *pages.debian(),
        text("./usr/lib/systemd/user/fingertip.service", UNIT),
        text("./usr/share/doc/fingertip/README.Debian", NOTES),
        text("./usr/share/doc/fingertip/copyright", COPYRIGHT),
        File("./usr/share/doc/fingertip/README.md.gz", gzip.compress((ROOT / "README.md").read_bytes(), mtime=0)),
        File("./usr/share/doc/fingertip/changelog.gz", gzip.compress((ROOT / "CHANGELOG.md").read_bytes(), mtime=0)),
    ]
    size = sum(len(file.content) for file in files) // 1024 + 1
    control = (
        f"Package: fingertip\nVersion: {VERSION}\nArchitecture: {platform.debian}\nMaintainer: The authors of Fingertip <noreply@fingertip.invalid>\n"
        f"Installed-Size: {size}\nSuggests: adb, android-sdk-platform-tools-common\nSection: devel\nPriority: optional\n"
        f"Description: {DESCRIPTION[0].lower()}{DESCRIPTION[1:]}\n"
        " It drives Android phones over adb and Linux desktops through AT-SPI2, and has a demo phone inside.\n"
    )
    sums = "".join(f"{hashlib.md5(file.content).hexdigest()}  {file.path[2:]}\n" for file in sorted(files, key=lambda file: file.path))
    parts = [
        ("debian-binary", b"2.0\n"),
        ("control.tar.gz", tar_gz([text("./control", control), text("./md5sums", sums)], folders=True)),
        ("data.tar.gz", tar_gz(files, folders=True)),
    ]
    return f"fingertip_{VERSION}_{platform.debian}.deb", ar(parts)


def ar(parts: list[tuple[str, bytes]]) -> bytes:
    """The archive format that a .deb is."""
    raw = io.BytesIO(b"!<arch>\n")
    raw.seek(0, io.SEEK_END)
    for name, content in parts:
        raw.write(f"{name:<16}{0:<12}{0:<6}{0:<6}{'100644':<8}{len(content):<10}`\n".encode())
        raw.write(content + b"\n" * (len(content) % 2))
    return raw.getvalue()
