"""A window of Qt 6 with one of each control; every change is appended to the log as `name=value`."""
import sys

from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import (QApplication, QCheckBox, QComboBox, QLineEdit, QPlainTextEdit, QPushButton, QSlider,
                             QSpinBox, QVBoxLayout, QWidget)

LOG = open(sys.argv[1], "a", encoding="utf-8", newline="")


def tell(name, value):
    LOG.write(f"{name}={value}\0")
    LOG.flush()


app = QApplication(sys.argv)
window = QWidget()
window.setWindowTitle("Form Qt6")
layout = QVBoxLayout(window)
entry = QLineEdit()
entry.setAccessibleName("Name")
entry.textChanged.connect(lambda text: tell("entry", text))
entry.returnPressed.connect(lambda: tell("confirmed", entry.text()))
area = QPlainTextEdit()
area.setAccessibleName("Notes")
area.textChanged.connect(lambda: tell("area", area.toPlainText()))
button = QPushButton("Greet")
button.clicked.connect(lambda: tell("greeted", entry.text()))
off = QPushButton("Never")
off.setEnabled(False)
check = QCheckBox("Agree")
check.toggled.connect(lambda on: tell("check", on))
slider = QSlider(Qt.Orientation.Horizontal)
slider.setAccessibleName("Volume")
slider.setRange(0, 100)
slider.setSingleStep(5)
slider.valueChanged.connect(lambda value: tell("scale", float(value)))
spin = QSpinBox()
spin.setAccessibleName("Count")
spin.valueChanged.connect(lambda value: tell("spin", float(value)))
combo = QComboBox()
combo.setAccessibleName("Colour")
combo.addItems(["red", "green", "blue"])
combo.currentTextChanged.connect(lambda text: tell("combo", text))
for widget in (entry, area, button, off, check, slider, spin, combo):
    layout.addWidget(widget)
window.show()
sys.exit(app.exec())
