"""Lists below each other in a box that scrolls, as a file sharing program has them at its side, and a field: Qt 5."""

from PyQt5.QtWidgets import QApplication, QComboBox, QLineEdit, QListWidget, QScrollArea, QVBoxLayout, QWidget

app = QApplication([])
page = QWidget()
column = QVBoxLayout(page)
column.addWidget(QLineEdit("field"))
choice = QComboBox()
choice.addItems(f"Choice {number}" for number in range(20))
column.addWidget(choice)
for number in range(5):
    rows = QListWidget()
    rows.addItems([f"Row {number} {row}" for row in range(4)])
    rows.setFixedHeight(120)
    column.addWidget(rows)
area = QScrollArea()
area.setWindowTitle("Lists")
area.setWidget(page)
area.resize(300, 300)
area.show()
app.exec()
