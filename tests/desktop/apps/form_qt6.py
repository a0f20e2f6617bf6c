#!/usr/bin/python3
"""A Qt 6 form: entry, button, check box, slider, a list to choose from, and a table."""

import sys

from PyQt6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QSlider,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)
from PyQt6.QtCore import Qt
from said import say


def main():
    application = QApplication(sys.argv)
    application.setApplicationName("form_qt6")
    window = QWidget()
    window.setWindowTitle("Form Qt6")
    entry, status = QLineEdit(), QLabel("Nobody greeted")
    greet, agree = QPushButton("Greet"), QCheckBox("Agree")
    volume, colour = QSlider(Qt.Orientation.Horizontal), QComboBox()
    volume.setMaximum(100)
    colour.addItems(["Red", "Green", "Blue"])
    table = QTableWidget(5, 2)
    for row in range(5):
        for column in range(2):
            table.setItem(row, column, QTableWidgetItem(f"Cell {row + 1} {column + 1}"))
    for control, name in [(entry, "Name"), (volume, "Volume"), (colour, "Colour"), (table, "Table")]:
        control.setAccessibleName(name)

    def on_greet():
        status.setText(f"Hello {entry.text()}")
        say("greeted", entry.text())

    greet.clicked.connect(on_greet)
    agree.toggled.connect(lambda on: say("agreed", on))
    volume.valueChanged.connect(lambda value: say("volume", value))
    colour.currentTextChanged.connect(lambda name: say("colour", name))
    table.currentCellChanged.connect(lambda row, column, *_: say("cell", [row + 1, column + 1]))
    layout = QVBoxLayout(window)
    for control in [entry, volume, colour, agree, greet, status, table]:
        layout.addWidget(control)
    window.resize(420, 480)
    window.show()
    sys.exit(application.exec())


main()
