"""A prompt that ends when Enter is pressed in it, at once or after so many milliseconds, or when it is clicked."""

import sys

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import GLib, Gtk

delay = int(sys.argv[1]) if len(sys.argv) > 1 else 0


def leave(*_):
    if delay:
        GLib.timeout_add(delay, Gtk.main_quit)
    else:
        Gtk.main_quit()
    return False


window = Gtk.Window(title="Prompt")
window.set_default_size(1900, 1000)
entry = Gtk.Entry()
entry.connect("activate", leave)
button = Gtk.Button(label="Done")
button.connect("clicked", leave)
box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
box.pack_start(entry, False, False, 0)
box.pack_start(button, True, True, 0)
window.add(box)
window.connect("destroy", Gtk.main_quit)
window.show_all()
entry.grab_focus()
Gtk.main()
