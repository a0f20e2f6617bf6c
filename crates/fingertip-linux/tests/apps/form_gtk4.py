"""A window of GTK 4 with one of each control; every change is appended to the log as `name=value`."""
import sys

import gi

gi.require_version("Gtk", "4.0")
from gi.repository import GLib, Gtk

LOG = open(sys.argv[1], "a", encoding="utf-8", newline="")


def tell(name, value):
    LOG.write(f"{name}={value}\0")
    LOG.flush()


def named(widget, name):
    widget.update_property([Gtk.AccessibleProperty.LABEL], [name])
    return widget


loop = GLib.MainLoop()
window = Gtk.Window(title="Form GTK4")
window.connect("close-request", lambda _: loop.quit())
box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=6)
window.set_child(box)

entry = named(Gtk.Entry(), "Name")
entry.connect("changed", lambda entry: tell("entry", entry.get_text()))
entry.connect("activate", lambda entry: tell("confirmed", entry.get_text()))
area = named(Gtk.TextView(), "Notes")
area.get_buffer().connect("changed", lambda b: tell("area", b.get_text(b.get_start_iter(), b.get_end_iter(), True)))
button = Gtk.Button(label="Greet")
button.connect("clicked", lambda _: tell("greeted", entry.get_text()))
off = Gtk.Button(label="Never", sensitive=False)
check = Gtk.CheckButton(label="Agree")
check.connect("toggled", lambda check: tell("check", check.get_active()))
scale = named(Gtk.Scale.new_with_range(Gtk.Orientation.HORIZONTAL, 0, 100, 5), "Volume")
scale.connect("value-changed", lambda scale: tell("scale", scale.get_value()))
more = Gtk.Expander(label="More", child=Gtk.Label(label="Hidden words"))
more.connect("notify::expanded", lambda more, _: tell("expanded", more.get_expanded()))
for child in (entry, area, button, off, check, scale, more):
    box.append(child)
window.present()
loop.run()
