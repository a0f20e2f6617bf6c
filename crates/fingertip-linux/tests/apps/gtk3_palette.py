"""A palette as Inkscape has one: colours that the program draws, each in a nameless item of a flow box."""

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, Gtk

style = Gtk.CssProvider()
style.load_from_data(b"flowboxchild { padding: 0; }")
Gtk.StyleContext.add_provider_for_screen(Gdk.Screen.get_default(), style, Gtk.STYLE_PROVIDER_PRIORITY_APPLICATION)
window = Gtk.Window(title="Palette", default_width=400, default_height=200)
window.connect("destroy", Gtk.main_quit)
box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
label = Gtk.Label(label="nothing chosen")
palette = Gtk.FlowBox(max_children_per_line=10)
for number in range(30):
    colour = Gtk.DrawingArea(tooltip_text=f"Colour {number}")
    colour.set_size_request(24, 24)
    colour.add_events(Gdk.EventMask.BUTTON_PRESS_MASK)
    colour.connect("button-press-event", lambda area, _event: label.set_text("chosen " + area.get_tooltip_text()))
    palette.add(colour)
box.add(label)
box.add(palette)
window.add(box)
window.show_all()
Gtk.main()
