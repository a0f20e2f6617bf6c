"""A GTK 3 window with a tree view that has check boxes in its first column."""

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk

store = Gtk.ListStore(bool, str)
for name in ("Comments", "Blank lines", "Numbers"):
    store.append([name == "Numbers", name])
view = Gtk.TreeView(model=store)
check = Gtk.CellRendererToggle()
check.connect("toggled", lambda _cell, path: store[path].__setitem__(0, not store[path][0]))
view.append_column(Gtk.TreeViewColumn("Active", check, active=0))
view.append_column(Gtk.TreeViewColumn("Filter", Gtk.CellRendererText(), text=1))
window = Gtk.Window(title="Checks", default_width=400, default_height=300)
window.connect("destroy", Gtk.main_quit)
window.add(view)
window.show_all()
Gtk.main()
