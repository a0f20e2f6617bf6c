#!/usr/bin/python3
"""A GTK3 window with 4,500 rows: as a list, whose rows are widgets, or as a table, whose cells GTK makes on demand.

Usage: long_list.py list|table
"""

import sys

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("PangoCairo", "1.0")
from gi.repository import Gtk, PangoCairo
from said import say

ROWS = 4500
ROW_HEIGHT = 24


class Row(Gtk.ListBoxRow):
    """A row that draws its own text, so that it is one node and no more."""

    def __init__(self, number):
        super().__init__()
        self.text = f"Row {number}"
        self.set_size_request(-1, ROW_HEIGHT)
        self.get_accessible().set_name(self.text)

    def do_draw(self, cairo):
        Gtk.ListBoxRow.do_draw(self, cairo)
        cairo.move_to(6, 3)
        PangoCairo.show_layout(cairo, self.create_pango_layout(self.text))
        return False


def as_list():
    rows = Gtk.ListBox()
    for number in range(1, ROWS + 1):
        rows.add(Row(number))
    rows.connect("row-selected", lambda _, row: row and say("selected", row.text))
    return rows


def as_table():
    store = Gtk.ListStore(str)
    for number in range(1, ROWS + 1):
        store.append([f"Row {number}"])
    table = Gtk.TreeView(model=store)
    table.append_column(Gtk.TreeViewColumn("Name", Gtk.CellRendererText(), text=0))

    def on_selection(selection):
        model, row = selection.get_selected()
        if row is not None:
            say("selected", model[row][0])

    table.get_selection().connect("changed", on_selection)
    return table


def main(kind):
    window = Gtk.Window(title=f"Long {kind}", default_width=480, default_height=640)
    window.connect("destroy", Gtk.main_quit)
    scrolled = Gtk.ScrolledWindow()
    scrolled.add({"list": as_list, "table": as_table}[kind]())
    window.add(scrolled)
    window.show_all()
    Gtk.main()


main(*sys.argv[1:])
