"""A Qt 5 window with a tree and a combo box; what is clicked in the tree stands in the label."""

from PyQt5.QtWidgets import QApplication, QComboBox, QLabel, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

application = QApplication([])
window = QWidget()
window.setWindowTitle("Tree")
tree = QTreeWidget()
tree.setHeaderLabels(["Name", "Size"])
for number in range(4):
    item = QTreeWidgetItem([f"item {number}", "same"])
    item.addChild(QTreeWidgetItem([f"child {number}", "same"]))
    tree.addTopLevelItem(item)
tree.expandAll()
combo = QComboBox()
combo.addItems(["red", "green", "blue"])
clicked = QLabel("nothing")
tree.itemClicked.connect(lambda item, column: clicked.setText(f"clicked {item.text(0)} {column}"))
layout = QVBoxLayout(window)
for part in (tree, combo, clicked):
    layout.addWidget(part)
window.resize(400, 400)
window.show()
application.exec_()
