#!/usr/bin/python3
"""A GTK3 form: entry, password, button, check box, slider, a list to choose from, a menu on the second mouse button.

Usage: form_gtk3.py [TITLE]
"""

import sys

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, Gtk
from said import say


def labelled(label, control, box):
    """A row with a caption that names the control."""
    caption = Gtk.Label(label=label)
    caption.set_mnemonic_widget(control)
    control.get_accessible().set_name(label)
    row = Gtk.Box(spacing=8)
    row.pack_start(caption, False, False, 0)
    row.pack_start(control, True, True, 0)
    box.pack_start(row, False, False, 0)


def context_menu(button):
    """A menu that opens over the button, as a second mouse button or its key asks for."""
    menu = Gtk.Menu()
    item = Gtk.MenuItem(label="Copy greeting")
    item.connect("activate", lambda _: say("chosen", "Copy greeting"))
    menu.append(item)
    menu.show_all()
    menu.attach_to_widget(button)
    menu.connect("map", lambda _: say("menu", "open"))

    def open_menu(event=None):
        menu.popup_at_widget(button, Gdk.Gravity.SOUTH_WEST, Gdk.Gravity.NORTH_WEST, event)
        return True

    button.connect("popup-menu", lambda _: open_menu())
    button.connect("button-press-event", lambda _, event: event.button == 3 and open_menu(event))


def main(title="Form GTK3"):
    window = Gtk.Window(title=title, default_width=420)
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=8, border_width=12)
    entry, secret = Gtk.Entry(), Gtk.Entry(visibility=False)
    status = Gtk.Label(label="Nobody greeted")
    greet, agree = Gtk.Button(label="Greet"), Gtk.CheckButton(label="Agree")
    volume = Gtk.Scale.new_with_range(Gtk.Orientation.HORIZONTAL, 0, 100, 1)
    colour = Gtk.ComboBoxText()
    for name in ["Red", "Green", "Blue"]:
        colour.append_text(name)
    labelled("Name", entry, box)
    labelled("Secret", secret, box)
    labelled("Volume", volume, box)
    labelled("Colour", colour, box)
    for control in [agree, greet, status]:
        box.pack_start(control, False, False, 0)
    context_menu(greet)

    def on_greet(_):
        status.set_text(f"Hello {entry.get_text()}")
        say("greeted", entry.get_text())

    greet.connect("clicked", on_greet)
    agree.connect("toggled", lambda _: say("agreed", agree.get_active()))
    volume.connect("value-changed", lambda _: say("volume", volume.get_value()))
    colour.connect("changed", lambda _: say("colour", colour.get_active_text()))
    secret.connect("changed", lambda _: say("secret length", len(secret.get_text())))
    window.connect("destroy", Gtk.main_quit)
    window.add(box)
    window.show_all()
    Gtk.main()


main(*sys.argv[1:])
