"""Runs the tests of the macOS backend over the simulated Mac with the official bindings in the place of our mirror of them.

Usage: official.py [--server [GROUP...]]    --server: the whole server too, by run.sh (all groups by default)

The official crates ask for Apple's frameworks to be linked, and one of them for a type that `libc` has on Macs alone, so they
do not compile on Linux. That is changed in copies of them, made from Cargo's own downloads; the rest of them is as published. The
copy of our sources chooses them as it would on a Mac and has no mirror to fall back to. All of it lies in target/official;
nothing of it is kept anywhere else.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "target/official"
COPY = FOLDER / "sources"
BACKEND = COPY / "crates/fingertip-macos"
# What is changed in each official crate: a pattern, what stands for it, and how often it is there at least.
GUARDED_LINK = (r"#\[link\((name = \"\w+\", kind = \"framework\")\)\]", r'#[cfg_attr(target_vendor = "apple", link(\1))]', 1)
CHANGES = {
    "objc2-application-services": [GUARDED_LINK],
    # An int, or an unsigned one on Intel; none of the functions with it is called.
    "objc2-core-graphics": [GUARDED_LINK, (r"\blibc::boolean_t\b", "core::ffi::c_int", 1)],
}


def replace(file: Path, changes: list[tuple[str, str, int]]) -> list[int]:
    """Changes a file, and says how often each pattern was there. Its time stays, so that only what differs is built again."""
    text, times, counts = file.read_text(), file.stat(), []
    for pattern, by, _ in changes:
        text, count = re.subn(pattern, by, text)
        counts.append(count)
    if any(counts):
        file.write_text(text)
        os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
    return counts


def patched_crates() -> dict[str, Path]:
    """Copies of the official crates that compile here."""
    command = ["cargo", "metadata", "--locked", "--format-version", "1"]
    listed = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout)["packages"]
    crates = {}
    for name, changes in CHANGES.items():
        [package] = [package for package in listed if package["name"] == name]
        crates[name] = copy = FOLDER / f"{name}-{package['version']}"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(Path(package["manifest_path"]).parent, copy)
        counts = [replace(file, changes) for file in sorted((copy / "src").rglob("*.rs"))]
        for (pattern, _, least), count in zip(changes, map(sum, zip(*counts, strict=True)), strict=True):
            if count < least:
                sys.exit(f"{name} has {pattern} {count} times, and {least} at least were expected")
    return crates


def sources(crates: dict[str, Path]) -> None:
    """Our own sources, as they are in the working tree, with these crates and without the mirror."""
    shutil.rmtree(COPY, ignore_errors=True)
    COPY.mkdir(parents=True)
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout
    tar = subprocess.run(["tar", "--create", "--null", "--files-from=-"], cwd=ROOT, input=names, check=True, capture_output=True)
    subprocess.run(["tar", "--extract"], cwd=COPY, input=tar.stdout, check=True)
    (COPY / "tests/.venv").symlink_to(ROOT / "tests/.venv")

    bindings, services = BACKEND / "src/bindings.rs", r'#\[cfg\(target_os = "macos"\)\]\npub\(crate\) mod (ax|cg)'
    no_mirror = r'#\[cfg\(not\(target_os = "macos"\)\)\]\n(pub\(crate\) use mirror::\{ax, cg\}|mod mirror);\n'
    if replace(bindings, [(services, r"pub(crate) mod \1", 2), (no_mirror, "", 2)]) != [2, 2]:
        sys.exit(f"{bindings} does not choose the bindings in the way that official.py knows")
    (BACKEND / "src/bindings/mirror.rs").unlink()
    shutil.rmtree(BACKEND / "src/bindings/mirror")
    used = "".join(f"{name}.workspace = true\n" for name in crates)
    if replace(BACKEND / "Cargo.toml", [(r"\n\[dependencies\]\n", "\n[dependencies]\n" + used, 1)]) != [1]:
        sys.exit("crates/fingertip-macos/Cargo.toml has no dependencies to add to")
    patches = "".join(f'{name} = {{ path = "{path}" }}\n' for name, path in crates.items())
    manifest = COPY / "Cargo.toml"
    replace(manifest, [(r"\Z", f"\n[patch.crates-io]\n{patches}", 1)])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--server", nargs="*", metavar="GROUP")
    arguments = parser.parse_args()
    crates = patched_crates()
    sources(crates)
    environment = {**os.environ, "CARGO_TARGET_DIR": str(FOLDER / "build")}
    command = ["cargo", "test", "--offline", "--package", "fingertip-macos", "--lib", "--tests"]
    subprocess.run(command, cwd=COPY, env=environment, check=True)
    if arguments.server is not None:
        subprocess.run(["tests/macos/run.sh", *arguments.server], cwd=COPY, env=environment, check=True)
    print("ok over", *(path.name for path in crates.values()))


if __name__ == "__main__":
    main()
