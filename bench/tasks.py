"""Plays tasks on the demo phone with the fewest sensible calls, ours beside mobile-mcp; see bench/tasks.sh.

Usage: tasks.py ADB SERIAL FINGERTIP NODE PEERS

A player knows what a person would tell it: the app, and the names of what is to be pressed. Ours says those names as selectors and
needs no look before them; mobile-mcp presses places, which it must have read in an answer. Whether a task succeeded is read by a second
look, with uiautomator through adb.
"""

import html
import json
import re
import subprocess
import sys
import time
from collections.abc import Callable

from served import Server
from tokenizer import count

SETTINGS, CALCULATOR, CONTACTS = "com.android.settings", "com.android.calculator2", "com.android.contacts"
CLOCK, NOTES, GALLERY = "com.android.deskclock", "com.fingertip.demo.notes", "com.fingertip.demo.gallery"


class Player:
    """Calls tools of one server and keeps what went in and out."""

    def __init__(self, server: Server) -> None:
        self.server, self.sent, self.answers = server, [], []

    def call(self, tool: str, **arguments: object) -> str:
        self.sent.append(json.dumps({"name": tool, "arguments": arguments}, ensure_ascii=False))
        content = self.server.call(tool, **arguments)["content"]
        self.answers.append("\n".join(part["text"] for part in content if part["type"] == "text"))
        return self.answers[-1]


class Ours(Player):
    def steps(self, *steps: tuple, see: str = "changes") -> None:
        listed = [{"tool": tool, "arguments": arguments} for tool, arguments in steps]
        self.screen = self.call("run_steps", steps=listed, see=see)


def launch(app: str) -> tuple:
    return ("open_app", {"app": app})


def press(element: str) -> tuple:
    return ("click_element", {"element_id": element})


def write(element: str, text: str) -> tuple:
    return ("set_text", {"element_id": element, "text": text})


class Theirs(Player):
    """mobile-mcp, with its batches; each ends with the list of elements."""

    def __init__(self, server: Server, serial: str) -> None:
        super().__init__(server)
        self.device = serial

    def do(self, *steps: tuple) -> None:
        listed = [{"name": f"mobile_{tool}", "arguments": arguments} for tool, arguments in steps]
        self.screen = self.call("mobile_batch_commands", device=self.device, steps=listed, listElementsAtEnd=True)

    def look(self) -> None:
        time.sleep(1)
        self.screen = self.call("mobile_list_elements_on_screen", device=self.device)

    def open(self, app: str, shows: str) -> None:
        self.do(("launch_app", {"packageName": app}))
        # The list may be of the screen before.
        if shows not in self.screen:
            self.look()

    def tap(self, label: str, last: bool = True) -> tuple:
        lines = [line for line in self.screen.splitlines() if label in html.unescape(line)]
        assert lines, f"no line with {label!r} in:\n{self.screen}"
        place = re.search(r"at=(-?\d+),(-?\d+) size=(\d+)x(\d+)", lines[-1 if last else 0])
        left, top, width, height = map(int, place.groups())
        return ("click_on_screen_at_coordinates", {"x": left + width // 2, "y": top + height // 2})


def types(text: str) -> tuple:
    return ("type_keys", {"text": text, "submit": False})


SWIPE = ("swipe_on_screen", {"direction": "up", "distance": 1500})
SCROLL = ("scroll", {"direction": "down", "amount": "large"})
KEYS = ["1", "2", "×", "3", "4", "="]
NUMBER = "+1 202 555 0143"


def calculate_ours(player: Ours) -> None:
    player.steps(launch(CALCULATOR), *(press(f'button "{key}"') for key in KEYS))


def calculate_theirs(player: Theirs) -> None:
    player.open(CALCULATOR, "digit_7")
    player.do(*(player.tap(f'text="{key}"') for key in KEYS))


def airplane_ours(player: Ours) -> None:
    player.steps(launch(SETTINGS), press('"Airplane mode"'))


def airplane_theirs(player: Theirs) -> None:
    player.open(SETTINGS, "Airplane mode")
    player.do(player.tap("Airplane mode"))


def two_switches_ours(player: Ours) -> None:
    player.steps(launch(SETTINGS), press('"Wi-Fi"'), press('"Bluetooth"'))


def two_switches_theirs(player: Theirs) -> None:
    player.open(SETTINGS, "Airplane mode")
    player.do(player.tap('text="Wi-Fi"'), player.tap('text="Bluetooth"'))


def far_down_ours(player: Ours) -> None:
    player.steps(launch(SETTINGS), SCROLL, SCROLL, SCROLL, see="screen")
    while "Camera access" not in player.screen:
        player.steps(SCROLL, SCROLL, SCROLL, see="screen")
    player.steps(press('"Camera access"'))


def far_down_theirs(player: Theirs) -> None:
    player.open(SETTINGS, "Airplane mode")
    while "Camera access" not in player.screen:
        player.do(SWIPE)
    player.do(player.tap("Camera access"))


def note_ours(player: Ours) -> None:
    back = ("press_back", {})
    fill = [write('"Title"', "Errands"), write('"Write something"', "Post a letter")]
    player.steps(launch(NOTES), press('"New note"'), *fill, back, back)


def note_theirs(player: Theirs) -> None:
    player.open(NOTES, "New note")
    player.do(player.tap("New note"))
    if "Write something" not in player.screen:
        player.look()
    back = ("press_button", {"button": "BACK"})
    fill = [player.tap("Title", last=False), types("Errands"), player.tap("Write something"), types("Post a letter")]
    player.do(*fill, back, back)


def contact_ours(player: Ours) -> None:
    player.steps(launch(CONTACTS), press('"Create contact"'), press('button "Save"'))
    player.steps(press('"OK"'), write('"First name"', "Alan"), write('"Phone"', "5551234"), press('button "Save"'))


def contact_theirs(player: Theirs) -> None:
    player.open(CONTACTS, "Create contact")
    player.do(player.tap("Create contact"))
    if "First name" not in player.screen:
        player.look()
    form = player.screen
    player.do(player.tap('"Save"'))
    confirm, player.screen = player.tap('"OK"'), form
    back = ("press_button", {"button": "BACK"})
    fill = [player.tap("First name"), types("Alan"), back, player.tap("Phone"), types("5551234"), back]
    player.do(confirm, *fill, player.tap('"Save"'))


def delete_ours(player: Ours) -> None:
    player.steps(launch(NOTES), press('"Grüße aus Köln"'), press('"Delete note"'))
    player.steps(press('"Delete"'))


def delete_theirs(player: Theirs) -> None:
    player.open(NOTES, "New note")
    player.do(player.tap("Grüße aus Köln"))
    if "Delete note" not in player.screen:
        player.look()
    player.do(player.tap("Delete note"))
    player.do(player.tap('"Delete"'))


def stopwatch_ours(player: Ours) -> None:
    player.steps(launch(CLOCK), press('"Start"'))


def stopwatch_theirs(player: Theirs) -> None:
    player.open(CLOCK, "Start")
    player.do(player.tap('"Start"'))


def photo_ours(player: Ours) -> None:
    player.steps(launch(GALLERY), press('"Photo 5"'))


def photo_theirs(player: Theirs) -> None:
    player.open(GALLERY, "Photo 5")
    player.do(player.tap('"Photo 5"'))


def number_ours(player: Ours) -> None:
    assert NUMBER in player.call("open_app", app=CONTACTS, see="screen")


def number_theirs(player: Theirs) -> None:
    player.open(CONTACTS, "Grace Hopper")
    assert NUMBER in player.screen


# Name, ours, theirs, and what a second look must show.
TASKS = [
    ("12 × 34 on the calculator", calculate_ours, calculate_theirs, r'text="408"'),
    ("airplane mode on", airplane_ours, airplane_theirs, r'"Airplane mode".*?checked="true"'),
    ("Wi-Fi and Bluetooth off", two_switches_ours, two_switches_theirs, r'"Wi-Fi".*?checked="false".*"Bluetooth".*?checked="false"'),
    ("a setting 60 rows down", far_down_ours, far_down_theirs, r'"Camera access".*?checked="true"'),
    ("write a note", note_ours, note_theirs, r'text="Errands".*text="Post a letter'),
    ("a contact, after an error in the form", contact_ours, contact_theirs, r"Alan"),
    ("delete a note and confirm", delete_ours, delete_theirs, r'^(?!.*Grüße aus Köln).*text="Notes"'),
    ("start the stopwatch", stopwatch_ours, stopwatch_theirs, r'text="(Stop|Pause|Lap)"'),
    ("open the fifth photo", photo_ours, photo_theirs, r"Zoom 100"),
    ("look up a number", number_ours, number_theirs, re.escape(NUMBER)),
]


def cells(calls: int, sent: int, answered: int, seconds: float, succeeded: bool) -> str:
    return f"{calls} | {sent} | {answered} | {seconds:.1f}{'' if succeeded else ' (failed)'}"


def main(adb: str, serial: str, fingertip: str, node: str, peers: str) -> None:
    def shell(*command: str) -> str:
        return subprocess.run([adb, "-s", serial, "shell", *command], capture_output=True, text=True).stdout

    def shows(pattern: str) -> bool:
        time.sleep(1)
        shell("uiautomator", "dump", "/sdcard/seen.xml")
        return re.search(pattern, html.unescape(shell("cat", "/sdcard/seen.xml")), re.S) is not None

    def played(make: Callable[[], Player], play: Callable, pattern: str) -> tuple:
        # Each begins on a phone that nobody has used.
        port = serial.split(":")[1]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        phone = subprocess.Popen([fingertip, "sim", "--port", port], **quiet)
        while "connected to" not in subprocess.run([adb, "connect", serial], capture_output=True, text=True).stdout:
            time.sleep(0.2)
        player = make()
        begun = time.perf_counter()
        try:
            play(player)
            failed = ""
        except Exception as error:
            failed = f"{type(error).__name__}: {error}"
        took = time.perf_counter() - begun
        succeeded = not failed and shows(pattern)
        player.server.end()
        subprocess.run([adb, "disconnect", serial], capture_output=True)
        phone.terminate()
        phone.wait()
        if not succeeded:
            print(f"{play.__name__}: {failed or 'the second look does not show it'}", file=sys.stderr)
        sent, answered = (sum(count(texts, node, peers)) for texts in (player.sent, player.answers))
        return len(player.sent), sent, answered, took, succeeded

    def ours() -> Ours:
        return Ours(Server(fingertip, "stdio", "--target", f"android:{serial}", "--format", "lean"))

    def theirs() -> Theirs:
        return Theirs(Server(node, f"{peers}/node_modules/@mobilenext/mobile-mcp/lib/index.js", "--stdio"), serial)

    print("| task | calls | tokens in | tokens out | seconds | mobile-mcp: calls | in | out | seconds | tokens, ours of theirs |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    wrong = []
    for name, play_ours, play_theirs, pattern in TASKS:
        a, b = played(ours, play_ours, pattern), played(theirs, play_theirs, pattern)
        print(f"| {name} | {cells(*a)} | {cells(*b)} | {(a[1] + a[2]) / (b[1] + b[2]):.2f} |", flush=True)
        wrong += [] if a[4] else [name]
    if wrong:
        sys.exit(f"not done by us: {wrong}")


main(*sys.argv[1:])
