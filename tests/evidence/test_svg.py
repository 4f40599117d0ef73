"""Pictures: well-formed, complete, inside the canvas, nothing over anything else, and the same every time."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable
from functools import partial
from itertools import combinations, pairwise
from xml.etree import ElementTree

import numpy as np
import numpy.typing as npt
import pytest

from porf.evidence import Edge, Proof, Witness
from porf.evidence.labels import set_labels
from porf.evidence.layout import Layout, arrange, occupied
from porf.evidence.scene import Scene, compose
from porf.evidence.svg import draw
from porf.execution import Execution
from tests.evidence import samples

SVG = "{http://www.w3.org/2000/svg}"
Made = tuple[Execution, Proof | None, Witness | None]


def scattered(seed: int, events: int = 40, threads: int = 5) -> Made:
    """A random execution with a witness: reads take any of the last writes, in any direction."""
    rng = random.Random(seed)
    lines: list[str] = []
    order: dict[str, list[str]] = {}
    for i in range(events):
        loc = rng.choice("xyz")
        if rng.random() < 0.5 or loc not in order:
            lines.append(f"T{rng.randrange(threads)} w {loc} {i} id=w{i}")
            order.setdefault(loc, []).append(f"w{i}")
        else:
            name = rng.choice(["init", *order[loc][-3:]])
            lines.append(f"T{rng.randrange(threads)} r {loc} {0 if name == 'init' else name[1:]} rf={name}")
    g = samples.history("\n".join(lines))
    return g, None, samples.witness(g, **{loc: " ".join(names) for loc, names in order.items()})


def violation(make: Callable[[], tuple[Execution, Proof]]) -> Callable[[], Made]:
    return lambda: (*make(), None)


def thin_air() -> Made:
    g = samples.history("""
        T0 r x 1 id=a rf=d
        T0 w y 1 id=b data=a
        T1 r y 1 id=c rf=b
        T1 w x 1 id=d data=c ctrl=c
    """)
    return g, samples.proof(g, "no-thin-air", "a data b rf c data d rf a"), None


def itself() -> Made:
    g = samples.history("""
        T0 u x 1->1 id=u rf=u
        T0 u x 1->2 id=v rf=u
        T0 w y 1 addr=u,v data=u
    """)
    return g, samples.proof(g, "irreflexive", "u rf u"), None


SHAPES: dict[str, Callable[[], Made]] = {
    "store buffering": violation(samples.store_buffering),
    "message passing": violation(samples.message_passing),
    "iriw": violation(samples.iriw),
    "coherence": violation(samples.coherence),
    "update chain": violation(samples.update_chain),
    "case split": violation(samples.case_split),
    "large": violation(samples.large),
    "thin air": thin_air,
    "itself": itself,
    **{f"scattered {seed}": partial(scattered, seed) for seed in range(6)},
    "wide": partial(scattered, 9, events=60, threads=20),
}


@pytest.fixture(params=SHAPES)
def made(request: pytest.FixtureRequest) -> Made:
    return SHAPES[request.param]()


def laid_out(made: Made, limit: int = 60) -> tuple[Scene, Layout]:
    scene = compose(*made, limit)
    layout = arrange(made[0], scene, 60.0)
    set_labels(layout)
    return scene, layout


def parse(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def events(root: ElementTree.Element) -> list[int]:
    return [int(g.attrib["data-ref"]) for g in root.iter(f"{SVG}g") if g.attrib.get("class") == "event"]


def words(root: ElementTree.Element) -> str:
    return "\n".join("".join(node.itertext()) for node in root.iter(f"{SVG}text"))


def test_every_event_appears_once(made: Made) -> None:
    g, proof, _ = made
    shown = events(parse(draw(*made)))
    assert len(shown) == len(set(shown))
    if len(g) <= 60:
        assert {ref for ref in shown if ref >= 0} == set(range(len(g)))
    if proof is not None:
        assert set(proof.events()) <= set(shown)


def test_every_arrow_of_the_scene_is_drawn(made: Made) -> None:
    scene, layout = laid_out(made)
    assert [route.arrow for route in layout.routes] == scene.arrows
    drawn = [g for g in parse(draw(*made)).iter(f"{SVG}g") if g.attrib.get("class") == "arrow"]
    assert len(drawn) == len(scene.arrows)


def test_arrows_stay_on_the_canvas(made: Made) -> None:
    _, layout = laid_out(made)
    for route in layout.routes:
        for x, y in route.points():
            assert 0 <= x <= layout.width
            assert layout.top <= y <= layout.bottom
    for rect in [*occupied(layout), *(route.at for route in layout.routes if route.at)]:
        assert rect.x >= 0 and rect.x + rect.width <= layout.width + 1
        assert rect.y >= layout.top and rect.y + rect.height <= layout.bottom


def dense(points: list[tuple[float, float]]) -> npt.NDArray[np.float64]:
    """A polyline with a point every four pixels or so."""
    pieces = []
    for a, b in pairwise(points):
        count = int(max(abs(b[0] - a[0]), abs(b[1] - a[1])) / 4) + 2
        pieces.append(np.linspace(a, b, count))
    return np.concatenate(pieces)


def test_arrows_run_over_no_event(made: Made) -> None:
    _, layout = laid_out(made)
    for route in layout.routes:
        x, y = dense(route.points()).T
        for box in layout.boxes.values():
            r = box.rect
            across = (x > r.x + 1) & (x < r.x + r.width - 1)
            assert not np.any(across & (y > r.y + 1) & (y < r.y + r.height - 1)), (route.arrow, box)


def test_texts_do_not_overlap(made: Made) -> None:
    _, layout = laid_out(made)
    rects = [*occupied(layout), *(route.at for route in layout.routes if route.at is not None)]
    for one, other in combinations(rects, 2):
        assert not one.meets(other)


def test_almost_every_arrow_has_its_label(made: Made) -> None:
    _, layout = laid_out(made)
    wanted = [route for route in layout.routes if route.label]
    assert all(route.at is not None for route in wanted if route.arrow.cycle)
    assert sum(route.at is not None for route in wanted) >= 0.9 * len(wanted)


def test_po_and_rf_go_down_where_they_can(made: Made) -> None:
    g, _, _ = made
    scene, layout = laid_out(made)
    down = [
        layout.boxes[a.source].rect.y < layout.boxes[a.target].rect.y
        for a in scene.arrows
        if a.relation in ("po", "rf") and a.source != a.target
    ]
    assert all(down) or (g.id_names[0] == "a" and down.count(False) == 1)  # thin air: one rf must go up
    assert all(
        layout.boxes[a.source].rect.y < layout.boxes[a.target].rect.y for a in scene.arrows if a.relation == "po"
    )


def test_output_is_deterministic(made: Made) -> None:
    assert draw(*made, title="t") == draw(*made, title="t")


def test_the_cycle_is_highlighted_and_the_axiom_named() -> None:
    g, p = samples.coherence()
    scene, _ = laid_out((g, p, None))
    assert {(a.source, a.relation, a.target) for a in scene.arrows if a.cycle} == {(0, "mo", 1), (1, "mo", 0)}
    assert all(a.inferred for a in scene.arrows if a.cycle)
    said = words(parse(draw(g, p, title="two orders")))
    assert "two orders" in said
    assert "inconsistent: the highlighted cycle breaks the axiom coherence" in said
    assert "inferred mo" in said


def test_a_po_edge_of_the_cycle_lights_every_link_it_passes() -> None:
    g, p = samples.case_split()
    scene, _ = laid_out((g, p, None))
    lit = [(g.name(a.source), g.name(a.target)) for a in scene.arrows if a.relation == "po" and a.cycle]
    assert lit == [("b", "h"), ("h", "e"), ("e", "n")]


def test_a_witness_shows_neighbours_in_mo() -> None:
    g, _ = samples.case_split()
    scene, _ = laid_out((g, None, samples.witness(g, x="a b", y="d c", z="f k")))
    mo = [(g.name(a.source), g.name(a.target)) for a in scene.arrows if a.relation == "mo"]
    assert mo == [("a", "b"), ("d", "c"), ("f", "k")]
    assert not scene.cycle


def test_a_large_execution_shows_the_part_around_the_evidence() -> None:
    g, p = samples.large()
    began = time.perf_counter()
    root = parse(draw(g, p))
    assert time.perf_counter() - began < 10
    assert len(events(root)) == 13  # four of the cycle, two neighbours each, and the initial write that is read
    said = words(root)
    assert "the part around the evidence: 12 of 5000 events are shown" in said
    assert "⋮ 7 events" in said
    assert "⋮ 415 earlier" in said and "⋮ 396 later" in said
    assert re.search(r"\bT0\b", said) and not re.search(r"\bT3\b", said)


def test_without_evidence_a_large_execution_shows_its_beginning() -> None:
    g, _ = samples.large()
    root = parse(draw(g, limit=30))
    assert len(events(root)) == 30
    assert "the first events of each thread: 30 of 5000 events are shown" in words(root)


def test_more_threads_than_a_picture_holds() -> None:
    g = samples.history("\n".join(f"T{i} w x {i}" for i in range(100)))
    root = parse(draw(g))
    assert len(events(root)) == 20
    assert "the first events of 20 of 100 threads: 20 of 100 events are shown" in words(root)


def test_evidence_larger_than_the_picture_says_so() -> None:
    g, _ = samples.long_chain(200)
    p = Proof("sc", tuple(Edge(i, "po", (i + 3) % 400) for i in range(0, 400, 3)))
    root = parse(draw(g, p, limit=25))
    assert len(events(root)) == 25
    assert "the evidence is larger than this picture; its first part is shown" in words(root).replace("\n", " ")


def test_a_huge_proof_draws_quickly() -> None:
    g, p = samples.long_chain(100_000)
    began = time.perf_counter()
    assert len(events(parse(draw(g, p)))) <= 60
    assert time.perf_counter() - began < 10


def test_strange_names_are_escaped_shortened_and_kept_in_tooltips() -> None:
    g = samples.history("""
        main<&"thread" w a<b>&"c" 1 id=é&<x>
        main<&"thread" w 変数 2 sc id=a-very-long-identifier-of-an-event
        wörker r a<b>&"c" 1 acq id=🙂 rf=é&<x>
        wörker u 変数 2->3 acq_rel id=bell\x07 rf=a-very-long-identifier-of-an-event
    """)
    svg = draw(g, title="<title> & \x00 more")
    root = parse(svg)
    assert root.find(f"{SVG}title").text == r"<title> & \x00 more"  # type: ignore[union-attr]
    said = words(root)
    assert 'é&<x>  w a<b>&"c" 1' in said
    assert "a-very-long-ide…" in said and "identifier" not in said
    assert r"bell\x07" in said
    tooltips = [node.text for node in root.iter(f"{SVG}title")]
    assert 'main<&"thread": a-very-long-identifier-of-an-event w 変数 2 sc' in tooltips


def test_tooltips_give_reasons() -> None:
    tooltips = [node.text for node in parse(draw(*samples.coherence())).iter(f"{SVG}title")]
    why = "mo: a before b, because a happens before d, which reads b (a -rf-> c -po-> d)"
    assert f"a mo b ({why})" in tooltips


def test_the_caption_gives_the_nearest_reasons() -> None:
    said = words(parse(draw(*samples.coherence()))).replace("\n", " ")
    assert "mo: a before b, because a happens before d, which reads b" in said
    assert "further steps" not in said
    assert "… and further steps" in words(parse(draw(*samples.long_chain(20))))


def test_what_holds_only_within_a_case_is_not_drawn_as_a_fact() -> None:
    g, p = samples.case_split()
    mo = [a for a in laid_out((g, p, None))[0].arrows if a.relation == "mo"]
    assert [(g.name(a.source), g.name(a.target)) for a in mo] == [("a", "b")]


def test_an_empty_execution_is_a_picture_too() -> None:
    g = samples.history("T0 w x 1").restrict([]).execution
    assert events(parse(draw(g, title="nothing"))) == []
    unknown = samples.history("T0 w x 1 id=a\nT1 r x 1 rf=a").restrict([1]).execution
    assert events(parse(draw(unknown))) == [0]
