"""What an open page costs a server on the demo phone; see bench/phone.sh --page.

Usage: page.py PROCESS URL PROGRAM SERIAL MINUTES    measures the server with that process and address
       page.py view URL PROGRAM SERIAL               watches, until standard input ends, as the page's own script does

The viewer is a process of its own, so that what it does is no part of what is timed. It reads the stream of events, fetches each
picture it is told of when it has the last one, and reads the tree after it, not more often than the page's script.
"""

import http.client
import json
import os
import random
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path
from urllib.parse import quote, urlsplit

# Calls of one block, and blocks with and without a page, of each kind of call.
CALLS, BLOCKS = 40, 8
# Seconds that pictures are counted for, and that nothing may happen in.
WATCHED = 15
# Seconds until a page that was opened or closed is at rest.
SETTLED = 1.5
# Seconds between two looks at the tree, as in page.js.
LOOK_EVERY = 0.4
# Seconds between two looks at the memory.
SAMPLED = 30
TICKS = os.sysconf("SC_CLK_TCK")

CALCULATOR, CLOCK = "com.android.calculator2", "com.android.deskclock"
# The display keeps one digit, so that no reply grows: every second press clears it.
KINDS = {
    "screen": [("get_screen_state", {})],
    "click that changes the screen": [("click_element", {"element_id": 'button "7"'}), ("click_element", {"element_id": 'button ~"clear"'})],
    "the same, changes told": [
        ("click_element", {"element_id": 'button "7"', "see": "changes"}),
        ("click_element", {"element_id": 'button ~"clear"', "see": "changes"}),
    ],
}


class Agent:
    """A client of the server over HTTP, one connection."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self.connection, self.path, self.number = http.client.HTTPConnection(parts.netloc, timeout=60), parts.path, 0
        self.headers = {"authorization": f"Bearer {os.environ['FINGERTIP_TOKEN']}", "content-type": "application/json", "accept": "application/json"}

    def call(self, tool: str, arguments: dict) -> str:
        self.number += 1
        request = {"jsonrpc": "2.0", "id": self.number, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
        self.connection.request("POST", self.path, json.dumps(request), self.headers)
        answer = json.loads(self.connection.getresponse().read())
        if "error" in answer or answer["result"].get("isError"):
            sys.exit(f"{tool}: {json.dumps(answer)[:500]}")
        return "\n".join(part.get("text", "") for part in answer["result"]["content"])


def link(program: str, url: str) -> str:
    """What opens the page once."""
    told = subprocess.run([program, "ui", "--port", str(urlsplit(url).port)], check=True, capture_output=True, text=True)
    return told.stdout.strip()


def view(url: str, program: str, serial: str) -> None:
    """Watches, and says in the end how many pictures of how many bytes it was given."""
    parts = urlsplit(link(program, url))
    enter = http.client.HTTPConnection(parts.netloc)
    enter.request("GET", f"{parts.path}?{parts.query}")
    entered = enter.getresponse()
    assert entered.status == 303, entered.status
    headers = {"cookie": entered.getheader("set-cookie").split(";")[0], "sec-fetch-site": "same-origin"}
    target = f"target={quote('android:' + serial, safe='')}"
    newest, changed, pictures = [0], threading.Condition(), []

    def listen() -> None:
        stream = http.client.HTTPConnection(parts.netloc)
        stream.request("GET", f"/ui/api/events?{target}", headers=headers)
        about = ""
        for line in stream.getresponse():
            name, _, value = line.decode().strip().partition(": ")
            if name == "event":
                about = value
            elif name == "data" and about == "frame" and (frame := json.loads(value)["frame"]):
                with changed:
                    newest[0] = frame[0]
                    changed.notify()

    def fetch() -> None:
        connection, shown, looked = http.client.HTTPConnection(parts.netloc), 0, 0.0

        def get(path: str) -> tuple[http.client.HTTPResponse, bytes]:
            connection.request("GET", path, headers=headers)
            answer = connection.getresponse()
            return answer, answer.read()

        while True:
            with changed:
                changed.wait_for(lambda: newest[0] > shown)
            answer, picture = get(f"/ui/api/frame?{target}")
            if answer.status == 200:
                shown = int(answer.getheader("x-frame"))
                pictures.append(len(picture))
            if time.monotonic() - looked >= LOOK_EVERY:
                get(f"/ui/api/screen?{target}")
                looked = time.monotonic()

    for work in (listen, fetch):
        threading.Thread(target=work, daemon=True).start()
    sys.stdin.read()
    print(json.dumps({"pictures": len(pictures), "bytes": sum(pictures)}), flush=True)


class Viewer:
    """A page that is open."""

    def __init__(self, *words: str) -> None:
        command = [sys.executable, __file__, "view", *words]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        time.sleep(SETTLED)
        assert self.process.poll() is None, "the viewer ended"

    def close(self) -> dict:
        told, _ = self.process.communicate()
        time.sleep(SETTLED)
        return json.loads(told)


def cpu(process: str) -> float:
    """Seconds that all threads of the server have computed."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def resident(process: str) -> float:
    """What the server has written to. Pages of the program's own file come and go as the system likes."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("RssAnon")) / 1024


def share(process: str) -> float:
    """The part of a core that the server computes, in percent."""
    before, begun = cpu(process), time.monotonic()
    time.sleep(WATCHED)
    return (cpu(process) - before) / (time.monotonic() - begun) * 100


def timed_calls(agent: Agent, words: list[str]) -> None:
    """Medians of calls with and without a page, in blocks whose order is shuffled."""
    print("| call | no page open: p50 ms | p95 ms | one open: p50 ms | p95 ms | p50 with one of without |")
    print("|---|---|---|---|---|---|")
    agent.call("open_app", {"app": CALCULATOR})
    times = {kind: {False: [], True: []} for kind in KINDS}
    blocks = [is_open for is_open in (False, True) for _ in range(BLOCKS)]
    random.shuffle(blocks)
    for is_open in blocks:
        viewer = Viewer(*words) if is_open else None
        for kind, calls in KINDS.items():
            for number in range(CALLS):
                tool, arguments = calls[number % len(calls)]
                begun = time.perf_counter()
                agent.call(tool, arguments)
                times[kind][is_open].append((time.perf_counter() - begun) * 1000)
        if viewer:
            viewer.close()
    for kind, both in times.items():
        figures = [(statistics.median(one), sorted(one)[int(len(one) * 0.95)]) for one in (both[False], both[True])]
        (without, without_95), (with_one, with_95) = figures
        print(f"| {kind} | {without:.2f} | {without_95:.2f} | {with_one:.2f} | {with_95:.2f} | {with_one / without:.2f} |", flush=True)


def pictures(agent: Agent, process: str, words: list[str]) -> None:
    """What the server computes with no page open, and while it makes ten pictures a second for one."""
    agent.call("open_app", {"app": CLOCK})
    print(f"server with no page open, over a clock that moves: {share(process):.1f} % of a core")
    viewer = Viewer(*words)
    begun = time.monotonic()
    part = share(process)
    took = time.monotonic() - begun + SETTLED
    told = viewer.close()
    size = told["bytes"] / max(told["pictures"], 1) / 1024
    print(f"server with one open: {part:.1f} % of a core, {told['pictures'] / took:.1f} pictures a second of {size:.0f} KB")
    print(f"server after it was closed: {share(process):.1f} % of a core", flush=True)


def memory(agent: Agent, process: str, words: list[str], minutes: int) -> None:
    """Memory while a page is open, with two calls a second, one of which acts."""
    agent.call("open_app", {"app": CLOCK})
    viewer, samples, end = Viewer(*words), [], time.monotonic() + minutes * 60
    sampled, calls = 0.0, 0
    while time.monotonic() < end:
        agent.call("click_element", {"element_id": 'button "Reset"', "see": "changes"})
        agent.call("get_screen_state", {"include_screenshot": True})
        calls += 2
        if time.monotonic() - sampled >= SAMPLED:
            sampled = time.monotonic()
            samples.append(resident(process))
            print(f"{resident(process):.1f} MB after {calls} calls", file=sys.stderr, flush=True)
        time.sleep(0.7)
    told = viewer.close()
    # The log of calls is full after 500 and holds pictures of 40.
    tenth = max(len(samples) // 10, 1)
    first, last = samples[tenth : tenth * 3], samples[-tenth * 2 :]
    print(
        f"memory over {minutes} minutes with a page open, {calls} calls, {told['pictures']} pictures: {statistics.median(first or samples):.1f} MB "
        f"after a tenth, {statistics.median(last):.1f} MB at the end, most {max(samples):.1f} MB"
    )


def main(process: str, url: str, program: str, serial: str, minutes: str) -> None:
    agent, words = Agent(url), [url, program, serial]
    if int(minutes):
        return memory(agent, process, words, int(minutes))
    timed_calls(agent, words)
    pictures(agent, process, words)


if sys.argv[1] == "view":
    view(*sys.argv[2:])
else:
    main(*sys.argv[1:])
