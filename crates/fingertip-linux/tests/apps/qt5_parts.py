"""A Qt 5 window whose content is longer than it: a box of options, a table with headers, more tabs than fit, and menus."""

from PyQt5.QtWidgets import (
    QApplication,
    QCheckBox,
    QMainWindow,
    QMenu,
    QPushButton,
    QScrollArea,
    QTableWidget,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

app = QApplication([])
window = QMainWindow()
window.setWindowTitle("Parts")
file = window.menuBar().addMenu("File")
wrap = file.addAction("Wrap")
wrap.setCheckable(True)
file.addMenu("More").addAction("Deep")
page = QWidget()
options = QVBoxLayout(page)
button = QPushButton("Choices")
menu = QMenu(button)
menu.addActions([menu.addAction(f"Choice {number}") for number in range(30)])
button.setMenu(menu)
options.addWidget(button)
table = QTableWidget(20, 2)
table.setHorizontalHeaderLabels(["First", "Second"])
table.setFixedHeight(120)
options.addWidget(table)
for number in range(60):
    options.addWidget(QCheckBox(f"Option {number}"))
area = QScrollArea()
area.setWidgetResizable(True)
area.setWidget(page)
tabs = QTabWidget()
tabs.addTab(area, "Page 0")
for number in range(1, 20):
    tabs.addTab(QPushButton(f"On page {number}"), f"Page {number}")
window.setCentralWidget(tabs)
window.resize(400, 400)
window.show()
app.exec()
