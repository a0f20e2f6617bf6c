"""Counts the tokens of screens; see bench/tokens.sh.

Usage: tokens.py ADB SERIAL FINGERTIP NODE PEERS
"""

import html
import json
import re
import subprocess
import sys

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


def main(adb: str, serial: str, fingertip: str, node: str, peers: str) -> None:
    ours = Server(fingertip, "stdio", "--target", f"android:{serial}")
    peer = Server(node, f"{peers}/node_modules/@mobilenext/mobile-mcp/lib/index.js", "--stdio")

    def text(server: Server, tool: str, **arguments: object) -> str:
        return server.call(tool, **arguments)["content"][0]["text"]

    rows, lacking = [], []
    for name, component in SCREENS.items():
        ours.call("press_home")
        if component:
            subprocess.run([adb, "-s", serial, "shell", "am", "start", "-n", component], check=True, capture_output=True)
        ours.call("wait_for_idle", timeout=5000)
        table, lean = text(ours, "get_screen_state"), text(ours, "get_screen_state", format="lean")
        theirs = text(peer, "mobile_list_elements_on_screen", device=serial)
        rows.append((name, *count([table, lean, theirs], node, peers)))
        words = {html.unescape(json.loads(word)) for word in re.findall(r'\b(?:text|label|value)=("(?:[^"\\]|\\.)*")', theirs)}
        lacking += [(name, word) for word in words if word and " ".join(word.split()).replace('"', "'")[:90] not in lean]
    print("| screen | table | lean | mobile-mcp 1.0.4 | lean / mobile-mcp |\n|---|---|---|---|---|")
    rows.append(("all", *(sum(row[column] for row in rows) for column in (1, 2, 3))))
    for name, table, lean, theirs in rows:
        print(f"| {name} | {table} | {lean} | {theirs} | {lean / theirs:.2f} |")
    core = Server(fingertip, "stdio", "--target", f"android:{serial}", "--tools", "core")
    lists = [server.request("tools/list", {})["result"]["tools"] for server in (ours, core, peer)]
    texts = [json.dumps(tools, separators=(",", ":"), ensure_ascii=False) for tools in lists]
    counted = count(texts, node, peers)
    print("list of tools: {} tokens, with --tools core {}, of mobile-mcp {}".format(*counted))
    core.end()
    ours.end()
    peer.end()
    if lacking:
        sys.exit(f"not in the lean lines: {lacking}")


main(*sys.argv[1:])
