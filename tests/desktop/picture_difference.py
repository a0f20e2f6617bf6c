#!/usr/bin/python3
"""How different two pictures are: the mean difference of a colour, 0 to 255, and how many colours the first one has.

Usage: picture_difference.py FIRST SECOND    the second is made as large as the first; needs Debian's own Python
"""

import sys

import gi

gi.require_version("GdkPixbuf", "2.0")
from gi.repository import GdkPixbuf

# Every so many-th pixel is compared.
STEP = 7


def pixels(picture, width, height):
    scaled = picture.scale_simple(width, height, GdkPixbuf.InterpType.BILINEAR)
    data, stride, channels = scaled.get_pixels(), scaled.get_rowstride(), scaled.get_n_channels()
    places = ((x, y) for y in range(0, height, STEP) for x in range(0, width, STEP))
    return [data[y * stride + x * channels : y * stride + x * channels + 3] for x, y in places]


first, second = (GdkPixbuf.Pixbuf.new_from_file(name) for name in sys.argv[1:])
size = first.get_width(), first.get_height()
one, other = pixels(first, *size), pixels(second, *size)
differences = [abs(a - b) for left, right in zip(one, other) for a, b in zip(left, right)]
print(sum(differences) / len(differences), len(set(one)))
