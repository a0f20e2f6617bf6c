"""What the tool says of a screen against what `uiautomator dump` says, read by another parser."""

import re
import xml.etree.ElementTree as ElementTree
from xml.etree.ElementTree import Element

from phone import Phone
from screen import NONE, Row, Screen

# Longer texts are cut in the screen state.
WHOLE_TEXT = 100

# Flags in the order in which rows show them, with the attribute they come from.
FLAGS = [
    ("c", "clickable"),
    ("l", "long-clickable"),
    ("f", "focusable"),
    ("s", "scrollable"),
    ("n", "enabled"),
    ("x", "checked"),
    ("t", "selected"),
    ("o", "focused"),
    ("p", "password"),
]


async def rows_are_the_phones_own(phone: Phone) -> None:
    """Every row of several screens is a node of the dump, and every node that says or does something is a row."""
    for label, package in [
        ("Calculator", "com.android.calculator2"),
        ("Contacts", "com.android.contacts"),
        ("Notes", "com.fingertip.demo.notes"),
        ("Gallery", "com.fingertip.demo.gallery"),
        ("Settings", "com.android.settings"),
    ]:
        await phone.open(label, package)
        await compare(phone)
    await phone.open("Contacts", "com.android.contacts")
    await phone.click(res_id="floating_action_button")
    await phone.click(res_id="first_name")
    await compare(phone)
    await phone.call("press_back")
    await phone.click(res_id="save_button")
    await phone.see(res_id="android:id/message")
    await compare(phone)
    await phone.home()
    await compare(phone)
    await phone.call("press_recents")
    await phone.see(text="Clear all")
    await compare(phone)
    await phone.call("open_notifications")
    await phone.see(text="Missed call")
    await compare(phone)
    await phone.call("press_back")


async def rows_of_a_turned_screen(phone: Phone) -> None:
    phone.adb.shell("wm user-rotation lock 3")
    try:
        screen = await phone.open("Contacts", "com.android.contacts")
        assert screen.orientation == "landscape", screen
        await compare(phone)
    finally:
        phone.adb.shell("wm user-rotation free")


async def compare(phone: Phone) -> None:
    """Compares the focused window with the dump, and the head of the screen with what the system says."""
    screen = await phone.screen()
    dump = phone.adb.bytes("exec-out", "uiautomator", "dump", "/dev/tty").decode()
    root = ElementTree.fromstring(dump[: dump.rindex(">") + 1])
    compare_head(phone, screen, on_its_side=root.get("rotation") in ("1", "3"))
    nodes = sorted(describe(node) for node in root.iter("node") if says_or_does_something(node))
    rows = sorted(describe_row(row) for row in screen.focused.rows)
    assert rows == nodes, f"only in one of them: {sorted(set(rows) ^ set(nodes))}"


def compare_head(phone: Phone, screen: Screen, on_its_side: bool) -> None:
    focus = phone.adb.shell("dumpsys window | grep mCurrentFocus")
    # An activity is named within its package; the shade is none: there the window alone is named.
    activity = screen.app + screen.activity if screen.activity.startswith(".") else screen.activity
    name = screen.activity if screen.app == "com.android.systemui" else f"{screen.app}/{activity}"
    assert f" {name}}}" in focus, (name, focus)
    width, height = map(int, re.search(r"size: (\d+)x(\d+)", phone.adb.shell("wm size")).groups())
    assert screen.size == ((height, width) if on_its_side else (width, height)), screen.size
    assert screen.orientation == ("landscape" if on_its_side else "portrait"), screen.orientation
    assert phone.adb.shell("wm density").endswith(f" {screen.density}"), screen.density


def says_or_does_something(node: Element) -> bool:
    """Whether the node is more than a box around others."""
    words = any(node.get(name) for name in ["text", "content-desc", "resource-id"])
    return words or any(node.get(name) == "true" for name in ["clickable", "long-clickable", "scrollable", "focusable"])


Described = tuple[str, str, str, str, tuple[int, ...], str]


def describe(node: Element) -> Described:
    secret = node.get("password") == "true"
    text = NONE if secret else shown(node.get("text"))
    flags = "".join(flag for flag, attribute in FLAGS if node.get(attribute) == "true")
    bounds = tuple(map(int, re.findall(r"-?\d+", node.get("bounds"))))
    kind = node.get("class").rpartition(".")[2]
    words = folded(kind, text, shown(node.get("content-desc")), secret)
    return kind, *words, node.get("resource-id") or NONE, bounds, flags


def describe_row(row: Row) -> Described:
    flags = "".join(flag for flag in row.flags if flag not in "ve")
    return row.kind, *folded(row.kind, row.text, row.desc, "p" in flags), row.res_id, row.bounds, flags


def folded(kind: str, text: str, desc: str, secret: bool) -> tuple[str, str]:
    """What a field says: a dump of this release gives a hint as text, where the agent tells it from text."""
    if secret:
        return NONE, NONE
    return (desc, NONE) if kind == "EditText" and text == NONE else (text, desc)


def shown(text: str) -> str:
    """A value as a row shows it."""
    line = " ".join(text.split()) or NONE
    return line if len(line) <= WHOLE_TEXT else line[:WHOLE_TEXT] + "...truncated"


SCENARIOS = [rows_are_the_phones_own, rows_of_a_turned_screen]
