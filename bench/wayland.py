"""Times looking, pressing and typing on a display server, with the same applications and the same calls on each.

Usage: wayland.py measure SERVER KIND    on the desktop of this environment; prints times in JSON, a line for each
       wayland.py table FILE             the medians of what several of these printed, beside each other

Run by wayland.sh with Debian's own Python.
"""

import asyncio
import json
import statistics
import sys
import time
from pathlib import Path

FORMS = ["form_gtk3", "form_gtk4", "form_qt6"]
KINDS = ["x11", "sway"]
ROUNDS = 12
# Seconds an application may do what it does at its start, and between two acts: ten a second are let through at once.
SETTLING, REST = 2, 0.15
# Seconds until the application must have said what was done to it.
SAID_WITHIN = 5
WORDS = "The quick brown fox"
BEYOND = "Grüße, 世界 🎉 €"


async def measure(command: str, kind: str) -> None:
    from applications import Applications
    from served import Server

    for form in FORMS:
        apps = Applications()
        app = await apps.own(f"{form}.py")
        await asyncio.sleep(SETTLING)
        server = Server(command, "stdio", "--target", "desktop")

        def find(server=server, app=app, **wanted: str) -> dict:
            [found] = server.call("find_element", app=app.pid, **wanted)["structuredContent"]["elements"]
            return found

        def timed(what: str, act, form=form) -> None:
            begun = time.monotonic()
            act()
            line = {"form": form, "what": what, "kind": kind, "ms": 1000 * (time.monotonic() - begun)}
            print(json.dumps(line), flush=True)

        def said(event: str, count: int, app=app) -> None:
            end = time.monotonic() + SAID_WITHIN
            while len(app.said(event)) < count:
                assert time.monotonic() < end, f"{event} was not said {count} times"
                time.sleep(0.0005)

        # The first of each connects and reads anew; it is not counted.
        server.call("get_screen_state")
        for _ in range(ROUNDS):
            timed("look", lambda: server.call("get_screen_state"))
        server.call("get_screen_state", include_screenshot=True)
        for _ in range(ROUNDS):
            timed("look with a picture", lambda: server.call("get_screen_state", include_screenshot=True))
        greet = find(role="button", title="Greet")
        for count in range(ROUNDS):
            time.sleep(REST)

            def press(count=count) -> None:
                server.call("click_element", element_id=greet["id"])
                said("greeted", count + 1)

            timed("press a button", press)
        box = find(role="checkbox", title="Agree")["bounds"]
        place = {"x": (box["left"] + box["right"]) // 2, "y": (box["top"] + box["bottom"]) // 2}
        for count in range(ROUNDS):
            time.sleep(REST)

            def tap(count=count) -> None:
                server.call("tap", **place)
                said("agreed", count + 1)

            timed("tap a check box", tap)
        field = find(role="text_field", title="Name")
        for what, words in [("type a text", WORDS), ("type beyond the layout", BEYOND)]:
            for _ in range(ROUNDS):
                server.call("clear_text", element_id=field["id"])
                server.call("click_element", element_id=field["id"])
                time.sleep(2 * REST)
                timed(what, lambda words=words: server.call("input_text", text=words))
            server.call("click_element", element_id=greet["id"])
            end = time.monotonic() + SAID_WITHIN
            while app.said("greeted")[-1] != words:
                assert time.monotonic() < end, f"{words!r} was not typed but {app.said('greeted')[-1]!r}"
                time.sleep(0.01)
        server.end()
        apps.end()


def table(file: str) -> None:
    times: dict[tuple[str, str], dict[str, list[float]]] = {}
    for line in Path(file).read_text().splitlines():
        told = json.loads(line)
        times.setdefault((told["form"], told["what"]), {}).setdefault(told["kind"], []).append(told["ms"])
    print("| application | call | X11, median ms | sway, median ms | sway / X11 |\n|---|---|---|---|---|")
    for (form, what), by_kind in times.items():
        x11, sway = (statistics.median(by_kind[kind]) for kind in KINDS)
        print(f"| {form} | {what} | {x11:.1f} | {sway:.1f} | {sway / x11:.2f} |")


match sys.argv[1:]:
    case ["measure", command, kind]:
        asyncio.run(measure(command, kind))
    case ["table", file]:
        table(file)
    case _:
        sys.exit(__doc__)
