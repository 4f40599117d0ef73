"""An order as a picture: boxes in layers, an arrow from each to the next ones. Knows labels, not models."""

import itertools
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from porf.record import Record

SANS = "font-family=\"system-ui, 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif\""
MONO = "font-family=\"ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace\""
INK, LINE, SOFT, BOX_FILL = "#111827", "#4b5563", "#6b7280", "#f5f6f8"
LAYER, BOX_HEIGHT, GAP, SIDE, TOP = 92.0, 32.0, 34.0, 28.0, 64.0
NARROWEST = 640.0
_SWEEPS = 24


class Node(Record):
    label: str
    title: str = ""


class Link(Record):
    """From an upper node to a lower one, by their places in the list."""

    upper: int
    lower: int
    dashed: bool = False
    title: str = ""


@dataclass
class _Item:
    """A box, or the place where a long arrow passes a layer."""

    node: int | None
    width: float
    x: float = 0.0


def draw_order(nodes: Sequence[Node], links: Sequence[Link], title: str, caption: Sequence[str]) -> str:
    layers, chains = _layers(nodes, links)
    _untangle(layers, chains)
    _place(layers, chains)
    room = max(item.x + item.width / 2 for layer in layers for item in layer) + SIDE
    width = max(room, NARROWEST)
    for item in (item for layer in layers for item in layer):
        item.x += (width - room) / 2
    words = [line for text in caption for line in textwrap.wrap(text, int((width - 2 * SIDE) / 6.6))]
    bottom = TOP + (len(layers) - 1) * LAYER + BOX_HEIGHT
    height = bottom + 34 + 18 * len(words)
    depth = {id(item): at for at, layer in enumerate(layers) for item in layer}
    body = [_arrow(link, chain, depth) for link, chain in zip(links, chains, strict=True)]
    body += [
        _box(nodes[item.node], item, at) for at, layer in enumerate(layers) for item in layer if item.node is not None
    ]
    for at, line in enumerate(words):
        body.append(_words(SIDE, bottom + 34 + 18 * at, line, 12.5, SOFT))
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
            f'viewBox="0 0 {width:.0f} {height:.0f}" role="img">',
            f"<title>{escape(title)}</title>",
            f'<rect width="{width:.0f}" height="{height:.0f}" fill="#ffffff"/>',
            _words(SIDE, 34, title, 17, INK, 600),
            *body,
            "</svg>",
            "",
        ]
    )


def _layers(nodes: Sequence[Node], links: Sequence[Link]) -> tuple[list[list[_Item]], list[list[_Item]]]:
    """Every node as high as its arrows allow, and for each link its items from layer to layer."""
    depth = [0] * len(nodes)
    for _ in nodes:
        for link in links:
            depth[link.lower] = max(depth[link.lower], depth[link.upper] + 1)
    layers: list[list[_Item]] = [[] for _ in range(max(depth, default=0) + 1)]
    items = []
    for at, node in enumerate(nodes):
        items.append(_Item(at, max(64.0, 9.2 * len(node.label) + 26)))
        layers[depth[at]].append(items[-1])
    chains = []
    for link in links:
        passing = [_Item(None, 12.0) for _ in range(depth[link.upper] + 1, depth[link.lower])]
        for layer, item in zip(layers[depth[link.upper] + 1 :], passing, strict=False):
            layer.append(item)
        chains.append([items[link.upper], *passing, items[link.lower]])
    return layers, chains


def _neighbours(chains: Sequence[Sequence[_Item]], up: bool) -> dict[int, list[_Item]]:
    out: dict[int, list[_Item]] = {}
    for chain in chains:
        for upper, lower in itertools.pairwise(chain):
            here, there = (lower, upper) if up else (upper, lower)
            out.setdefault(id(here), []).append(there)
    return out


def _untangle(layers: list[list[_Item]], chains: Sequence[Sequence[_Item]]) -> None:
    """Each item goes to the middle of its neighbours, layer after layer; the best order that was seen is kept."""
    best, least = [list(layer) for layer in layers], _crossings(layers, chains)
    for sweep in range(_SWEEPS):
        up = sweep % 2 == 0
        near = _neighbours(chains, up)
        for layer in layers if up else reversed(layers):
            position = {id(item): at for row in layers for at, item in enumerate(row)}

            def middle(item: _Item, position: dict[int, int] = position, near: dict[int, list[_Item]] = near) -> float:
                places = [position[id(other)] for other in near.get(id(item), ())]
                return sum(places) / len(places) if places else position[id(item)]

            layer.sort(key=middle)
        found = _crossings(layers, chains)
        if found < least:
            best, least = [list(layer) for layer in layers], found
    layers[:] = best


def _crossings(layers: Sequence[Sequence[_Item]], chains: Sequence[Sequence[_Item]]) -> int:
    position = {id(item): at for layer in layers for at, item in enumerate(layer)}
    depth = {id(item): at for at, layer in enumerate(layers) for item in layer}
    steps: dict[int, list[tuple[int, int]]] = {}
    for chain in chains:
        for upper, lower in itertools.pairwise(chain):
            steps.setdefault(depth[id(upper)], []).append((position[id(upper)], position[id(lower)]))
    return sum(
        (a - c) * (b - d) < 0 for pairs in steps.values() for at, (a, b) in enumerate(pairs) for c, d in pairs[:at]
    )


def _place(layers: list[list[_Item]], chains: Sequence[Sequence[_Item]]) -> None:
    """Coordinates: side by side, then drawn towards the neighbours as far as there is room."""
    for layer in layers:
        x = 0.0
        for item in layer:
            item.x = x + item.width / 2
            x += item.width + GAP
    up, down = _neighbours(chains, True), _neighbours(chains, False)
    for _ in range(60):
        for layer in layers:
            wished = []
            for item in layer:
                near = [*up.get(id(item), ()), *down.get(id(item), ())]
                wished.append(sum(other.x for other in near) / len(near) if near else item.x)
            _spread(layer, wished)
    left = min(item.x - item.width / 2 for layer in layers for item in layer) - SIDE
    for layer in layers:
        for item in layer:
            item.x -= left


def _spread(layer: list[_Item], wished: list[float]) -> None:
    """As near to the wishes as the order and the gaps allow: runs that collide settle at their common mean."""
    runs: list[tuple[list[_Item], float]] = []  # items, and where the first one's centre goes
    for item, wish in zip(layer, wished, strict=True):
        runs.append(([item], wish))
        while len(runs) > 1 and runs[-2][1] + _extent(runs[-2][0], runs[-1][0][0]) > runs[-1][1]:
            (left, at), (right, to) = runs[-2], runs[-1]
            shift = _extent(left, right[0])
            start = (at * len(left) + (to - shift) * len(right)) / (len(left) + len(right))
            runs[-2:] = [(left + right, start)]
    for items, start in runs:
        x = start
        for at, item in enumerate(items):
            x += _extent([items[at - 1]], item) if at else 0.0
            item.x = x


def _extent(items: Sequence[_Item], following: _Item) -> float:
    """From the centre of the first of some items to the centre of the one that follows them."""
    line = [*items, following]
    return sum((a.width + b.width) / 2 + GAP for a, b in itertools.pairwise(line))


def _arrow(link: Link, chain: Sequence[_Item], depth: dict[int, int]) -> str:
    points = [(item.x, TOP + depth[id(item)] * LAYER) for item in chain]
    start, end = (points[0][0], points[0][1] + BOX_HEIGHT), (points[-1][0], points[-1][1] - 2)
    path = f"M{start[0]:.1f} {start[1]:.1f}"
    last = start
    for x, y in [(px, py + BOX_HEIGHT / 2) for px, py in points[1:-1]] + [(end[0], end[1] - 7)]:
        bend = (y - last[1]) * 0.45
        path += f"C{last[0]:.1f} {last[1] + bend:.1f} {x:.1f} {y - bend:.1f} {x:.1f} {y:.1f}"
        last = (x, y)
    dash = ' stroke-dasharray="6 4"' if link.dashed else ""
    return (
        f'<g class="link"><title>{escape(link.title)}</title>'
        f'<path d="{path}" fill="none" stroke="{LINE}" stroke-width="1.5"{dash}/>'
        f'<path d="M{end[0]:.1f} {end[1]:.1f}l-4.2 -8.5h8.4z" fill="{LINE}"/></g>'
    )


def _box(node: Node, item: _Item, layer: int) -> str:
    y = TOP + layer * LAYER
    return (
        f'<g class="node"><title>{escape(node.title or node.label)}</title>'
        f'<rect x="{item.x - item.width / 2:.1f}" y="{y:.1f}" width="{item.width:.1f}" height="{BOX_HEIGHT}" rx="7" '
        f'fill="{BOX_FILL}" stroke="#9aa3b2" stroke-width="1.1"/>'
        f'<text x="{item.x:.1f}" y="{y + 21:.1f}" text-anchor="middle" font-size="14" font-weight="600" fill="{INK}" '
        f"{MONO}>{escape(node.label)}</text></g>"
    )


def _words(x: float, y: float, text: str, size: float, colour: str, weight: int = 400) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" font-weight="{weight}" fill="{colour}" {SANS}>'
        f"{escape(text)}</text>"
    )
