"""A page of options longer than its window, as settings have it: Qt 5."""

from PyQt5.QtWidgets import QApplication, QCheckBox, QScrollArea, QVBoxLayout, QWidget

app = QApplication([])
page = QWidget()
options = QVBoxLayout(page)
for number in range(60):
    options.addWidget(QCheckBox(f"Option {number}"))
area = QScrollArea()
area.setWindowTitle("Options")
area.setWidget(page)
area.resize(300, 300)
area.show()
app.exec()
