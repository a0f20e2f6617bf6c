"""A Qt 5 window with a button that has a context menu."""

from PyQt5.QtCore import Qt
from PyQt5.QtWidgets import QApplication, QMenu, QPushButton, QVBoxLayout, QWidget

application = QApplication([])
window = QWidget()
window.setWindowTitle("Menu")
button = QPushButton("Right")
button.setContextMenuPolicy(Qt.CustomContextMenu)


def open_menu(point):
    menu = QMenu(button)
    menu.addAction("Copy")
    menu.addAction("Paste")
    menu.popup(button.mapToGlobal(point))


button.customContextMenuRequested.connect(open_menu)
QVBoxLayout(window).addWidget(button)
window.resize(300, 200)
window.show()
application.exec_()
