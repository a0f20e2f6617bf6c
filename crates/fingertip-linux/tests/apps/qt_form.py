"""A Qt 6 window with an entry, a password, a check box, a slider, a button and a list of 2,000 rows."""

import sys

from PyQt6.QtWidgets import (
    QApplication,
    QCheckBox,
    QLabel,
    QLineEdit,
    QListWidget,
    QPushButton,
    QSlider,
    QVBoxLayout,
    QWidget,
)
from PyQt6.QtCore import Qt

ROWS = 2000

application = QApplication(sys.argv)
application.setApplicationName("qt_form")
window = QWidget()
window.setWindowTitle("Form six")
column = QVBoxLayout(window)
name = QLineEdit()
name.setPlaceholderText("Your name")
name.setObjectName("name")
secret = QLineEdit("hunter2")
secret.setEchoMode(QLineEdit.EchoMode.Password)
agree = QCheckBox("Agree")
level = QSlider(Qt.Orientation.Horizontal)
level.setRange(0, 100)
level.setValue(42)
greet = QPushButton("Greet")
answer = QLabel("Nothing yet")
greet.clicked.connect(lambda: answer.setText(f"Hello {name.text()}"))
rows = QListWidget()
rows.addItems([f"Row {number}" for number in range(ROWS)])
hidden = QPushButton("Hidden")
for child in [name, secret, agree, level, greet, answer, rows, hidden]:
    column.addWidget(child)
hidden.hide()
window.resize(420, 520)
window.show()
sys.exit(application.exec())
