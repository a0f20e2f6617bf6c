#!/usr/bin/env python3
"""A window with a menu bar right above another one, so that an open menu of the first covers the second, as LibreOffice has."""

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk


def bar(*labels: str) -> Gtk.MenuBar:
    made = Gtk.MenuBar()
    for label in labels:
        menu = Gtk.Menu()
        menu.append(Gtk.MenuItem(label=f"In {label}, which is a menu of some width"))
        item = Gtk.MenuItem(label=label)
        item.set_submenu(menu)
        made.append(item)
    return made


window = Gtk.Window(title="Bars", default_width=400, default_height=300)
box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
box.pack_start(bar("Upper"), False, False, 0)
box.pack_start(bar("Lower"), False, False, 0)
window.add(box)
window.connect("destroy", Gtk.main_quit)
window.show_all()
Gtk.main()
