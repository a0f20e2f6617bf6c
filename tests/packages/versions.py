"""One version everywhere: in the name and inside of every package, in the plugin; and what names an archive names one that is there.

Usage: versions.py FOLDER VERSION
"""

import hashlib
import json
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
# In the name of everything but these.
WITHOUT = {"SHA256SUMS", "server.json", "fingertip.rb", "Containerfile"}


def inside(path: Path) -> set[str]:
    """The versions that a package tells of itself and of those that belong to it."""
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as archive:
            name = next(name for name in archive.namelist() if name.endswith("/METADATA"))
            return set(re.findall(r"^Version: (.*)$", archive.read(name).decode(), re.MULTILINE))
    if path.suffix == ".mcpb":
        with zipfile.ZipFile(path) as archive:
            return {json.loads(archive.read("manifest.json"))["version"]}
    if path.suffix == ".tgz":
        with tarfile.open(path) as archive:
            manifest = json.load(archive.extractfile("package/package.json"))
            return {manifest["version"], *manifest.get("optionalDependencies", {}).values()}
    if path.suffix == ".deb":
        return {subprocess.check_output(["dpkg-deb", "--field", path, "Version"], text=True).strip()}
    if path.name == "server.json":
        entry = json.loads(path.read_text())
        return {entry["version"], *(package["version"] for package in entry["packages"])}
    if path.name.endswith(".cdx.json"):
        return {json.loads(path.read_text())["metadata"]["component"]["version"]}
    if path.name == "fingertip.rb":
        return set(re.findall(r'^  version "(.*)"$', path.read_text(), re.MULTILINE))
    if path.name == "Containerfile":
        content = path.read_text()
        return {*re.findall(r"fingertip_(.*)_\$", content), *re.findall(r'image.version="(.*?)"', content)}
    return set()


def plugin() -> set[str]:
    """The versions of the plugin for Claude Code, and of the list that names it."""
    listed = json.loads((ROOT / ".claude-plugin/marketplace.json").read_text())["plugins"]
    folders = [ROOT / entry["source"] for entry in listed]
    assert all((folder / "skills/fingertip/SKILL.md").is_file() for folder in folders), folders
    told = [json.loads((folder / ".claude-plugin/plugin.json").read_text()) for folder in folders]
    return {entry["version"] for entry in [*listed, *told]}


def formula(folder: Path) -> int:
    """How many archives the formula names; each is there with the checksum that it says."""
    sources = re.findall(r'url ".*/(.*)"\n *sha256 "(.*)"', (folder / "fingertip.rb").read_text())
    for name, checksum in sources:
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == checksum, name
    return len(sources)


def binstall(folder: Path, version: str) -> int:
    """How many archives `cargo binstall` would find, each with the program where it is told to look."""
    package = tomllib.loads((ROOT / "crates/fingertip/Cargo.toml").read_text())["package"]["metadata"]["binstall"]
    targets = {"x86_64-unknown-linux-gnu": package, "aarch64-unknown-linux-gnu": package, **package["overrides"]}
    found = 0
    for target, entry in targets.items():
        values = {"version": version, "target-arch": target.split("-")[0], "bin": "fingertip"}
        fill = lambda template: re.sub(r"{ (.*?) }", lambda name: values[name[1]], template)
        archive = folder / fill(entry["pkg-url"]).rsplit("/", 1)[1]
        if archive.exists():
            with tarfile.open(archive) as content:
                assert content.getmember(fill(entry["bin-dir"])).mode & 0o111, target
            found += 1
    return found


def main(folder: str, version: str) -> None:
    looked = 0
    for path in sorted(Path(folder).iterdir()):
        assert path.name in WITHOUT or version in path.name, path.name
        told = inside(path)
        assert told <= {version}, f"{path.name} says {told}, Cargo.toml {version}"
        looked += bool(told)
    assert looked >= 8, f"only {looked} packages tell a version"
    assert plugin() == {version}, f"the plugin says {plugin()}, Cargo.toml {version}"
    readme = set(re.findall(r"fingertip[\w-]*?[-_](\d+\.\d+\.\d+)", (ROOT / "README.md").read_text()))
    assert readme == {version}, f"README.md names {readme}, Cargo.toml {version}"
    archives = len(list(Path(folder).glob("*.tar.gz")))
    assert formula(Path(folder)) == archives and binstall(Path(folder), version) == archives, archives
    print(f"ok one version, {version}, in {looked} packages")


main(*sys.argv[1:])
