#!/usr/bin/python3
"""A GTK 3 field for a password, which tells no program what it holds; it says what was entered when Enter is pressed."""

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk
from said import say

window = Gtk.Window(title="Password", default_width=380, default_height=90)
field = Gtk.Entry(visibility=False, valign=Gtk.Align.CENTER)
field.get_accessible().set_name("Secret")
field.connect("activate", lambda field: say("entered", field.get_text()))
window.add(field)
window.connect("destroy", Gtk.main_quit)
window.show_all()
Gtk.main()
