"""Where everything in a picture goes: threads are columns, each event has its own row, arrows run in lanes.

Because no two events share a row, an arrow may cross columns along its row without meeting a box; it turns in
a gap between two columns, in a lane of its own. So no arrow runs over an event.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise

from porf.evidence.lanes import BOX, Lanes
from porf.evidence.order import rows_of
from porf.evidence.scene import Arrow, Scene
from porf.execution import Execution
from porf.record import Record
from porf.said import natural_order

CHAR = 7.3  # the advance of the 12-pixel monospace font, a little generous
SMALL = 6.3  # and of the 10.5-pixel one
PITCH = 42.0
LANE = 20.0
MARGIN = 24.0  # between a box and the first lane: room for an arrow head and its curve
HEADER = 26.0
HEAD = 8.0  # the length of an arrow head
SWEEP = 46.0  # how far a curve takes to become vertical
Point = tuple[float, float]


class Rect(Record):
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


class Box(Record):
    ref: int
    rect: Rect
    name: str
    text: str
    remark: str = ""


class Column(Record):
    thread: int  # -1 for the initial writes
    title: str
    x: float
    width: float


@dataclass
class Route:
    """One arrow: path data (`M`, `L`, `Q` and `C`), ending at the tip, which points along `heading`."""

    arrow: Arrow
    path: list[tuple[str, tuple[float, ...]]]
    heading: Point
    label: str
    at: Rect | None = None  # where the label stands

    def points(self) -> list[Point]:
        """The arrow as a polyline."""
        out: list[Point] = []
        for command, numbers in self.path:
            knots = [*out[-1:], *zip(numbers[::2], numbers[1::2], strict=True)]
            if command in "QC":
                out += [_bezier(knots, i / 8) for i in range(1, 9)]
            else:
                out.append(knots[-1])
        return out


def _bezier(knots: list[Point], t: float) -> Point:
    """De Casteljau's construction."""
    while len(knots) > 1:
        knots = [((1 - t) * a + t * c, (1 - t) * b + t * d) for (a, b), (c, d) in pairwise(knots)]
    return knots[0]


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
    used = {_thread(execution, ref) for ref in scene.events}
    initial = [-1] if -1 in used else []
    threads = initial + natural_order(execution.thread_names, sorted(used - {-1}))
    column = {thread: at for at, thread in enumerate(threads)}
    place = {ref: (column[_thread(execution, ref)], at) for at, ref in enumerate(rows)}
    lanes = Lanes(scene.arrows, place, len(threads))
    _set_columns(execution, scene, layout, threads, lanes)
    _set_boxes(execution, scene, layout, rows, place)
    for at, arrow in enumerate(scene.arrows):
        if at in lanes.gap:
            layout.routes.append(_curve(layout, arrow, at, lanes, place))
        else:
            layout.routes.append(_straight(layout, arrow))
    return layout


def _thread(execution: Execution, ref: int) -> int:
    return -1 if ref < 0 else int(execution.thread[ref])


def _set_columns(execution: Execution, scene: Scene, layout: Layout, threads: list[int], lanes: Lanes) -> None:
    widths = dict.fromkeys(threads, 56.0)
    for ref in scene.events:
        name, text = labels(execution, ref)
        thread = _thread(execution, ref)
        widths[thread] = max(widths[thread], text_width(name + "  " + text, CHAR) + 20)
        widths[thread] = max(widths[thread], text_width(remark(execution, ref), SMALL) + 20)
    for arrow in scene.arrows:
        if arrow.elided:  # its label stands beside the column's middle
            thread = _thread(execution, arrow.source)
            widths[thread] = max(widths[thread], 2 * text_width(elision(arrow), SMALL) + 24)
    x = _gap_width(lanes.load[-1]) if lanes.load[-1] else MARGIN
    for at, thread in enumerate(threads):
        title = "initial" if thread < 0 else shorten(execution.thread_names[thread], 24)
        width = max(widths[thread], text_width(title, CHAR) + 24)
        layout.columns.append(Column(thread, title, x, width))
        last = at == len(threads) - 1
        x += width + (_gap_width(lanes.load[at]) if lanes.load[at] or not last else MARGIN)
    layout.width = x


def _gap_width(lanes: int) -> float:
    return 2 * MARGIN + LANE * max(0, lanes - 1)


def labels(execution: Execution, ref: int) -> tuple[str, str]:
    """An event's name and description as its box shows them."""
    if ref < 0:
        return "", shorten(execution.describe(ref), 28)
    return shorten(execution.name(ref), 16), shorten(execution.describe(ref), 28)


def remark(execution: Execution, ref: int) -> str:
    """What the history says of an event beside the graph, as its box shows it below the event."""
    return shorten(execution.remarks(ref), 44)


def _set_boxes(
    execution: Execution, scene: Scene, layout: Layout, rows: list[int], place: dict[int, tuple[int, int]]
) -> None:
    """Rows from the top; one right below another of its thread gets more air, for the po arrow."""
    long_link = {arrow.target for arrow in scene.arrows if arrow.relation == "po" and arrow.elided}
    y = layout.top + HEADER + 16
    y += 18 if any(scene.before.values()) else 0
    for at, ref in enumerate(rows):
        column = layout.columns[place[ref][0]]
        if at and place[rows[at - 1]][0] == place[ref][0]:
            y += 22 if ref in long_link else 10
        name, text = labels(execution, ref)
        layout.boxes[ref] = Box(ref, Rect(column.x, y, column.width, BOX), name, text, remark(execution, ref))
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


def elision(arrow: Arrow) -> str:
    return f"⋮ {arrow.elided} event{'s' if arrow.elided > 1 else ''}"


def _straight(layout: Layout, arrow: Arrow) -> Route:
    source, target = layout.boxes[arrow.source].rect, layout.boxes[arrow.target].rect
    x = source.x + source.width / 2
    label = "po" if arrow.cycle else ""
    if arrow.elided:
        label = elision(arrow)
    path = [("M", (x, source.y + BOX)), ("L", (x, target.y))]
    return Route(arrow, [*path], (0.0, 1.0), label)


def _curve(layout: Layout, arrow: Arrow, at: int, lanes: Lanes, place: dict[int, tuple[int, int]]) -> Route:
    """Along the source's row, through a lane, along the target's row."""
    gap = lanes.gap[at]
    left = layout.columns[gap].x + layout.columns[gap].width if gap >= 0 else 0.0
    lane = left + MARGIN + LANE * lanes.lane[at]
    right = layout.columns[gap + 1].x if gap + 1 < len(layout.columns) else left + _gap_width(lanes.load[gap])
    (sx, sy), (tx, ty) = (_port(layout, arrow, at, lanes, outgoing) for outgoing in (True, False))
    facing = -lanes.side[at, False]  # the direction in which the arrow enters its target
    enter = min(max(sx, left), right)  # where the run along the source's row reaches the gap
    leave = min(max(tx - facing * HEAD, left), right)
    down = 1.0 if ty > sy else -1.0
    path: list[tuple[str, tuple[float, ...]]] = [("M", (sx, sy))]
    if enter != sx:
        path.append(("L", (enter, sy)))
    if arrow.source == arrow.target:
        out, air = 2 * (lane - sx), down * BOX / 2
        path.append(("C", (sx + out, sy - air, sx + out, ty + air, leave, ty)))
    elif abs(ty - sy) <= 2 * SWEEP:
        path.append(("C", (lane, sy, lane, ty, leave, ty)))
    else:
        path.append(("Q", (lane, sy, lane, sy + down * SWEEP)))
        path.append(("L", (lane, ty - down * SWEEP)))
        path.append(("Q", (lane, ty, leave, ty)))
    path.append(("L", (tx, ty)))
    return Route(arrow, path, (float(facing), 0.0), arrow.relation)


def _port(layout: Layout, arrow: Arrow, at: int, lanes: Lanes, outgoing: bool) -> Point:
    rect = layout.boxes[arrow.source if outgoing else arrow.target].rect
    x = rect.x + (rect.width if lanes.side[at, outgoing] > 0 else 0)
    return x, rect.y + BOX / 2 + lanes.port[at, outgoing]


def occupied(layout: Layout) -> Iterable[Rect]:
    """Every rectangle that holds text, labels of arrows apart."""
    yield from (box.rect for box in layout.boxes.values())
    yield from (rect for rect, _ in layout.notes)
    yield from (Rect(c.x, layout.top, c.width, HEADER) for c in layout.columns)
