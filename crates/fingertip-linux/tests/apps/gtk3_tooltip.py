"""A GTK 3 window with buttons as tool bars have them: the tooltip on the box, the name nowhere else."""

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk  # noqa: E402

window = Gtk.Window(title="Tools")
window.connect("destroy", Gtk.main_quit)
bar = Gtk.Toolbar()
for icon, tip in [("document-new", "Start afresh"), ("edit-undo", "Take back")]:
    item = Gtk.ToolButton(icon_name=icon)
    item.set_tooltip_text(tip)
    bar.insert(item, -1)
bar.insert(Gtk.SeparatorToolItem(), -1)
item = Gtk.ToolItem()
box = Gtk.EventBox()
box.set_tooltip_text("Only the box says so")
said = Gtk.Label(label="Nothing yet")
button = Gtk.Button()
button.connect("clicked", lambda _: said.set_text("pressed"))
box.add(button)
item.add(box)
bar.insert(item, -1)
column = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
column.pack_start(bar, False, False, 0)
column.pack_start(said, False, False, 20)
window.add(column)
window.set_default_size(400, 200)
window.show_all()
Gtk.main()
