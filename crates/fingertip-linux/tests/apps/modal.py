"""A GTK 3 window with a button that opens a modal dialog, a field with a label, and a word of what was pressed."""

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk

window = Gtk.Window(title="Main")
box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
result = Gtk.Label(label="nothing")


def ask(_button):
    dialog = Gtk.Dialog(title="Sure?", transient_for=window, modal=True)
    dialog.add_button("Yes", Gtk.ResponseType.YES)
    dialog.connect("response", lambda dialog, _answer: dialog.destroy())
    dialog.show_all()


def button(label, pressed):
    made = Gtk.Button(label=label)
    made.connect("clicked", pressed)
    box.add(made)


button("Ask", ask)
button("Other", lambda _button: result.set_text("pressed"))
count = Gtk.SpinButton.new_with_range(0, 100, 1)
label = Gtk.Label(label="Count", mnemonic_widget=count)
for part in (label, count, result):
    box.add(part)
window.add(box)
window.connect("destroy", Gtk.main_quit)
window.show_all()
Gtk.main()
