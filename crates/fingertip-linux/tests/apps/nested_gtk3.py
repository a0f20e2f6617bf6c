"""GTK 3 whose handlers do not return: each opens something and waits for it. What happens is appended to the log."""
import sys
import time

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, Gtk

LOG = open(sys.argv[1], "a", encoding="utf-8", newline="")


def tell(name, value):
    LOG.write(f"{name}={value}\0")
    LOG.flush()


def ask(name, parent, further=False):
    dialog = Gtk.Dialog(title=f"{name} dialog", transient_for=parent, modal=True)
    dialog.add_button(f"Finish {name}", Gtk.ResponseType.OK)
    dialog.set_default_response(Gtk.ResponseType.OK)
    entry = Gtk.Entry(activates_default=True)
    entry.get_accessible().set_name(f"{name} entry")
    dialog.get_content_area().add(entry)
    if further:
        more = Gtk.Button(label="Further")
        more.connect("clicked", lambda _: ask("inner", dialog))
        dialog.get_content_area().add(more)
    dialog.show_all()
    entry.grab_focus()
    tell(name, "open")
    dialog.run()
    tell(name, entry.get_text())
    dialog.destroy()


window = Gtk.Window(title="Nested GTK3")
window.connect("destroy", Gtk.main_quit)
window.connect("key-press-event", lambda _, event: tell("key", event.string) and False)
box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=6)
window.add(box)


def add(widget):
    box.add(widget)
    return widget


bar, file, menu = Gtk.MenuBar(), Gtk.MenuItem(label="File"), Gtk.Menu()
rename = Gtk.MenuItem(label="Rename")
rename.connect("activate", lambda _: ask("rename", window))
menu.append(rename)
file.set_submenu(menu)
bar.append(file)
add(bar)
add(Gtk.Button(label="Greet")).connect("clicked", lambda _: tell("greeted", "yes"))
add(Gtk.Button(label="Ask")).connect("clicked", lambda _: ask("button", window))
add(Gtk.Button(label="Twice")).connect("clicked", lambda _: ask("outer", window, further=True))
add(Gtk.CheckButton(label="Check")).connect("toggled", lambda _: ask("check", window))

context = Gtk.Menu()
for label in ("Properties", "Other"):
    item = Gtk.MenuItem(label=label)
    item.connect("activate", lambda _, label=label: ask(label, window))
    context.append(item)
context.show_all()


def popup(button):
    """Opens a menu and waits until it is closed, as many programs do."""
    context.connect("selection-done", lambda _: Gtk.main_quit())
    context.popup_at_widget(button, Gdk.Gravity.SOUTH_WEST, Gdk.Gravity.NORTH_WEST, None)
    tell("context", "open")
    Gtk.main()
    tell("context", "closed")


add(Gtk.Button(label="Open menu")).connect("clicked", popup)


def slow(_):
    tell("slow", "begun")
    time.sleep(3)
    tell("slow", "done")


add(Gtk.Button(label="Slow")).connect("clicked", slow)
combo = Gtk.ComboBoxText()
combo.get_accessible().set_name("Colour")
for colour in ("red", "green", "blue"):
    combo.append_text(colour)
combo.set_active(0)
combo.connect("changed", lambda combo: ask("combo", window))
add(combo)
entry = Gtk.Entry()
entry.get_accessible().set_name("Checked")
entry.connect("changed", lambda entry: ask("changed", window))
add(entry)
scale = Gtk.Scale.new_with_range(Gtk.Orientation.HORIZONTAL, 0, 100, 5)
scale.get_accessible().set_name("Volume")
scale.connect("value-changed", lambda scale: ask("value", window))
add(scale)
window.show_all()
Gtk.main()
