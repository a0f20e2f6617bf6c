#!/usr/bin/python3
"""A GTK4 form: entry, button, check box, slider, and a list."""

import gi

gi.require_version("Gtk", "4.0")
from gi.repository import GLib, Gtk
from said import say


def named(control, label):
    """Gives the control an accessible name."""
    control.update_property([Gtk.AccessibleProperty.LABEL], [label])
    return control


def main():
    GLib.set_prgname("form_gtk4")
    loop = GLib.MainLoop()
    window = Gtk.Window(title="Form GTK4", default_width=420)
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=8, margin_top=12, margin_start=12, margin_end=12)
    entry = named(Gtk.Entry(), "Name")
    status = Gtk.Label(label="Nobody greeted")
    greet, agree = Gtk.Button(label="Greet"), Gtk.CheckButton(label="Agree")
    volume = named(Gtk.Scale.new_with_range(Gtk.Orientation.HORIZONTAL, 0, 100, 1), "Volume")
    rows = Gtk.ListBox()
    for number in range(1, 6):
        rows.append(Gtk.Label(label=f"Line {number}"))
    for control in [Gtk.Label(label="Name"), entry, volume, agree, greet, status, rows]:
        box.append(control)

    def on_greet(_):
        status.set_text(f"Hello {entry.get_text()}")
        say("greeted", entry.get_text())

    greet.connect("clicked", on_greet)
    agree.connect("toggled", lambda _: say("agreed", agree.get_active()))
    volume.connect("value-changed", lambda _: say("volume", volume.get_value()))
    window.connect("close-request", lambda _: loop.quit())
    window.set_child(box)
    window.present()
    loop.run()


main()
