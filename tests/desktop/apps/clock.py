#!/usr/bin/python3
"""A GTK3 window that changes by the clock: value, text, title, focus, children, and a window that opens and closes.

Usage: clock.py START STEP [quit]    seconds until the first change and between changes; whether it quits at the end
"""

import sys

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import GLib, Gtk
from said import say


class Clock:
    """The window and what happens to it, one change a step."""

    def __init__(self):
        self.window = Gtk.Window(title="Clock", default_width=320)
        self.box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        self.label, self.entry = Gtk.Label(label="00:00"), Gtk.Entry()
        self.volume = Gtk.Scale.new_with_range(Gtk.Orientation.HORIZONTAL, 0, 100, 1)
        self.first, self.second = Gtk.Button(label="First"), Gtk.Button(label="Second")
        for control in [self.label, self.entry, self.volume, self.first, self.second]:
            self.box.pack_start(control, False, False, 0)
        self.entry.get_accessible().set_name("Alarm")
        self.volume.get_accessible().set_name("Volume")
        self.window.add(self.box)
        self.window.show_all()
        self.first.grab_focus()
        self.other = None

    def text(self):
        self.entry.set_text("07:30")

    def value(self):
        self.volume.set_value(30)

    def title(self):
        self.window.set_title("Clock 07:30")

    def focus(self):
        self.second.grab_focus()

    def child(self):
        added = Gtk.Label(label="Good morning")
        self.box.pack_start(added, False, False, 0)
        added.show()

    def opened(self):
        self.other = Gtk.Window(title="Alarm rings")
        self.other.add(Gtk.Label(label="Wake up"))
        self.other.show_all()

    def closed(self):
        self.other.destroy()


def main(start, step, end=None):
    clock = Clock()
    changes = [clock.text, clock.value, clock.title, clock.focus, clock.child, clock.opened, clock.closed]
    if end == "quit":
        changes.append(Gtk.main_quit)

    def change(number):
        say("changed", getattr(changes[number], "__name__", "quit"))
        changes[number]()

    for number in range(len(changes)):
        GLib.timeout_add(int(1000 * (float(start) + number * float(step))), change, number)
    Gtk.main()


main(*sys.argv[1:])
