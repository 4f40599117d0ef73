"""Where the labels of a picture's arrows go: on their arrow, clear of boxes and of each other."""

from itertools import pairwise
from math import hypot

import numpy as np
import numpy.typing as npt

from porf.evidence.layout import SMALL, Layout, Point, Rect, Route, occupied, text_width

HEIGHT = 13.0
PLACES = (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82)


def set_labels(layout: Layout) -> None:
    """Give every label a place, the cycle's first; one that finds none is left out (its colour says it)."""
    taken = list(occupied(layout))
    dense = [_dense(route.points()) for route in layout.routes]
    everything = np.concatenate([np.array(points) for points in dense]) if dense else np.empty((0, 2))
    order = sorted(range(len(layout.routes)), key=lambda at: not layout.routes[at].arrow.cycle)
    for at in order:
        route = layout.routes[at]
        if not route.label:
            continue
        route.at = _best(route, dense[at], taken, everything)
        if route.at is not None:
            taken.append(route.at)


def _best(route: Route, points: list[Point], taken: list[Rect], everything: npt.NDArray[np.float64]) -> Rect | None:
    wide = text_width(route.label, SMALL) + 4
    beside = route.heading == (0.0, 1.0)  # po runs down a column's middle: its label stands to the right
    best: tuple[int, int] | None = None
    found = None
    for rank, part in enumerate(PLACES):
        x, y = points[round(part * (len(points) - 1))]
        rect = Rect(x + 5 if beside else x - wide / 2, y - HEIGHT / 2, wide, HEIGHT)
        if any(rect.meets(other, 1.0) for other in taken):
            continue
        cost = (_within(everything, rect) - _within(np.array(points), rect), rank)
        if best is None or cost < best:
            best, found = cost, rect
    return found


def _within(points: npt.NDArray[np.float64], rect: Rect, air: float = 4.0) -> int:
    x, y = points[:, 0], points[:, 1]
    across = (x > rect.x - air) & (x < rect.x + rect.width + air)
    return int(np.count_nonzero(across & (y > rect.y - air) & (y < rect.y + rect.height + air)))


def _dense(points: list[Point], step: float = 4.0) -> list[Point]:
    """The polyline with a point every few pixels, so that counting points measures lengths."""
    out = [points[0]]
    for (x0, y0), (x1, y1) in pairwise(points):
        count = max(1, int(hypot(x1 - x0, y1 - y0) / step))
        out += [(x0 + (x1 - x0) * i / count, y0 + (y1 - y0) * i / count) for i in range(1, count + 1)]
    return out
