"""A popup of one colour at 100,100, 200 by 120 pixels large, red 16, green 32, blue 48."""
import gi

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk


def paint(_, context):
    context.set_source_rgb(16 / 255, 32 / 255, 48 / 255)
    context.paint()


window = Gtk.Window(type=Gtk.WindowType.POPUP)
window.set_default_size(200, 120)
window.move(100, 100)
area = Gtk.DrawingArea()
area.connect("draw", paint)
window.add(area)
window.show_all()
Gtk.main()
