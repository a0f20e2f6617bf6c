"""A GTK 3 window with controls in a layout, which scrolls by itself: one in sight, one far below, and one that opens a list
beyond the layout; a button beside it scrolls down."""

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk

window = Gtk.Window(title="Layout", default_width=400, default_height=200)
layout = Gtk.Layout(width=380, height=4000)
layout.put(Gtk.Button(label="Near"), 10, 10)
choose = Gtk.ComboBoxText()
for number in range(12):
    choose.append_text("Choose" if number == 0 else f"Choice {number}")
choose.set_active(0)
layout.put(choose, 150, 10)
layout.put(Gtk.Button(label="Far"), 10, 3900)
scrolled = Gtk.ScrolledWindow()
scrolled.add(layout)
beside = Gtk.Button(label="Beside")
beside.connect("clicked", lambda _button: layout.get_vadjustment().set_value(4000))
box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
box.pack_start(scrolled, True, True, 0)
box.pack_start(beside, False, False, 0)
window.add(box)
window.connect("destroy", Gtk.main_quit)
window.show_all()
Gtk.main()
