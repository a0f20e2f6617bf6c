"""A GTK 4 window with a menu button; what is pressed in its popover stands in the label."""

import gi

gi.require_version("Gtk", "4.0")
from gi.repository import Gtk


def activate(application):
    window = Gtk.ApplicationWindow(application=application, title="Popover", default_width=400, default_height=300)
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    label = Gtk.Label(label="nothing")
    inside = Gtk.Button(label="Inside")
    popover = Gtk.Popover(child=inside)

    def pressed(_button):
        label.set_text("pressed")
        popover.popdown()

    inside.connect("clicked", pressed)
    box.append(Gtk.MenuButton(label="Open", popover=popover))
    box.append(label)
    window.set_child(box)
    window.present()


application = Gtk.Application(application_id="org.example.Popover")
application.connect("activate", activate)
application.run()
