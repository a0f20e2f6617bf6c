#!/usr/bin/python3
"""Two GTK3 windows and buttons whose titles hold what a path must escape.

Usage: titles.py [WINDOW...]    other titles for the windows
"""

import sys

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk
from said import say

WINDOWS = ["Notes/2026 \"final\" 🙂", "Second window"]
BUTTONS = ["either/or", 'say "hi"', "tab\there", "line\nbreak", "back\\slash", "emoji 🙂 👩‍👩‍👧", "[0]", "Same", "Same"]


def main():
    for title in sys.argv[1:] or WINDOWS:
        window = Gtk.Window(title=title, default_width=320)
        box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        for position, label in enumerate(BUTTONS):
            button = Gtk.Button(label=label)
            button.connect("clicked", lambda _, *what: say("pressed", list(what)), title, position)
            box.pack_start(button, False, False, 0)
        window.add(box)
        window.connect("destroy", Gtk.main_quit)
        window.show_all()
    Gtk.main()


main()
