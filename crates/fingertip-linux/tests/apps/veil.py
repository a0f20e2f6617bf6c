"""A window that lies above others; "through" lets presses pass to what is below it."""

import sys

import cairo
import gi

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk

through = "through" in sys.argv
# A window manager would put a frame around it, which takes presses.
window = Gtk.Window(title="Veil", type=Gtk.WindowType.POPUP if through else Gtk.WindowType.TOPLEVEL)
window.set_default_size(800, 600)
window.add(Gtk.Button(label="Veil"))
window.connect("destroy", Gtk.main_quit)
window.show_all()
if through:
    window.input_shape_combine_region(cairo.Region())
Gtk.main()
