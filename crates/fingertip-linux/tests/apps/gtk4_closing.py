"""A GTK 4 window whose button shows and hides a dialog many times; a window that was made last of all is never shown, as
Nautilus keeps one."""

import gi

gi.require_version("Gtk", "4.0")
from gi.repository import GLib, Gtk

TIMES, EVERY_MS = 40, 70


def activate(application):
    window = Gtk.ApplicationWindow(application=application, title="Closing", default_width=400, default_height=300)
    dialog = Gtk.Window(title="Dialog", transient_for=window, child=Gtk.Label(label="Sure?"))
    window.never_shown = Gtk.Window(title="Never shown")
    button = Gtk.Button(label="Blink")
    left = iter(range(TIMES))

    def blink():
        dialog.set_visible(not dialog.get_visible())
        if next(left, None) is not None:
            return GLib.SOURCE_CONTINUE
        button.set_label("Rested")
        return GLib.SOURCE_REMOVE

    button.connect("clicked", lambda _button: GLib.timeout_add(EVERY_MS, blink))
    window.set_child(button)
    window.present()


application = Gtk.Application(application_id="org.example.Closing")
application.connect("activate", activate)
application.run()
