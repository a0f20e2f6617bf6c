"""The bill of materials: every crate that goes into the program, with version, licence and checksum (CycloneDX 1.6)."""

import json
import subprocess
import tomllib

from common import LICENCE, ROOT, VERSION

# What the product may be made of on the platforms that are packaged.
TARGETS = [
    "x86_64-unknown-linux-musl", "aarch64-unknown-linux-musl", "x86_64-apple-darwin", "aarch64-apple-darwin",
]


def sbom() -> tuple[str, bytes]:
    """Normal dependencies of the program only: what tests and build scripts use is not in it."""
    platforms = [argument for target in TARGETS for argument in ("--filter-platform", target)]
    command = ["cargo", "metadata", "--format-version", "1", "--locked", *platforms]
    metadata = json.loads(subprocess.check_output(command, cwd=ROOT))
    packages = {package["id"]: package for package in metadata["packages"]}
    edges = {node["id"]: node["deps"] for node in metadata["resolve"]["nodes"]}
    checksums = {
        (package["name"], package["version"]): package.get("checksum")
        for package in tomllib.loads((ROOT / "Cargo.lock").read_text())["package"]
    }
    reached, waiting = set(), [key for key, package in packages.items() if package["name"] == "fingertip"]
    while waiting:
        key = waiting.pop()
        if key not in reached:
            reached.add(key)
            waiting += [edge["pkg"] for edge in edges[key] if any(kind["kind"] is None for kind in edge["dep_kinds"])]
    chosen = sorted((packages[key] for key in reached), key=lambda package: (package["name"], package["version"]))
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {"type": "application", "name": "fingertip", "version": VERSION, "licenses": [{"license": {"id": LICENCE}}]}
        },
        "components": [component(package, checksums) for package in chosen if package["source"]],
    }
    return f"fingertip-{VERSION}.cdx.json", (json.dumps(document, indent=1) + "\n").encode()


def component(package: dict, checksums: dict) -> dict:
    name, version = package["name"], package["version"]
    entry = {
        "type": "library",
        "name": name,
        "version": version,
        "purl": f"pkg:cargo/{name}@{version}",
        "licenses": [{"expression": package["license"].replace("/", " OR ")}],
    }
    if checksum := checksums.get((name, version)):
        entry["hashes"] = [{"alg": "SHA-256", "content": checksum}]
    return entry
