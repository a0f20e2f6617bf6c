"""A popup that tells neither its process nor what it is, as those of Xt do; writes down each press in a file."""

import sys
import tkinter

path, place = sys.argv[1:3]


def pressed(event):
    with open(path, "a", encoding="utf-8") as file:
        file.write(f"{event.x} {event.y}\n")


root = tkinter.Tk()
root.overrideredirect(True)
root.geometry(place)
root.bind("<Button>", pressed)
root.mainloop()
