"""A GTK 3 window with 1,500 rows, each of a label and a button: 4,500 objects.

With the argument `rows` they are the 400 rows of a list box, or as many as a second argument says, which makes its
accessible rows when asked for.
"""

import sys

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk

LISTED = sys.argv[1:2] == ["rows"]
ROWS = int((sys.argv[2:] or ["400"])[0]) if LISTED else 1500

window = Gtk.Window(title="Long list")
window.set_default_size(480, 640)
window.connect("destroy", Gtk.main_quit)
scrolled = Gtk.ScrolledWindow()
rows = Gtk.ListBox() if LISTED else Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
for number in range(ROWS):
    line = Gtk.Box(spacing=6)
    line.add(Gtk.Label(label=f"Row {number}"))
    line.add(Gtk.Button(label=f"Go {number}"))
    rows.add(line)
scrolled.add(rows)
window.add(scrolled)
window.show_all()
Gtk.main()
