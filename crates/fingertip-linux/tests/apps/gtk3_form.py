"""A GTK 3 window with one of each kind: entry, password, check box, slider, tree view, menu, image."""

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk

ROWS = 200

window = Gtk.Window(title='Form / "three"')
window.set_default_size(420, 520)
window.connect("destroy", Gtk.main_quit)
column = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=4)
name = Gtk.Entry(placeholder_text="Your name")
secret = Gtk.Entry(visibility=False, text="hunter2")
agree = Gtk.CheckButton(label="Agree")
level = Gtk.Scale.new_with_range(Gtk.Orientation.HORIZONTAL, 0, 100, 1)
level.set_value(42)
greet = Gtk.Button(label="Greet")
answer = Gtk.Label(label="Nothing yet")
greet.connect("clicked", lambda _: answer.set_text(f"Hello {name.get_text()}"))
hidden = Gtk.Button(label="Hidden")
store = Gtk.ListStore(str, str)
for number in range(ROWS):
    store.append([f"Cell {number}", f"Second {number}"])
table = Gtk.TreeView(model=store)
for position, title in enumerate(["First", "Second"]):
    table.append_column(Gtk.TreeViewColumn(title, Gtk.CellRendererText(), text=position))
scrolled = Gtk.ScrolledWindow(vexpand=True)
scrolled.add(table)
for child in [name, secret, agree, level, greet, answer, hidden, scrolled]:
    column.add(child)
window.add(column)
window.show_all()
hidden.hide()
Gtk.main()
