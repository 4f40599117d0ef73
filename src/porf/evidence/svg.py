"""Evidence as a picture: an SVG of the events around a violation, or of an execution with its witness."""

from collections.abc import Collection, Sequence
from xml.sax.saxutils import escape

from porf.errors import shown
from porf.evidence.data import Core, Edge, Proof, Witness
from porf.evidence.labels import set_labels
from porf.evidence.lanes import BOX
from porf.evidence.layout import HEADER, SMALL, Box, Layout, Rect, Route, arrange, shorten, text_width
from porf.evidence.reasons import chain, shape
from porf.evidence.scene import Arrow, Scene, compose
from porf.execution import DEPENDENCIES, Execution

COLOURS = {"po": "#8b93a1", "rf": "#15803d", "mo": "#1d5fd1", "fr": "#d4281c", "rt": "#a16207"}
COLOURS |= {"hb": "#0e7490", "cf": "#be185d", "rw": "#d4281c"}  # of the causal criteria
DEPENDENCY, OTHER = "#7e3bd0", "#92400e"
GLOW = "#f5a524"
SANS = "font-family=\"system-ui, 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif\""
MONO = "font-family=\"ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace\""
SIDE = 20.0
NARROWEST = 500.0
MOST_REASONS = 4  # sentences in the caption


def draw(
    execution: Execution,
    proof: Proof | None = None,
    witness: Witness | None = None,
    core: Core | None = None,
    title: str | None = None,
    limit: int = 60,
    marked: Collection[int] = (),
    caption: Sequence[str] = (),
    rows: Collection[int] | None = None,
    edges: Sequence[Edge] = (),
) -> str:
    """One SVG document of at most about `limit` events, with a line that says how many are left out.

    Events that are `marked` stand out, as those of a cycle do, and so do these edges; `caption` is said below. Without
    evidence, the given rows are drawn, or the first ones.
    """
    scene = compose(execution, proof, witness, limit, core, rows, edges)
    scene.cycle |= set(marked) & set(scene.events)
    layout = arrange(execution, scene, top=64.0 if title else 44.0)
    set_labels(layout)
    width = max(NARROWEST, layout.width)
    shift = (width - layout.width) / 2
    body = [
        *_bands(layout),
        *_arrows(execution, scene, layout),
        *(_box(execution, scene, b) for b in layout.boxes.values()),
    ]
    body += [_note(rect, text) for rect, text in layout.notes]
    body += _labels(layout)
    below = [*caption, *_caption(execution, scene, proof, witness, core)]
    frame, height = _frame(scene, title, below, layout.bottom, width)
    name = _text(title or execution.source)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{_n(width)}" height="{_n(height)}" '
            f'viewBox="0 0 {_n(width)} {_n(height)}" role="img">',
            f"<title>{name}</title>",
            f"<desc>{_text(' '.join(below))}</desc>",
            f'<rect width="{_n(width)}" height="{_n(height)}" fill="#ffffff"/>',
            *frame,
            f'<g transform="translate({_n(shift)} 0)">',
            *body,
            "</g>",
            "</svg>",
            "",
        ]
    )


def _caption(
    execution: Execution, scene: Scene, proof: Proof | None, witness: Witness | None, core: Core | None
) -> list[str]:
    out = []
    if proof is not None:
        out.append(f"inconsistent: the highlighted {shape(proof)} breaks the axiom {shorten(proof.axiom, 60)}")
        out.append(shorten(chain(execution, proof.cycle, lambda _: "", 10), 160))
        out += [shorten(line, 200) for line in scene.reasons[:MOST_REASONS]]
        if len(scene.reasons) > MOST_REASONS:
            out.append("… and further steps, in words (porf check)")
    elif witness is not None:
        out.append("consistent: mo is the witness")
    elif core is not None:
        least = ", and no part of them is" if core.minimal else ""
        out.append(f"inconsistent: so are these {len(core.rows)} events by themselves{least}")
    if scene.evidence_cut:
        out.append("the evidence is larger than this picture; its first part is shown")
    if scene.left_out:
        shown = len(scene.before)
        threads = "each thread" if shown == execution.threads else f"{shown} of {execution.threads} threads"
        part = "the part around the evidence" if proof is not None else f"the first events of {threads}"
        if scene.chosen:
            part = "without what plays no part"
        out.append(f"{part}: {scene.total - scene.left_out} of {scene.total} events are shown")
    return [line for line in out if line]


def _frame(scene: Scene, title: str | None, caption: list[str], bottom: float, width: float) -> tuple[list[str], float]:
    """The title above, the caption and the legend below; and the height of it all."""
    out = []
    room = width - 2 * SIDE
    if title:
        out.append(_words(SIDE, 34, shorten(title, int(room / 11)), size=17, weight=600, colour="#111827"))
    y = bottom + 26
    for at, line in enumerate(caption):
        bold = 600 if at == 0 else 400
        for piece in _wrap(line, int(room / (6.8 if at else 7.4))):
            out.append(_words(SIDE, y, piece, size=12.5, weight=bold, colour="#111827" if at == 0 else "#4b5563"))
            y += 18
    x = SIDE
    y += 6
    for name, inferred in _entries(scene):
        wide = 34 + text_width(name, SMALL + 0.5) + 16
        if x + wide > width - SIDE and x > SIDE:
            x, y = SIDE, y + 18
        dash = _dash("mo" if inferred else name, inferred)
        colour = colour_of("mo" if inferred else name)
        out.append(
            f'<path d="M{_n(x)} {_n(y)}h20" stroke="{colour}" stroke-width="1.6" fill="none"{dash}/>'
            f'<path d="M{_n(x + 27)} {_n(y)}l-8 -3.6v7.2z" fill="{colour}"/>'
        )
        out.append(_words(x + 33, y + 4, name, size=11.5, weight=400, colour="#4b5563"))
        x += wide
    return out, y + 22


def _entries(scene: Scene) -> list[tuple[str, bool]]:
    """What the legend explains: the relations that are drawn, the common ones first, and what dashes mean."""
    usual = (*COLOURS, *DEPENDENCIES)
    drawn = dict.fromkeys(arrow.relation for arrow in scene.arrows if not arrow.inferred)
    out = [(name, False) for name in (*usual, *drawn) if name in drawn]
    if any(arrow.inferred for arrow in scene.arrows):
        out.append(("inferred mo", True))
    return list(dict.fromkeys(out))


def _wrap(line: str, most: int) -> list[str]:
    out = [""]
    for word in line.split(" "):
        if out[-1] and len(out[-1]) + 1 + len(word) > most:
            out.append("")
        out[-1] += (" " if out[-1] else "") + word
    return [shorten(piece, most) for piece in out]


def _bands(layout: Layout) -> list[str]:
    out = []
    for column in layout.columns:
        x, y, wide = _n(column.x - 6), _n(layout.top), _n(column.width + 12)
        tall = _n(layout.bottom - layout.top)
        out.append(f'<rect x="{x}" y="{y}" width="{wide}" height="{tall}" rx="8" fill="#f5f6f8"/>')
        middle, base = _n(column.x + column.width / 2), _n(layout.top + HEADER / 2 + 5)
        out.append(
            f'<text x="{middle}" y="{base}" text-anchor="middle" font-size="12.5" font-weight="600" '
            f'fill="#374151" {SANS}>{_text(column.title)}</text>'
        )
    return out


def _box(execution: Execution, scene: Scene, box: Box) -> str:
    rect = box.rect
    lit = box.ref in scene.cycle
    faint = bool(scene.cycle) and not lit
    stroke, ink, soft, line = "#9aa3b2", "#111827", "#6b7280", 1.1
    if lit:
        stroke, soft, line = "#1f2937", "#4b5563", 1.8
    elif faint:
        stroke, ink, soft, line = "#d3d7de", "#6b7280", "#8b93a1", 1.0
    full = execution.describe(box.ref)
    if box.ref >= 0:
        thread = execution.thread_names[int(execution.thread[box.ref])]
        full = " ".join(filter(None, [f"{thread}: {execution.name(box.ref)} {full}", execution.remarks(box.ref)]))
    glow = ""
    if lit:
        glow = (
            f'<rect x="{_n(rect.x - 4)}" y="{_n(rect.y - 4)}" width="{_n(rect.width + 8)}" '
            f'height="{_n(rect.height + 8)}" rx="9" fill="{GLOW}" fill-opacity="0.28"/>'
        )
    name = f'<tspan font-weight="700" fill="{soft}">{_text(box.name)}</tspan>  ' if box.name else ""
    base, remark = rect.y + BOX / 2 + 4.2, ""
    if box.remark:
        base -= 4
        remark = (
            f'<text x="{_n(rect.x + rect.width / 2)}" y="{_n(rect.y + BOX - 4.5)}" text-anchor="middle" '
            f'font-size="9.5" fill="{soft}" {MONO}>{_text(box.remark)}</text>'
        )
    return (
        f'<g class="event" data-ref="{box.ref}"{_place(execution, box.ref)}><title>{_text(full)}</title>{glow}'
        f'<rect x="{_n(rect.x)}" y="{_n(rect.y)}" width="{_n(rect.width)}" height="{_n(rect.height)}" rx="6" '
        f'fill="{"#fffdf5" if lit else "#ffffff"}" stroke="{stroke}" stroke-width="{line}"/>'
        f'<text x="{_n(rect.x + rect.width / 2)}" y="{_n(base)}" text-anchor="middle" '
        f'font-size="12" fill="{ink}" xml:space="preserve" {MONO}>{name}{_text(box.text)}</text>{remark}</g>'
    )


def _arrows(execution: Execution, scene: Scene, layout: Layout) -> list[str]:
    """Glow first, then the plain arrows, then the cycle's, so that the cycle is on top."""
    routes = sorted(layout.routes, key=lambda route: (route.arrow.cycle, route.arrow.relation != "po"))
    glow = [
        f'<path d="{_path(route)}" fill="none" stroke="{GLOW}" stroke-opacity="0.28" stroke-width="9" '
        'stroke-linecap="round" stroke-linejoin="round"/>'
        for route in routes
        if route.arrow.cycle
    ]
    faint = [bool(scene.cycle) and not route.arrow.cycle for route in routes]
    return glow + [_arrow(execution, route, dim) for route, dim in zip(routes, faint, strict=True)]


def _arrow(execution: Execution, route: Route, dim: bool) -> str:
    arrow = route.arrow
    colour = colour_of(arrow.relation)
    if arrow.relation == "po" and arrow.cycle:
        colour = "#4b5563"
    width = 2.6 if arrow.cycle else 1.4
    x, y = route.path[-1][1][-2:]
    dx, dy = route.heading
    long, half = (10.0, 4.6) if arrow.cycle else (8.0, 3.6)
    back = (x - long * dx, y - long * dy)
    tip = [(x, y), (back[0] + half * dy, back[1] + half * dx), (back[0] - half * dy, back[1] - half * dx)]
    words = f"{execution.name(arrow.source)} {arrow.relation} {execution.name(arrow.target)}"
    if arrow.note:
        words += f" ({arrow.note})"
    dash = _dash(arrow.relation, arrow.inferred or arrow.elided > 0)
    return (
        f'<g class="arrow" {_data(arrow)} opacity="{0.65 if dim else 1}"><title>{_text(words)}</title>'
        f'<path d="{_path(route, long - 2)}" fill="none" stroke="{colour}" stroke-width="{width}"{dash}/>'
        f'<path d="M{" L".join(f"{_n(px)} {_n(py)}" for px, py in tip)}Z" fill="{colour}"/></g>'
    )


def _labels(layout: Layout) -> list[str]:
    out = []
    for route in layout.routes:
        if route.at is None:
            continue
        at, arrow = route.at, route.arrow
        colour = colour_of(arrow.relation) if arrow.relation != "po" else "#4b5563"
        if arrow.relation != "po":  # a label on its arrow, not beside it
            out.append(
                f'<rect class="label" {_data(arrow)} x="{_n(at.x)}" y="{_n(at.y)}" width="{_n(at.width)}" '
                f'height="{_n(at.height)}" rx="4" '
                'fill="#ffffff" fill-opacity="0.94"/>'
            )
        out.append(
            f'<text class="label" {_data(arrow)} x="{_n(at.x + at.width / 2)}" y="{_n(at.y + at.height - 3)}" '
            f'text-anchor="middle" font-size="10.5" font-weight="{700 if arrow.cycle else 500}" fill="{colour}" {MONO}>'
            f"{_text(route.label)}</text>"
        )
    return out


def _data(arrow: Arrow) -> str:
    """For pages that show and hide arrows."""
    return f'data-relation="{_text(arrow.relation)}" data-from="{arrow.source}" data-to="{arrow.target}"'


def _place(execution: Execution, ref: int) -> str:
    """For pages that show the source beside the picture."""
    place = execution.place(ref)
    return f' data-place="{_text(place)}"' if place else ""


def _note(rect: Rect, text: str) -> str:
    return (
        f'<text x="{_n(rect.x + rect.width / 2)}" y="{_n(rect.y + rect.height - 3)}" text-anchor="middle" '
        f'font-size="10.5" fill="#6b7280" {MONO}>{_text(text)}</text>'
    )


def _words(x: float, y: float, text: str, *, size: float, weight: int, colour: str) -> str:
    return (
        f'<text x="{_n(x)}" y="{_n(y)}" font-size="{size}" font-weight="{weight}" fill="{colour}" {SANS}>'
        f"{_text(text)}</text>"
    )


def colour_of(relation: str) -> str:
    return DEPENDENCY if relation in DEPENDENCIES else COLOURS.get(relation, OTHER)


def _dash(relation: str, dashed: bool) -> str:
    if relation in DEPENDENCIES:
        return ' stroke-dasharray="2.5 3"'
    return ' stroke-dasharray="6 4"' if dashed else ""


def _path(route: Route, short: float = 0.0) -> str:
    """The path data; a stroke under an arrow head ends a little before the tip."""
    out = []
    for at, (command, numbers) in enumerate(route.path):
        if at == len(route.path) - 1:
            x, y = numbers[-2:]
            numbers = (*numbers[:-2], x - short * route.heading[0], y - short * route.heading[1])
        out.append(command + " ".join(_n(number) for number in numbers))
    return "".join(out)


def _n(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")


def _text(text: str) -> str:
    """Any name as XML text, as it is shown elsewhere."""
    return escape(shown(text), {'"': "&quot;"})
