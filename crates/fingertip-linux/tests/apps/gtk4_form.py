"""A GTK 4 window with an entry, a password, a check box, a slider, a button and a long scrolled list."""

import gi

gi.require_version("Gtk", "4.0")
from gi.repository import GLib, Gtk

ROWS = 100


def build(application):
    window = Gtk.ApplicationWindow(application=application, title="Form four")
    window.set_default_size(420, 520)
    column = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=4)
    name = Gtk.Entry(placeholder_text="Your name")
    secret = Gtk.PasswordEntry()
    secret.set_text("hunter2")
    agree = Gtk.CheckButton(label="Agree")
    level = Gtk.Scale.new_with_range(Gtk.Orientation.HORIZONTAL, 0, 100, 1)
    level.set_value(42)
    greet = Gtk.Button(label="Greet")
    answer = Gtk.Label(label="Nothing yet")
    greet.connect("clicked", lambda _: answer.set_text(f"Hello {name.get_text()}"))
    hidden = Gtk.Button(label="Hidden", visible=False)
    rows = Gtk.ListBox()
    for number in range(ROWS):
        rows.append(Gtk.Button(label=f"Go {number}"))
    scrolled = Gtk.ScrolledWindow(vexpand=True)
    scrolled.set_child(rows)
    for child in [name, secret, agree, level, greet, answer, hidden, scrolled]:
        column.append(child)
    window.set_child(column)
    window.present()


GLib.set_prgname("gtk4_form")
application = Gtk.Application()
application.connect("activate", build)
application.run()
