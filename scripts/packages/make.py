#!/usr/bin/env python3
"""Makes every package from the binaries in dist/ into dist/packages/, and the list of their checksums.

    make.py                  called by scripts/package, which builds the binaries first
    make.py BINARY FOLDER    those for this machine alone, of this program, into a folder: to try the packages quickly
"""

import hashlib
import sys
from pathlib import Path

import deb
import mcp
import npm
import pages
import recipes
import sbom
import wheel
from common import DIST, PLATFORMS, VERSION, File, Platform, documents, tar_gz


def binaries(given: Path | None) -> dict[Platform, bytes]:
    """The programs by the platforms they are for."""
    if given is not None:
        return {platform: given.read_bytes() for platform in PLATFORMS if pages.runs_here(platform)}
    built = {platform: platform.binary() for platform in PLATFORMS}
    for platform in (platform for platform, binary in built.items() if binary is None):
        print(f"not built for {platform.name}: no package for it", file=sys.stderr)
    return {platform: binary for platform, binary in built.items() if binary is not None}


def main(given: Path | None, folder: Path) -> None:
    made: dict[str, bytes] = {}
    bundles: dict[str, bytes] = {}
    archives: dict[str, tuple[str, bytes]] = {}

    def add(package: tuple[str, bytes], to: dict[str, bytes] = made) -> None:
        name, content = package
        to[name] = content
        # Compressing takes its time: whoever waits sees how far it is.
        print(f"{folder / name}: {len(content)} bytes", flush=True)

    built = binaries(given)
    running = next((binary for platform, binary in built.items() if pages.runs_here(platform)), None)
    if running is None:
        sys.exit("no binary for this machine in dist/, whose program prints the manual pages: run scripts/package-static --full")
    printed = pages.of(running)
    add(npm.launcher())
    for platform, binary in built.items():
        inside = f"fingertip-{VERSION}-{platform.name}"
        content = [File(f"{inside}/fingertip", binary, executable=True), *documents(f"{inside}/"), *printed.beside(f"{inside}/")]
        archives[platform.name] = f"{inside}.tar.gz", tar_gz(content)
        add(archives[platform.name])
        add(wheel.wheel(platform, binary))
        add(npm.platform_package(platform, binary))
        add(mcp.bundle(platform, binary), bundles)
        if platform.debian:
            add(deb.deb(platform, binary, printed))
    made |= bundles
    add(mcp.server_json(bundles))
    add(recipes.formula(archives))
    add(recipes.container())
    add(sbom.sbom())
    made["SHA256SUMS"] = "".join(f"{hashlib.sha256(made[name]).hexdigest()}  {name}\n" for name in sorted(made)).encode()
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    for name, content in made.items():
        (folder / name).write_bytes(content)


if __name__ == "__main__":
    match sys.argv[1:]:
        case []:
            main(None, DIST / "packages")
        case [binary, folder]:
            main(Path(binary), Path(folder))
        case _:
            sys.exit(__doc__)
