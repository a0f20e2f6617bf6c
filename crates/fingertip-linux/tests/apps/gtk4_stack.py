"""A GTK 4 window with two pages, of which one is shown at a time; a label says which button was pressed last."""

import gi

gi.require_version("Gtk", "4.0")
from gi.repository import Gtk


def activate(application):
    window = Gtk.ApplicationWindow(application=application, title="Pages", default_width=400, default_height=300)
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    stack = Gtk.Stack(vexpand=True)
    pressed = Gtk.Label(label="nothing pressed")
    for name in ("One", "Two"):
        page = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        button = Gtk.Button(label=f"Press {name}", vexpand=True)
        button.connect("clicked", lambda _button, name=name: pressed.set_label(f"pressed {name}"))
        page.append(button)
        page.append(Gtk.Entry(text=f"entry {name}"))
        stack.add_titled(page, name, f"Page {name}")
    box.append(Gtk.StackSwitcher(stack=stack))
    box.append(stack)
    box.append(pressed)
    window.set_child(box)
    window.present()


application = Gtk.Application(application_id="org.example.Pages")
application.connect("activate", activate)
application.run()
