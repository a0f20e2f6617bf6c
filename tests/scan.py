"""Searches what a whole run has told: replies, audit lines and logs. None may hold the token, a secret or a local path.

Usage: scan.py FOLDER LEAST SECRET...    at least LEAST replies must be there, so that an empty run cannot pass

FOLDER holds `transcript/` (a JSON reply a line), `home/audit.jsonl*` and `*.log` (what servers printed). What a server
tells the person who started it may name local files; what it logs may not.
"""

import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

LOGGED = re.compile(r"^(\x1b\[[0-9;]*m)*\d{4}-\d\d-\d\dT\S+ .*(ERROR|WARN|INFO|DEBUG|TRACE)")
ROOT = Path(__file__).resolve().parent.parent


def local_paths(folder: Path) -> list[str]:
    """Folders of this machine that nobody else needs to know."""
    named = [ROOT, folder, Path.home(), Path(os.environ.get("FINGERTIP_HOME", folder))]
    return sorted({str(path) for path in named if len(path.parts) > 1})


def lines(folder: Path) -> Iterator[tuple[str, str, bool]]:
    """Every line with the file it is in, and whether it may name local files."""
    for path in sorted(folder.glob("transcript/*")) + sorted(folder.glob("home/audit.jsonl*")):
        for line in path.read_text().splitlines():
            yield path.name, line, False
    for path in sorted(folder.glob("*.log")):
        for line in path.read_text(errors="replace").splitlines():
            yield path.name, line, not LOGGED.match(line)


def main(folder: Path, least: int, secrets: list[str]) -> None:
    """Fails at the first leak."""
    secrets.append(os.environ["FINGERTIP_TOKEN"])
    # JSON escapes could hide a text from a search, so escaped forms are searched for as well.
    wanted = {form for secret in secrets for form in (secret, json.dumps(secret)[1:-1])}
    paths, counts = local_paths(folder), {"replies": 0, "audit lines": 0, "log lines": 0}
    for name, line, may_name_files in lines(folder):
        kind = "audit lines" if "audit" in name else "log lines" if name.endswith(".log") else "replies"
        counts[kind] += 1
        for text in wanted | (set() if may_name_files else set(paths)):
            if text in line:
                where = line.index(text)
                hidden = line[max(0, where - 60) : where] + "…" + line[where + len(text) :][:60]
                sys.exit(f"{name}: a {'path' if text in paths else 'secret'} was told: {hidden}")
    if counts["replies"] < least or counts["audit lines"] == 0:
        sys.exit(f"too little to scan: {counts}")
    print("ok nothing told in", ", ".join(f"{count} {kind}" for kind, count in counts.items()))


main(Path(sys.argv[1]).resolve(), int(sys.argv[2]), sys.argv[3:])
