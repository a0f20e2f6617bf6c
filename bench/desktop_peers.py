"""Other MCP servers for a Linux desktop: how each is started, asked for a tree, searched and made to press.

Their tools differ from Fingertip's, so that no two rows are quite the same work: docs/benchmarks.md says how. Each is asked
with the arguments that cost it least for the same use: no screenshot, and for a whole tree no limit where one can be lifted.
"""

import json
import os
import re
from pathlib import Path

from served import Failed, Server

# Where desktop.sh has installed them; without it there are none.
FOLDER = os.environ.get("PEERS_FOLDER")
# More than any application of the benchmark has, milliseconds that suffice to read them, and the deepest levels xa11y reads.
EVERYTHING, ENOUGH, DEEPEST = 10_000, 60_000, 64


class CuaDriver:
    name = "cua-driver 0.37.0"

    def __init__(self, pid: int, path: str) -> None:
        quiet = {"DO_NOT_TRACK": "1", "CUA_DRIVER_RS_TELEMETRY_ENABLED": "false", "CUA_DRIVER_RS_UPDATE_CHECK": "false"}
        self.pid, self.server = pid, Server(f"{FOLDER}/bin/cua-driver", "mcp", PATH=path, **quiet)

    def state(self, **arguments: object) -> dict:
        return self.server.call("get_window_state", pid=self.pid, include_screenshot=False, **arguments)

    def screen(self) -> dict:
        return self.state()

    def trees(self) -> list:
        everything = {"tree_format": "elements", "max_elements": EVERYTHING, "timeout_ms": ENOUGH}
        count = lambda answer: counted(answer["structuredContent"], "element_count")
        return [
            ("get_window_state", "visible", self.screen, count),
            ("get_window_state, unlimited", "whole", lambda: self.state(**everything), count),
        ]

    def find(self, text: str) -> int:
        found = self.state(query=text, tree_format="elements", max_elements=EVERYTHING, timeout_ms=ENOUGH)["structuredContent"]["elements"]
        return sum(element.get("label") == text for element in found)

    def presses(self, title: str) -> list:
        token = titled(self.state(tree_format="elements")["structuredContent"]["elements"], "label", title)["element_token"]
        return [(f"click {title}", lambda: self.server.call("click", element_token=token))]


class AgentDevice:
    name = "agent-device 0.21.5"

    def __init__(self, pid: int, path: str) -> None:
        program = Path(FOLDER, "node_modules/agent-device/bin/agent-device.mjs")
        self.pid, self.server = pid, Server(os.environ["NODE"], str(program), "mcp", PATH=path)

    def call(self, tool: str, **arguments: object) -> dict:
        return self.server.call(tool, platform="linux", **arguments)

    def screen(self) -> dict:
        return self.call("snapshot", forceFull=True)

    def trees(self) -> list:
        def count(answer: dict) -> str:
            read = answer["structuredContent"]
            return counted({"count": len(read["nodes"]), **read}, "count")

        return [("snapshot", "whole", self.screen, count)]

    def find(self, text: str) -> int:
        matches = self.call("find", query=text, locator="label", action="list")["structuredContent"]["matches"]
        return sum(match["node"].get("label") == text for match in matches)

    def presses(self, title: str) -> list:
        label = titled(self.screen()["structuredContent"]["nodes"], "label", title)["label"]
        target = {"kind": "selector", "selector": f'label="{label}"'}
        return [
            (f"press {title}", lambda: self.call("press", target=target)),
            (f"press {title}, verified", lambda: self.call("press", target=target, verify=True)),
        ]


class Xa11y:
    name = "xa11y 0.15.4"

    def __init__(self, pid: int, path: str) -> None:
        self.pid, self.server = pid, Server(f"{FOLDER}/bin/xa11y", "mcp", PATH=path)

    def screen(self) -> dict:
        return self.server.call("tree", pid=self.pid, max_depth=DEEPEST)

    def trees(self) -> list:
        def count(answer: dict) -> str:
            read = structured(answer)
            return counted({"count": json.dumps(read).count('"role"'), **read}, "count")

        return [("tree", "whole", self.screen, count)]

    def named(self, selector: str) -> list:
        return structured(self.server.call("find", pid=self.pid, selector=selector))["matches"]

    def find(self, text: str) -> int:
        return len(self.named(f'[name="{text}"]'))

    def presses(self, title: str) -> list:
        name = titled(self.named(f'[name^="{title}"]'), "name", title)["name"]
        press = {"pid": self.pid, "selector": f'[name="{name}"]', "action": "press"}
        return [(f"press {title}", lambda: self.server.call("action", **press))]


class LinuxDesktopMcp:
    name = "linux-desktop-mcp 0.1.0"

    def __init__(self, _: int, path: str) -> None:
        # Debian's Python, which has the GObject bindings that it needs. The application is the only one of its desktop.
        folder = f"{FOLDER}/linux-desktop-mcp"
        self.server = Server("/usr/bin/python3", "-m", "linux_desktop_mcp.server", PATH=path, PYTHONPATH=folder)

    def call(self, tool: str, **arguments: object) -> dict:
        answer = self.server.call(tool, **arguments)
        # It tells what failed as a text like any other.
        if (text := said(answer)).startswith(("Error", "Failed")):
            raise Failed(f"{tool}: {text[:200]}")
        return answer

    def screen(self) -> dict:
        return self.call("desktop_snapshot", max_depth=DEEPEST)

    def trees(self) -> list:
        return [("desktop_snapshot", "whole", self.screen, lambda answer: re.search(r"Total elements: (\d+)", said(answer))[1])]

    def matches(self, text: str) -> list[tuple[str, str]]:
        return re.findall(r'^- (ref_\d+): \[[^]]*\] "(.*?)" \(', said(self.call("desktop_find", query=text)), re.M)

    def find(self, text: str) -> int:
        return sum(name == text for _, name in self.matches(text))

    def presses(self, title: str) -> list:
        ref = titled([{"ref": ref, "name": name} for ref, name in self.matches(title)], "name", title)["ref"]
        return [(f"desktop_click {title}", lambda: self.call("desktop_click", ref=ref))]


PEERS = [CuaDriver, AgentDevice, Xa11y, LinuxDesktopMcp] if FOLDER else []


def counted(read: dict, name: str) -> str:
    return f"{read[name]}, cut" if read.get("truncated") else str(read[name])


def said(answer: dict) -> str:
    return "\n".join(part.get("text", "") for part in answer["content"])


def structured(answer: dict) -> dict:
    return answer.get("structuredContent") or json.loads(said(answer))


def titled(elements: list[dict], field: str, title: str) -> dict:
    """The element of this title. GTK 4 says some twice."""
    for element in elements:
        if (element.get(field) or "").split(" ")[0] == title:
            return element
    raise Failed(f"{title} is not in its tree")


def search_path() -> str:
    """Where programs are looked for: agent-device reads the tree with the first python3 there, which must be Debian's with its
    GObject bindings."""
    return f"/usr/bin:{os.environ['PATH']}"


def attempt(peer, pid: int, work, path: str | None = None) -> str | None:
    """Works with a peer, which has left the bus afterwards; gives what it failed with."""
    running = None
    try:
        running = peer(pid, path or search_path())
        work(running)
    except Failed as error:
        return str(error)
    finally:
        if running:
            running.server.end()
