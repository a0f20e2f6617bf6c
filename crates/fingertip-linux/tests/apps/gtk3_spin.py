#!/usr/bin/env python3
"""A number in a dialog that Enter accepts, as that for a new picture in GIMP is."""

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk

window = Gtk.Window(title="Size")
box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
count = Gtk.SpinButton.new_with_range(0, 100, 1)
count.get_accessible().set_name("Count")
count.set_activates_default(True)
accept = Gtk.Button(label="Accept", can_default=True)
told = Gtk.Label(label="nothing")
count.connect("value-changed", lambda count: told.set_text(f"counted {count.get_value():.0f}"))
accept.connect("clicked", lambda _: told.set_text("accepted"))
for child in (count, accept, told):
    box.add(child)
window.add(box)
window.set_default(accept)
window.connect("destroy", Gtk.main_quit)
window.show_all()
Gtk.main()
