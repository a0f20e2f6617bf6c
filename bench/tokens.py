"""Counts the tokens of screens; see bench/tokens.sh.

Usage: tokens.py ADB SERIAL FINGERTIP NODE PEERS [DUMP...]
"""

import html
import json
import re
import subprocess
import sys
from pathlib import Path

from served import Server
from tokenizer import count

SCREENS = {
    "home": None,
    "settings": "com.android.settings/.Settings",
    "calculator": "com.android.calculator2/.Calculator",
    "contacts": "com.android.contacts/.activities.PeopleActivity",
    "clock": "com.android.deskclock/.DeskClock",
    "notes": "com.fingertip.demo.notes/.NotesActivity",
    "gallery": "com.fingertip.demo.gallery/.GalleryActivity",
}


# Where a recorded dump lies on the phone, for its `uiautomator` to give.
RECORDED = "/data/local/tmp/recorded.xml"


def folded(text: str) -> str:
    """As far as it is compared: the lean lines cut long texts and quote with one mark."""
    return " ".join(text.split()).replace('"', "'")


def main(adb: str, serial: str, fingertip: str, node: str, peers: str, *dumps: str) -> None:
    # What was recorded is read by `uiautomator`, as mobile-mcp reads it.
    driver = ("--driver", "shell") if dumps else ()
    ours = Server(fingertip, "stdio", "--target", f"android:{serial}", *driver)
    peer = Server(node, f"{peers}/node_modules/@mobilenext/mobile-mcp/lib/index.js", "--stdio")

    def shell(*words: str) -> None:
        subprocess.run([adb, "-s", serial, "shell", *words], check=True, capture_output=True)

    def show(component: str | None) -> None:
        ours.call("press_home")
        if component:
            shell("am", "start", "-n", component)
        ours.call("wait_for_idle", timeout=5000)

    def show_recorded(dump: str) -> None:
        subprocess.run([adb, "-s", serial, "push", dump, RECORDED], check=True, capture_output=True)
        shell("fingertip-sim", "fault", "recorded", RECORDED)

    def text(server: Server, tool: str, **arguments: object) -> str:
        return server.call(tool, **arguments)["content"][0]["text"]

    screens = {name: (show, component) for name, component in SCREENS.items()}
    if dumps:
        screens = {Path(dump).stem: (show_recorded, dump) for dump in dumps}
    rows, lacking = [], []
    for name, (bring, what) in screens.items():
        bring(what)
        table, lean = text(ours, "get_screen_state"), text(ours, "get_screen_state", format="lean")
        theirs = text(peer, "mobile_list_elements_on_screen", device=serial)
        if len(theirs.splitlines()) < 2:
            print(f"{name}: left out, mobile-mcp sees no element on it")
            continue
        rows.append((name, *count([table, lean, theirs], node, peers)))
        words = {html.unescape(json.loads(word)) for word in re.findall(r'\b(?:text|label|value)=("(?:[^"\\]|\\.)*")', theirs)}
        shown = folded(lean)
        lacking += [(name, word) for word in words if word and folded(word)[:90] not in shown]
    print("| screen | table | lean | mobile-mcp 1.0.4 | lean / mobile-mcp |\n|---|---|---|---|---|")
    rows.append(("all", *(sum(row[column] for row in rows) for column in (1, 2, 3))))
    for name, table, lean, theirs in rows:
        print(f"| {name} | {table} | {lean} | {theirs} | {lean / theirs:.2f} |")
    if not dumps:
        count_lists(ours, peer, Server(fingertip, "stdio", "--target", f"android:{serial}", "--tools", "core"), node, peers)
    ours.end()
    peer.end()
    if lacking:
        sys.exit(f"not in the lean lines: {lacking}")


def count_lists(ours: Server, peer: Server, core: Server, node: str, peers: str) -> None:
    lists = [server.request("tools/list", {})["result"]["tools"] for server in (ours, core, peer)]
    texts = [json.dumps(tools, separators=(",", ":"), ensure_ascii=False) for tools in lists]
    print("list of tools: {} tokens, with --tools core {}, of mobile-mcp {}".format(*count(texts, node, peers)))
    core.end()


main(*sys.argv[1:])
