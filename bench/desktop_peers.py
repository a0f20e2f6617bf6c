"""Other MCP servers for a Linux desktop: how each is started, asked for a tree, searched and made to press.

Their tools differ from Fingertip's, so that no two rows are quite the same work: docs/benchmarks.md says how. Each is asked
with the arguments that cost it least for the same use: no screenshot, and for a whole tree no limit where one can be lifted.
"""

import os
from pathlib import Path

from served import Failed, Server

# Where desktop.sh has installed them; without it there are none.
FOLDER = os.environ.get("PEERS_FOLDER")
# More than any application of the benchmark has, and milliseconds that suffice to read them.
EVERYTHING, ENOUGH = 10_000, 60_000


class CuaDriver:
    name = "cua-driver 0.37.0"

    def __init__(self, pid: int) -> None:
        quiet = {"DO_NOT_TRACK": "1", "CUA_DRIVER_RS_TELEMETRY_ENABLED": "false", "CUA_DRIVER_RS_UPDATE_CHECK": "false"}
        self.pid, self.server = pid, Server(f"{FOLDER}/bin/cua-driver", "mcp", **quiet)

    def state(self, **arguments: object) -> dict:
        return self.server.call("get_window_state", pid=self.pid, include_screenshot=False, **arguments)["structuredContent"]

    def trees(self) -> list:
        everything = {"tree_format": "elements", "max_elements": EVERYTHING, "timeout_ms": ENOUGH}
        return [
            ("get_window_state", "visible", lambda: counted(self.state(), "element_count")),
            ("get_window_state, unlimited", "whole", lambda: counted(self.state(**everything), "element_count")),
        ]

    def find(self, text: str) -> int:
        found = self.state(query=text, tree_format="elements", max_elements=EVERYTHING, timeout_ms=ENOUGH)["elements"]
        return sum(element.get("label") == text for element in found)

    def presses(self, title: str) -> list:
        token = titled(self.state(tree_format="elements")["elements"], title)["element_token"]
        return [(f"click {title}", lambda: self.server.call("click", element_token=token))]


class AgentDevice:
    name = "agent-device 0.21.5"

    def __init__(self, pid: int) -> None:
        program = Path(FOLDER, "node_modules/agent-device/bin/agent-device.mjs")
        # It reads the tree with the first python3 it finds, which must be Debian's with its GObject bindings.
        path = f"/usr/bin:{os.environ['PATH']}"
        self.pid, self.server = pid, Server(os.environ["NODE"], str(program), "mcp", PATH=path)

    def call(self, tool: str, **arguments: object) -> dict:
        return self.server.call(tool, platform="linux", **arguments)["structuredContent"]

    def trees(self) -> list:
        def snapshot() -> str:
            read = self.call("snapshot", forceFull=True)
            return counted({"count": len(read["nodes"]), **read}, "count")

        return [("snapshot", "whole", snapshot)]

    def find(self, text: str) -> int:
        matches = self.call("find", query=text, locator="label", action="list")["matches"]
        return sum(match["node"].get("label") == text for match in matches)

    def presses(self, title: str) -> list:
        label = titled(self.call("snapshot", forceFull=True)["nodes"], title)["label"]
        target = {"kind": "selector", "selector": f'label="{label}"'}
        return [
            (f"press {title}", lambda: self.call("press", target=target)),
            (f"press {title}, verified", lambda: self.call("press", target=target, verify=True)),
        ]


PEERS = [CuaDriver, AgentDevice] if FOLDER else []


def counted(read: dict, name: str) -> str:
    return f"{read[name]}, cut" if read.get("truncated") else str(read[name])


def titled(elements: list[dict], title: str) -> dict:
    """The element of this title. GTK 4 says some twice."""
    for element in elements:
        if (element.get("label") or "").split(" ")[0] == title:
            return element
    raise Failed(f"{title} is not in its tree")


def attempt(peer, pid: int, work) -> str | None:
    """Works with a peer, which has left the bus afterwards; gives what it failed with."""
    running = None
    try:
        running = peer(pid)
        work(running)
    except Failed as error:
        return str(error)
    finally:
        if running:
            running.server.end()
