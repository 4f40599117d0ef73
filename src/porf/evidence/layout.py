"""Where everything in a picture stands: threads are columns, every event has a row of its own, arrows run in lanes.

Because no two events share a row, an arrow may cross columns along its row without meeting a box; it turns in a gap
between two columns, in a lane of its own. So no arrow runs over an event.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field

from porf.evidence.order import rows_of
from porf.evidence.scene import Arrow, Scene
from porf.execution import DEPENDENCIES, Execution

CHAR = 7.3  # the advance of the 12-pixel monospace font, a little generous
SMALL = 6.3  # and of the 10.5-pixel one
BOX = 28.0
PITCH = 42.0
LANE = 18.0
MARGIN = 24.0  # between a box and the first lane: room for an arrow head and its curve
HEADER = 26.0
HEAD = 8.0  # the length of an arrow head
SWEEP = 46.0  # how far a curve takes to become vertical
Point = tuple[float, float]


@dataclass(frozen=True)
class Rect:
    x: float
    y: float
    width: float
    height: float

    def meets(self, other: Rect, air: float = 0.0) -> bool:
        return (
            self.x < other.x + other.width + air
            and other.x < self.x + self.width + air
            and self.y < other.y + other.height + air
            and other.y < self.y + self.height + air
        )


@dataclass(frozen=True)
class Box:
    ref: int
    rect: Rect
    name: str
    text: str


@dataclass(frozen=True)
class Column:
    thread: int  # -1 for the initial writes
    title: str
    x: float
    width: float


@dataclass
class Route:
    """One arrow: `M x y`, then `L x y` or `Q cx cy x y`, ending at the tip, which points along `heading`."""

    arrow: Arrow
    path: list[tuple[str, tuple[float, ...]]]
    heading: Point
    label: str
    at: Rect | None = None  # where the label stands

    def points(self) -> list[Point]:
        """The arrow as a polyline."""
        out: list[Point] = []
        for command, numbers in self.path:
            if command == "Q":
                (x0, y0), (cx, cy, x, y) = out[-1], numbers
                for t in (0.2, 0.4, 0.6, 0.8, 1.0):
                    a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t * t
                    out.append((a * x0 + b * cx + c * x, a * y0 + b * cy + c * y))
            else:
                out.append((numbers[0], numbers[1]))
        return out


@dataclass
class Layout:
    columns: list[Column] = field(default_factory=list)
    boxes: dict[int, Box] = field(default_factory=dict)
    routes: list[Route] = field(default_factory=list)
    notes: list[tuple[Rect, str]] = field(default_factory=list)  # events left out at a column's ends
    width: float = 0.0
    top: float = 0.0
    bottom: float = 0.0


def text_width(text: str, char: float) -> float:
    return char * sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def shorten(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def arrange(execution: Execution, scene: Scene, top: float) -> Layout:
    """Place a scene below `top`; the picture's frame (title, legend) is the writer's business."""
    layout = Layout(top=top)
    rows = rows_of(execution, scene)
    threads = sorted({_thread(execution, ref) for ref in scene.events})
    column = {thread: at for at, thread in enumerate(threads)}
    place = {ref: (column[_thread(execution, ref)], at) for at, ref in enumerate(rows)}
    ends = _Ends(scene.arrows, place, len(threads))
    _set_columns(execution, scene, layout, threads, ends)
    _set_boxes(execution, scene, layout, rows, place)
    for at, arrow in enumerate(scene.arrows):
        if at in ends.gap:
            layout.routes.append(_curve(layout, arrow, at, ends, place))
        else:
            layout.routes.append(_straight(layout, arrow))
    return layout


def _thread(execution: Execution, ref: int) -> int:
    return -1 if ref < 0 else int(execution.thread[ref])


class _Ends:
    """For each curved arrow: the gap it turns in, its lane there, and its ports on the sides of both boxes.

    Gap g is right of column g; gap -1 is left of the first column.
    """

    def __init__(self, arrows: list[Arrow], place: dict[int, tuple[int, int]], columns: int) -> None:
        self.gap: dict[int, int] = {}
        self.lane: dict[int, int] = {}
        self.load = dict.fromkeys(range(-1, columns), 0)
        self.port: dict[tuple[int, bool], float] = {}  # (arrow, at its source?) -> offset from the box's middle
        self.side: dict[tuple[int, bool], int] = {}  # -1 left, 1 right
        self._choose_gaps(arrows, place)
        self._choose_lanes(arrows, place)
        self._choose_ports(arrows, place)

    def _choose_gaps(self, arrows: list[Arrow], place: dict[int, tuple[int, int]]) -> None:
        order = sorted(range(len(arrows)), key=lambda at: (not arrows[at].cycle, at))
        for at in order:
            arrow = arrows[at]
            a, b = place[arrow.source][0], place[arrow.target][0]
            if arrow.relation == "po" and a == b and place[arrow.source][1] < place[arrow.target][1]:
                continue  # straight down
            if a == b:
                choices = (a - 1, a) if arrow.relation in DEPENDENCIES else (a, a - 1)
            elif a < b:
                choices = (b - 1, a)
            else:
                choices = (b, a - 1)
            gap = min(choices, key=lambda gap: self.load[gap] + (choices[0] != gap))
            self.load[gap] += 1
            self.gap[at] = gap
            first = 1 if b > a or (a == b and gap == a) else -1
            self.side[at, True] = first
            self.side[at, False] = first if a == b else -first

    def _choose_lanes(self, arrows: list[Arrow], place: dict[int, tuple[int, int]]) -> None:
        """Short arcs hug their column; between them, the order that crosses least for arrows that go the same way."""

        def key(at: int) -> tuple[int, float, int]:
            (a, i), (b, j) = place[arrows[at].source], place[arrows[at].target]
            if a == b:
                return (0, abs(i - j), at) if self.gap[at] == a else (2, -abs(i - j), at)
            left, right = (i, j) if a < b else (j, i)
            return (1, -left if left < right else left, at)

        taken: dict[int, int] = {}
        for at in sorted(self.gap, key=key):
            self.lane[at] = taken.get(self.gap[at], 0)
            taken[self.gap[at]] = self.lane[at] + 1

    def _choose_ports(self, arrows: list[Arrow], place: dict[int, tuple[int, int]]) -> None:
        """Spread the arrow ends on a side of a box, so that those that go up stand above those that go down."""
        sides: dict[tuple[int, int], list[tuple[float, int, bool]]] = {}
        for at in self.gap:
            arrow = arrows[at]
            for outgoing, own, other in ((True, arrow.source, arrow.target), (False, arrow.target, arrow.source)):
                away = place[other][1] - place[own][1]
                same = place[other][0] == place[own][0]
                key = (1 / away if away else 0.5 - outgoing) if same else float(away)
                sides.setdefault((own, self.side[at, outgoing]), []).append((key, at, outgoing))
        for ends in sides.values():
            step = min(9.0, (BOX - 8) / max(1, len(ends) - 1))
            for i, (_, at, outgoing) in enumerate(sorted(ends)):
                self.port[at, outgoing] = step * (i - (len(ends) - 1) / 2)


def _set_columns(
    execution: Execution, scene: Scene, layout: Layout, threads: list[int], ends: _Ends
) -> None:
    widths = dict.fromkeys(threads, 56.0)
    for ref in scene.events:
        name, text = labels(execution, ref)
        thread = _thread(execution, ref)
        widths[thread] = max(widths[thread], text_width(name + "  " + text, CHAR) + 20)
    x = _gap_width(ends.load[-1]) if ends.load[-1] else MARGIN
    for at, thread in enumerate(threads):
        title = "initial" if thread < 0 else shorten(execution.thread_names[thread], 24)
        width = max(widths[thread], text_width(title, CHAR) + 24)
        layout.columns.append(Column(thread, title, x, width))
        last = at == len(threads) - 1
        x += width + (_gap_width(ends.load[at]) if ends.load[at] or not last else MARGIN)
    layout.width = x


def _gap_width(lanes: int) -> float:
    return 2 * MARGIN + LANE * max(0, lanes - 1)


def labels(execution: Execution, ref: int) -> tuple[str, str]:
    """An event's name and description as its box shows them."""
    if ref < 0:
        return "", shorten(execution.describe(ref), 28)
    return shorten(execution.name(ref), 16), shorten(execution.describe(ref), 28)


def _set_boxes(
    execution: Execution,
    scene: Scene,
    layout: Layout,
    rows: list[int],
    place: dict[int, tuple[int, int]],
) -> None:
    """Rows from the top; a row below its own thread's last one gets more air, for the po arrow and its label."""
    long_link = {arrow.target for arrow in scene.arrows if arrow.relation == "po" and arrow.elided}
    y = layout.top + HEADER + 16
    y += 18 if any(scene.before.values()) else 0
    for at, ref in enumerate(rows):
        column = layout.columns[place[ref][0]]
        if at and place[rows[at - 1]][0] == place[ref][0]:
            y += 22 if ref in long_link else 10
        name, text = labels(execution, ref)
        layout.boxes[ref] = Box(ref, Rect(column.x, y, column.width, BOX), name, text)
        y += PITCH
    layout.bottom = y - PITCH + BOX + 14
    for column in layout.columns:
        own = [box.rect for box in layout.boxes.values() if _thread(execution, box.ref) == column.thread]
        for count, edge, word in (
            (scene.before.get(column.thread, 0), min(r.y for r in own) - 18, "earlier"),
            (scene.after.get(column.thread, 0), max(r.y for r in own) + BOX + 5, "later"),
        ):
            if count:
                text = f"⋮ {count} {word}"
                wide = text_width(text, SMALL)
                x = column.x + (column.width - wide) / 2
                layout.notes.append((Rect(x, edge, wide, 13), text))
    if any(scene.after.values()):
        layout.bottom += 16


def _straight(layout: Layout, arrow: Arrow) -> Route:
    source, target = layout.boxes[arrow.source].rect, layout.boxes[arrow.target].rect
    x = source.x + source.width / 2
    label = "po" if arrow.cycle else ""
    if arrow.elided:
        events = f"⋮ {arrow.elided} event{'s' if arrow.elided > 1 else ''}"
        label = f"po {events}" if arrow.cycle else events
    path = [("M", (x, source.y + BOX)), ("L", (x, target.y))]
    return Route(arrow, [*path], (0.0, 1.0), label)


def _curve(
    layout: Layout, arrow: Arrow, at: int, ends: _Ends, place: dict[int, tuple[int, int]]
) -> Route:
    """Along the source's row, through a lane, along the target's row."""
    gap = ends.gap[at]
    left = layout.columns[gap].x + layout.columns[gap].width if gap >= 0 else 0.0
    lane = left + MARGIN + LANE * ends.lane[at]
    right = layout.columns[gap + 1].x if gap + 1 < len(layout.columns) else left + _gap_width(ends.load[gap])
    (sx, sy), (tx, ty) = (_port(layout, arrow, at, ends, outgoing) for outgoing in (True, False))
    facing = -ends.side[at, False]  # the direction in which the arrow enters its target
    enter = min(max(sx, left), right)  # where the run along the source's row reaches the gap
    leave = min(max(tx - facing * HEAD, left), right)
    down = 1.0 if ty > sy else -1.0
    bend = min(SWEEP, abs(ty - sy) / 2)
    path: list[tuple[str, tuple[float, ...]]] = [("M", (sx, sy))]
    if enter != sx:
        path.append(("L", (enter, sy)))
    path.append(("Q", (lane, sy, lane, sy + down * bend)))
    if abs(ty - sy) > 2 * bend:
        path.append(("L", (lane, ty - down * bend)))
    path.append(("Q", (lane, ty, leave, ty)))
    path.append(("L", (tx, ty)))
    return Route(arrow, path, (float(facing), 0.0), arrow.relation)


def _port(layout: Layout, arrow: Arrow, at: int, ends: _Ends, outgoing: bool) -> Point:
    rect = layout.boxes[arrow.source if outgoing else arrow.target].rect
    x = rect.x + (rect.width if ends.side[at, outgoing] > 0 else 0)
    return x, rect.y + BOX / 2 + ends.port[at, outgoing]


def occupied(layout: Layout) -> Iterable[Rect]:
    """Every rectangle that holds text, labels of arrows apart."""
    yield from (box.rect for box in layout.boxes.values())
    yield from (rect for rect, _ in layout.notes)
    yield from (Rect(c.x, layout.top, c.width, HEADER) for c in layout.columns)
