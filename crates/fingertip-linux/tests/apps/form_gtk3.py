"""A window of GTK 3 with one of each control; every change is appended to the log as `name=value`."""
import sys

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk

LOG = open(sys.argv[1], "a", encoding="utf-8", newline="")


def tell(name, value):
    LOG.write(f"{name}={value}\0")
    LOG.flush()


window = Gtk.Window(title="Form GTK3")
window.connect("destroy", Gtk.main_quit)
box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=6)
window.add(box)

entry = Gtk.Entry()
entry.get_accessible().set_name("Name")
entry.connect("changed", lambda entry: tell("entry", entry.get_text()))
entry.connect("activate", lambda entry: tell("confirmed", entry.get_text()))
entry.connect("populate-popup", lambda *_: tell("menu", "open"))
secret = Gtk.Entry(visibility=False)
secret.get_accessible().set_name("Secret")
secret.connect("changed", lambda entry: tell("secret", len(entry.get_text())))
area = Gtk.TextView()
area.get_accessible().set_name("Notes")
area.get_buffer().connect("changed", lambda b: tell("area", b.get_text(b.get_start_iter(), b.get_end_iter(), True)))
button = Gtk.Button(label="Greet")
button.connect("clicked", lambda _: tell("greeted", entry.get_text()))
off = Gtk.Button(label="Never", sensitive=False)
check = Gtk.CheckButton(label="Agree")
check.connect("toggled", lambda check: tell("check", check.get_active()))
scale = Gtk.Scale.new_with_range(Gtk.Orientation.HORIZONTAL, 0, 100, 5)
scale.get_accessible().set_name("Volume")
scale.connect("value-changed", lambda scale: tell("scale", scale.get_value()))
spin = Gtk.SpinButton.new_with_range(0, 50, 1)
spin.get_accessible().set_name("Count")
spin.connect("value-changed", lambda spin: tell("spin", spin.get_value()))
more = Gtk.Expander(label="More")
more.add(Gtk.Label(label="Hidden words"))
more.connect("notify::expanded", lambda more, _: tell("expanded", more.get_expanded()))
for child in (entry, secret, area, button, off, check, scale, spin, more):
    box.add(child)
retitle = Gtk.Button(label="Retitle")
retitle.connect("clicked", lambda _: window.set_title("Form GTK3 renamed"))
box.add(retitle)
popup = Gtk.Button(label="Open")


def opened(_):
    dialog = Gtk.Dialog(title="Second window", transient_for=window)
    dialog.add_button("Close", 1)
    dialog.connect("response", lambda dialog, _: dialog.destroy())
    dialog.show_all()


popup.connect("clicked", opened)
box.add(popup)
rows = Gtk.ListBox()
for number in range(60):
    rows.add(Gtk.Label(label=f"Row {number}"))
rows.connect("row-activated", lambda _, row: tell("row", row.get_index()))
scrolled = Gtk.ScrolledWindow(min_content_height=120)
scrolled.add(rows)
scrolled.get_vadjustment().connect("value-changed", lambda adjustment: tell("scrolled", adjustment.get_value()))
box.add(scrolled)
window.show_all()
Gtk.main()
