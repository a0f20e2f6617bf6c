"""What `get_screen_state` answers, read into windows and rows."""

import re
from dataclasses import dataclass, field

HEADER = "id\tclass\ttext\tdesc\tres_id\tbounds\tflags"
NONE = "-"


@dataclass(frozen=True)
class Row:
    """One element of the screen."""

    id: str
    kind: str
    text: str
    desc: str
    res_id: str
    bounds: tuple[int, int, int, int]
    flags: str

    @classmethod
    def parse(cls, line: str) -> "Row":
        id, kind, text, desc, res_id, bounds, flags = line.split("\t")
        left, top, right, bottom = map(int, bounds.split(","))
        return cls(id, kind, text, desc, res_id, (left, top, right, bottom), flags)

    @property
    def middle(self) -> tuple[int, int]:
        left, top, right, bottom = self.bounds
        return (left + right) // 2, (top + bottom) // 2

    def contains(self, other: "Row") -> bool:
        left, top, right, bottom = self.bounds
        inner = other.bounds
        return left <= inner[0] and top <= inner[1] and right >= inner[2] and bottom >= inner[3]


@dataclass
class Window:
    """One window of the screen, the focused one first."""

    app: str
    title: str
    kind: str
    rows: list[Row] = field(default_factory=list)


@dataclass
class Screen:
    """One look at the screen."""

    app: str
    activity: str
    size: tuple[int, int]
    density: int
    orientation: str
    windows: list[Window]
    notes: list[str]
    text: str
    # Where the list goes on, when it was cut.
    cursor: str | None = None

    def __str__(self) -> str:
        return self.text

    @classmethod
    def parse(cls, text: str) -> "Screen":
        first, app, screen, header, *lines = text.splitlines()
        assert first == "note:structural-only nodes are omitted from the tree", first
        assert header == HEADER, header
        package, activity = re.fullmatch(r"app:(.+) activity:(.+)", app).groups()
        shape = re.fullmatch(r"screen:(\d+)x(\d+) density:(\d+) orientation:(\w+)", screen)
        width, height, density = map(int, shape.groups()[:3])
        windows, notes, cursor = [Window(package, activity, "focused")], [], None
        for line in lines:
            if line.startswith("window:"):
                title, owner, kind = re.fullmatch(r"window:(.*) app:(.+) type:(\S+)", line).groups()
                windows.append(Window(owner, title, kind))
            elif line.startswith("note:"):
                notes.append(line.removeprefix("note:"))
            elif more := re.fullmatch(r"more:\d+ cursor:(\S+)", line):
                cursor = more[1]
            else:
                windows[-1].rows.append(Row.parse(line))
        return cls(package, activity, (width, height), density, shape[4], windows, notes, text, cursor)

    @property
    def focused(self) -> Window:
        return self.windows[0]

    @property
    def rows(self) -> list[Row]:
        return [row for window in self.windows for row in window.rows]

    @property
    def keyboard(self) -> bool:
        return any(window.kind == "input_method" for window in self.windows)

    def all(self, **wanted: str) -> list[Row]:
        """The rows with these values. `res_id` may leave out the package."""
        return [row for row in self.rows if all(matches(row, name, value) for name, value in wanted.items())]

    def row(self, **wanted: str) -> Row | None:
        """The one row with these values, if it is there."""
        found = self.all(**wanted)
        assert len(found) <= 1, f"{wanted} is ambiguous: {found}"
        return found[0] if found else None

    def clickable_around(self, inner: Row) -> Row:
        """The smallest clickable row around one that is not itself clickable, such as the title of a list entry."""
        outer = [row for row in self.focused.rows if "c" in row.flags and row.contains(inner)]
        return min(outer, key=lambda row: (row.bounds[2] - row.bounds[0]) * (row.bounds[3] - row.bounds[1]))


def matches(row: Row, name: str, value: str) -> bool:
    actual = getattr(row, name)
    return actual == value or (name == "res_id" and actual.endswith(f":id/{value}"))
