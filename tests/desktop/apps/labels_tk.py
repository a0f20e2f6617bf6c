"""A label printer of Tk, which tells the accessibility bus nothing: two fields, a box and a button that saves them."""

import json
import sys
import tkinter

FILE = sys.argv[1]

root = tkinter.Tk()
root.title("Labels")
root.geometry("400x300+200+150")
name, street, bold = tkinter.StringVar(), tkinter.StringVar(), tkinter.BooleanVar()
# Placed by the pixel, so that who looks at a picture of it knows where things are.
tkinter.Label(root, text="Name").place(x=10, y=20)
first = tkinter.Entry(root, textvariable=name)
first.place(x=100, y=20, width=250, height=30)
tkinter.Label(root, text="Street").place(x=10, y=70)
tkinter.Entry(root, textvariable=street).place(x=100, y=70, width=250, height=30)
tkinter.Checkbutton(root, text="Bold", variable=bold).place(x=100, y=120, width=80, height=30)


def save():
    with open(FILE, "w") as file:
        json.dump({"name": name.get(), "street": street.get(), "bold": bold.get()}, file)
    root.title("Labels (saved)")


tkinter.Button(root, text="Save", command=save).place(x=100, y=180, width=120, height=40)
root.mainloop()
