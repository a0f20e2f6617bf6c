#!/usr/bin/python3
"""Qt 5 or 6, by its argument: a menu bar with a submenu, a combo box with as many options as asked for, a list, tabs,
radio buttons, and a tool button that stays pressed."""

import importlib
import sys

from said import say

OPTIONS = int(sys.argv[2]) if len(sys.argv) > 2 else 3
widgets = importlib.import_module(f"PyQt{sys.argv[1]}.QtWidgets")


def main():
    app = widgets.QApplication(["choices_qt"])
    window = widgets.QMainWindow()
    window.setWindowTitle("Choices Qt")
    bar = window.menuBar()
    file = bar.addMenu("&File")
    for label in ["&New", "Save &As…"]:
        file.addAction(label).triggered.connect(lambda _=False, label=label: say("menu", label.replace("&", "")))
    file.addAction("Send").setEnabled(False)
    recent = file.addMenu("&Recent")
    for label in ["one.txt", "two.txt"]:
        recent.addAction(label).triggered.connect(lambda _=False, label=label: say("menu", label))
    edit = bar.addMenu("&Edit")
    edit.addAction("Undo").triggered.connect(lambda _=False: say("menu", "Undo"))

    bold = window.addToolBar("Tools").addAction("Bold")
    bold.setCheckable(True)
    bold.triggered.connect(lambda on: say("action", on))

    inner, layout = widgets.QWidget(), widgets.QVBoxLayout()
    inner.setLayout(layout)
    combo = widgets.QComboBox()
    combo.addItems(["red", "green", "blue"])
    combo.addItems([f"colour {number}" for number in range(3, OPTIONS)])
    combo.setAccessibleName("Colour")
    combo.currentTextChanged.connect(lambda text: say("combo", text))
    rows = widgets.QListWidget()
    rows.addItems(["alpha", "beta", "gamma"])
    rows.setAccessibleName("Rows")
    rows.currentTextChanged.connect(lambda text: say("row", text))
    tabs = widgets.QTabWidget()
    for name in ["General", "Network", "About"]:
        tabs.addTab(widgets.QLabel(f"page {name}"), name)
    tabs.currentChanged.connect(lambda index: say("tab", tabs.tabText(index)))
    group = widgets.QGroupBox("Size")
    choices = widgets.QHBoxLayout()
    for name in ["small", "medium", "large"]:
        radio = widgets.QRadioButton(name)
        radio.toggled.connect(lambda on, name=name: on and say("radio", name))
        radio.clicked.connect(lambda _=False, name=name: say("clicked", name))
        choices.addWidget(radio)
    group.setLayout(choices)
    for control in [combo, rows, tabs, group]:
        layout.addWidget(control)
    window.setCentralWidget(inner)
    window.show()
    app.exec()


main()
