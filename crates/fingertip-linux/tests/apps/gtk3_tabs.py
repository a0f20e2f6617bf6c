"""A GTK 3 window with more tabs than fit, each over a page of its own."""

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk

book = Gtk.Notebook(scrollable=True)
for number in range(20):
    page = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    page.add(Gtk.Label(label=f"Words of page {number}"))
    page.add(Gtk.Button(label=f"On page {number}"))
    book.append_page(page, Gtk.Label(label=f"Page {number}"))
window = Gtk.Window(title="Tabs", default_width=400, default_height=300)
window.connect("destroy", Gtk.main_quit)
window.add(book)
window.show_all()
Gtk.main()
