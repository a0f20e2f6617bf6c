#!/usr/bin/python3
"""A Qt 6 table of 500 rows of 4 cells."""

import sys

from PyQt6.QtWidgets import QApplication, QTableWidget, QTableWidgetItem
from said import say

ROWS, COLUMNS = 500, 4


def main():
    application = QApplication(sys.argv)
    application.setApplicationName("table_qt6")
    table = QTableWidget(ROWS, COLUMNS)
    table.setWindowTitle("Table Qt6")
    for row in range(ROWS):
        for column in range(COLUMNS):
            table.setItem(row, column, QTableWidgetItem(f"Cell {row + 1} {column + 1}"))
    table.currentCellChanged.connect(lambda row, column, *_: say("cell", [row + 1, column + 1]))
    table.resize(520, 640)
    table.show()
    sys.exit(application.exec())


main()
