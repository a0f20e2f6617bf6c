"""Checks the licence of every dependency against the lists in deny.toml.

`cargo deny check` does the same and more, but takes minutes to build; this runs everywhere in a second.
"""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def satisfied(expression: str, allowed: set[str]) -> bool:
    """Whether an SPDX expression can be met with allowed licences: AND binds tighter than OR, `/` is an old OR."""
    tokens = re.findall(r"[()]|[\w.+-]+(?: WITH [\w.+-]+)?", expression.replace("/", " OR "))

    def either() -> bool:
        result = both()
        while tokens and tokens[0] == "OR":
            tokens.pop(0)
            result = both() or result
        return result

    def both() -> bool:
        result = one()
        while tokens and tokens[0] == "AND":
            tokens.pop(0)
            result = one() and result
        return result

    def one() -> bool:
        token = tokens.pop(0)
        if token != "(":
            return token in allowed
        result = either()
        tokens.pop(0)
        return result

    return either()


def main() -> None:
    rules = tomllib.loads((ROOT / "deny.toml").read_text())["licenses"]
    allowed = set(rules["allow"])
    exceptions = {rule["crate"]: set(rule["allow"]) for rule in rules["exceptions"]}
    command = ["cargo", "metadata", "--format-version", "1", "--all-features", "--locked"]
    packages = json.loads(subprocess.check_output(command, cwd=ROOT))["packages"]
    refused = [
        f"{package['name']} {package['version']}: {package['license']}"
        for package in packages
        if not satisfied(package["license"] or "none", allowed | exceptions.get(package["name"], set()))
    ]
    if refused:
        sys.exit("licences that deny.toml does not allow:\n" + "\n".join(refused))
    print(f"{len(packages)} packages, all allowed")


main()
