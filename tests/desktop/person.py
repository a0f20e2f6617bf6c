#!/usr/bin/python3
"""A person at the screen, for checks after each action: presses keys, moves the pointer, and sees whether the application answers.

Usage: person.py    commands as JSON lines on standard input, an answer as a JSON line to each

    {"do": "ping", "pid": 4711, "seconds": 20}    a key without effect and the pointer at a place, then a `_NET_WM_PING` to
                                                  each window. The ping is an X event like the key before it, so who
                                                  answers it has read the key, in its main loop. Then the bus is asked.
                                                  With "bus_only" only that, for who never answers pings: KeePassXC
                                                  does not, and answers the bus in its main loop too.
    {"do": "effect", "pid": 4711}                 keys and the pointer with an effect, which is seen in the picture of the
                                                  screen

An answer is {"fault": null} or {"fault": "what is wrong"}. Needs Debian's own Python, the only one that finds pyatspi, and
stays for a whole soak: starting it for each check would take longer than what is checked.
"""

import ctypes
import hashlib
import json
import random
import subprocess
import sys
import time
from ctypes import POINTER, Structure, byref, c_char, c_int, c_long, c_uint, c_ulong, c_void_p

import gi

gi.require_version("Atspi", "2.0")
import pyatspi
from gi.repository import Atspi, GLib

# Milliseconds for one call on the bus, and for an application that is just starting.
CALL_LIMIT, START_LIMIT = 2000, 5000
LOOK_EVERY = 0.05
# Seconds until an effect is in the picture, when all is tried for the first time and when nothing was seen then; and until a
# picture that changes by itself has come to rest.
SEEN_WITHIN, STILL_WITHIN, STILL_FOR = (0.3, 2.0), 3.0, 0.15
# A window of fewer pixels across or down shows nothing that a key could change.
TINY = 24
# A key that changes nothing in any application, yet goes the way of every key.
NO_EFFECT = "Shift_L"
# Keys of which at least one is seen in whatever window there is: they move the focus, a cursor, or open a menu.
SEEN_KEYS = ["Tab", "Down", "F10", "Up", "Right", "a"]
# Parts of a window where a context menu opens or something lights up below the pointer.
POINTS = [(0.5, 0.5), (0.3, 0.3), (0.7, 0.6), (0.15, 0.1), (0.8, 0.9), (0.5, 0.05), (0.9, 0.95), (0.1, 0.9), (0.4, 0.75)]
SUBSTRUCTURE_NOTIFY, SUBSTRUCTURE_REDIRECT, CLIENT_MESSAGE = 1 << 19, 1 << 20, 33
ALL_PLANES, Z_PIXMAP = c_ulong(-1).value, 2


class ClientMessage(Structure):
    _fields_ = [
        ("type", c_int),
        ("serial", c_ulong),
        ("send_event", c_int),
        ("display", c_void_p),
        ("window", c_ulong),
        ("message_type", c_ulong),
        ("format", c_int),
        ("data", c_long * 5),
        # An event of X is a union of this size.
        ("rest", c_char * 192),
    ]


class Image(Structure):
    _fields_ = [
        *((name, c_int) for name in ("width", "height", "xoffset", "format")),
        ("data", c_void_p),
        *((name, c_int) for name in ("byte_order", "unit", "bit_order", "pad", "depth", "bytes_per_line")),
    ]


class Screen:
    """The X server: the windows of a process, whether they answer, and what can be seen."""

    def __init__(self) -> None:
        self.x = ctypes.CDLL("libX11.so.6")
        for name, result in {"XOpenDisplay": c_void_p, "XInternAtom": c_ulong, "XDefaultRootWindow": c_ulong}.items():
            getattr(self.x, name).restype = result
        self.x.XGetImage.restype = POINTER(Image)
        self.display = c_void_p(self.x.XOpenDisplay(None))
        assert self.display, "no X server"
        # A window may go while it is asked.
        self.handler = ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p)(lambda _display, _event: 0)
        self.x.XSetErrorHandler(self.handler)
        self.root = c_ulong(self.x.XDefaultRootWindow(self.display))
        self.x.XSelectInput(self.display, self.root, c_long(SUBSTRUCTURE_NOTIFY))

    def atom(self, name: str) -> int:
        return self.x.XInternAtom(self.display, name.encode(), 0)

    def property(self, window: int, name: str) -> list[int]:
        """The numbers of a property; none when the window is gone."""
        kind, form, count, rest, data = c_ulong(), c_int(), c_ulong(), c_ulong(), POINTER(c_ulong)()
        wanted = c_ulong(self.atom(name))
        arguments = [c_long(0), c_long(1024), 0, c_ulong(0), byref(kind), byref(form), byref(count), byref(rest), byref(data)]
        if self.x.XGetWindowProperty(self.display, c_ulong(window), wanted, *arguments) or not data:
            return []
        values = list(data[: count.value]) if form.value == 32 else []
        self.x.XFree(data)
        return values

    def windows(self, pid: int) -> list[int]:
        """The windows of a process that the window manager knows."""
        return [window for window in self.property(self.root.value, "_NET_CLIENT_LIST") if self.owner(window) == pid]

    def owner(self, window: int) -> int:
        return next(iter(self.property(window, "_NET_WM_PID")), 0)

    def active(self) -> int:
        return next(iter(self.property(self.root.value, "_NET_ACTIVE_WINDOW")), 0)

    def unanswered(self, windows: list[int], seconds: float) -> list[int]:
        """Sends each window a ping; those that are still there and have not answered in time."""
        ping, protocols = self.atom("_NET_WM_PING"), self.atom("WM_PROTOCOLS")
        waiting = {window for window in windows if ping in self.property(window, "WM_PROTOCOLS")}
        number = int(time.monotonic() * 1000) & 0x7FFFFFFF
        for window in waiting:
            event = ClientMessage(type=CLIENT_MESSAGE, window=window, message_type=protocols, format=32)
            event.data[:3] = [ping, number, window]
            self.x.XSendEvent(self.display, c_ulong(window), 0, c_long(0), byref(event))
        self.x.XFlush(self.display)
        end = time.monotonic() + seconds
        while waiting and time.monotonic() < end:
            while self.x.XPending(self.display):
                event = ClientMessage()
                self.x.XNextEvent(self.display, byref(event))
                if event.type == CLIENT_MESSAGE and list(event.data[:2]) == [ping, number]:
                    waiting.discard(event.data[2])
            # One that was closed meanwhile owes no answer.
            waiting = {window for window in waiting if ping in self.property(window, "WM_PROTOCOLS")}
            time.sleep(LOOK_EVERY / 5)
        return sorted(waiting)

    def picture(self) -> bytes:
        """What can be seen now, as a hash. The pointer is not part of it."""
        x, y, width, height, border, depth, root = c_int(), c_int(), c_uint(), c_uint(), c_uint(), c_uint(), c_ulong()
        of_root = [byref(value) for value in (root, x, y, width, height, border, depth)]
        self.x.XGetGeometry(self.display, self.root, *of_root)
        image = self.x.XGetImage(self.display, self.root, 0, 0, width, height, c_ulong(ALL_PLANES), Z_PIXMAP)
        size = image.contents.bytes_per_line * image.contents.height
        seen = hashlib.blake2b((c_char * size).from_address(image.contents.data)).digest()
        self.x.XFree(c_void_p(image.contents.data))
        self.x.XFree(image)
        return seen

    def still(self) -> bytes | None:
        """The picture once it has come to rest."""
        end, last, since = time.monotonic() + STILL_WITHIN, self.picture(), time.monotonic()
        while time.monotonic() < end:
            time.sleep(LOOK_EVERY)
            if (now := self.picture()) != last:
                last, since = now, time.monotonic()
            elif time.monotonic() - since > STILL_FOR:
                return last
        return None

    def changes(self, before: bytes, seconds: float) -> bool:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.picture() != before:
                return True
            time.sleep(LOOK_EVERY)
        return False

    def place(self, window: int) -> tuple[int, int, int, int]:
        shown = subprocess.run(["xdotool", "getwindowgeometry", "--shell", str(window)], capture_output=True, text=True)
        values = dict(line.split("=") for line in shown.stdout.splitlines())
        return tuple(int(values.get(name, 0)) for name in ("X", "Y", "WIDTH", "HEIGHT"))


def do(*arguments: object) -> None:
    subprocess.run(["xdotool", *map(str, arguments)], check=True, capture_output=True, timeout=30)


def bus_answers(pid: int) -> str | None:
    """Asks the windows of an application for their states."""
    try:
        desktop = pyatspi.Registry.getDesktop(0)
        desktop.clear_cache()
        for index in range(desktop.childCount):
            child = desktop.getChildAtIndex(index)
            if child is not None and child.get_process_id() == pid:
                child.clear_cache()
                for window in range(child.childCount):
                    child.getChildAtIndex(window).getState()
                return None
        return "it is not on the accessibility bus"
    except (GLib.Error, LookupError, AttributeError) as error:
        return f"the bus has no answer of it: {error}"


def ping(screen: Screen, pid: int, seconds: float, bus_only: bool) -> str | None:
    """What is wrong with how it answers, if anything is."""
    do("key", NO_EFFECT, "mousemove", random.randrange(1900), random.randrange(1060))
    if not bus_only and (silent := screen.unanswered(screen.windows(pid), seconds)):
        return f"{len(silent)} of its windows did not answer a key and a ping within {seconds} s"
    end = time.monotonic() + seconds
    while fault := bus_answers(pid):
        if time.monotonic() > end:
            return fault
        time.sleep(LOOK_EVERY)
    return None


def effect(screen: Screen, pid: int) -> str | None:
    """Whether keys and the pointer are seen to do something. A window must have the keyboard first."""
    if screen.owner(screen.active()) != pid or is_tiny(screen, screen.active()):
        windows = [window for window in screen.windows(pid) if not is_tiny(screen, window)]
        if not windows:
            return "it has no window"
        do("windowactivate", windows[-1])
    if not any(key_is_seen(screen, key, seconds) for seconds in SEEN_WITHIN for key in SEEN_KEYS):
        return f"none of the keys {', '.join(SEEN_KEYS)} changed what can be seen"
    if not any(pointer_is_seen(screen, point, seconds) for seconds in SEEN_WITHIN for point in POINTS):
        return "neither the pointer nor its buttons changed what can be seen"
    return None


def is_tiny(screen: Screen, window: int) -> bool:
    """Whether nothing can be seen in it, as in the Navigator of LibreOffice when it opens with a master document."""
    return min(screen.place(window)[2:]) < TINY


def key_is_seen(screen: Screen, key: str, seconds: float) -> bool:
    before = screen.still()
    # What moves by itself is drawn by its main loop; that is as much as can be told then.
    if before is None:
        return True
    do("key", key)
    seen = screen.changes(before, seconds)
    if key == "F10":
        do("key", "Escape", "key", "Escape")
    return seen


def pointer_is_seen(screen: Screen, point: tuple[float, float], seconds: float) -> bool:
    before = screen.still()
    if before is None:
        return True
    left, top, width, height = screen.place(screen.active())
    do("mousemove", left + int(width * point[0]), top + int(height * point[1]))
    do("click", 3)
    seen = screen.changes(before, seconds)
    do("key", "Escape")
    return seen


def main() -> None:
    Atspi.set_timeout(CALL_LIMIT, START_LIMIT)
    screen = Screen()
    for line in sys.stdin:
        asked = json.loads(line)
        try:
            if asked["do"] == "ping":
                fault = ping(screen, asked["pid"], asked["seconds"], asked.get("bus_only", False))
            else:
                fault = effect(screen, asked["pid"])
        except (subprocess.SubprocessError, OSError) as error:
            fault = f"the person could not act: {error}"
        print(json.dumps({"fault": fault}), flush=True)


main()
