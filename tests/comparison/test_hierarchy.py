"""The stored hierarchy: every execution in it separates, the papers' inclusions are there, and it comes out again."""

from __future__ import annotations

import itertools
import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import porf
from porf.comparison.hierarchy import Entry, Hierarchy, compute, stored
from porf.comparison.show_hierarchy import draw_hierarchy, hierarchy_table, one_line
from porf.comparison.vocabulary import interpreted
from porf.errors import ModelError
from porf.evidence.hasse import Link, Node, draw_order
from porf.formats import loads
from porf.models import MODELS
from porf.output.json import render
from tests.papers.test_tunc_2023_theorems import HIERARCHY
from tests.papers.test_zennou_2019 import INCLUSIONS, SEPARATIONS

TABLE = stored()
SEPARATED = [entry for entry in TABLE.entries.values() if entry.history is not None]


def test_it_has_every_pair_of_models() -> None:
    """porf models --hierarchy --recompute -o src/porf/models/hierarchy.json"""
    assert set(TABLE.models) == set(MODELS)
    assert set(TABLE.entries) == set(itertools.permutations(MODELS, 2))


@pytest.mark.parametrize("strong", MODELS)
def test_every_stored_execution_separates(strong: str) -> None:
    for entry in SEPARATED:
        if entry.strong == strong:
            assert entry.history is not None
            g = loads(entry.history)
            assert porf.check(g, strong, verify=True).consistent, entry
            assert porf.check(g, entry.weak, verify=True).inconsistent, entry


@pytest.mark.parametrize(("strong", "weak"), sorted({*HIERARCHY, *INCLUSIONS}))
def test_the_papers_inclusions(strong: str, weak: str) -> None:
    assert TABLE.included(strong, weak)
    assert not TABLE.included(weak, strong)


@pytest.mark.parametrize(("allows", "forbids"), SEPARATIONS)
def test_the_papers_separations(allows: str, forbids: str) -> None:
    assert not TABLE.included(allows, forbids)


def test_four_events_say_the_same_again() -> None:
    # No two of them look at orders.
    quick = [model for model in MODELS.values() if model.kernel is not None and model.decided_by != "walks"]
    again = compute(quick, events=4)
    for pair, entry in again.entries.items():
        known = TABLE.entries[pair]
        assert known.included or not entry.smallest or known.smallest
        if entry.history is not None and entry.smallest:
            assert known.history is not None
            assert len(loads(known.history)) == len(loads(entry.history))
        if known.included:
            assert entry.included
        assert entry.left_out == known.left_out


def test_it_is_transitive_by_way_of_models_that_interpret_enough() -> None:
    for a, b, c in itertools.permutations(TABLE.models, 3):
        shared = interpreted(MODELS[a]) & interpreted(MODELS[c])
        if shared <= interpreted(MODELS[b]) and TABLE.included(a, b) and TABLE.included(b, c):
            assert TABLE.included(a, c), (a, b, c)


def test_where_no_path_of_the_picture_leads_an_execution_refutes() -> None:
    """The caption says so."""
    classes = TABLE.equals()
    reached = {(a, a) for a in classes} | set(TABLE.covers())
    for through, a, b in itertools.product(classes, repeat=3):
        if (a, through) in reached and (through, b) in reached:
            reached.add((a, b))
    for a, b in itertools.product(classes, repeat=2):
        if all(TABLE.included(x, y) for x in a for y in b):
            assert (a, b) in reached


def test_stored_text_reads_back(tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    path.write_text(render([TABLE]))
    assert stored(path).record() == TABLE.record()


@pytest.mark.parametrize("text", ["", "{}", '{"models": [], "histories": [], "pairs": [{}]}'])
def test_a_broken_table_is_an_error(text: str, tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    path.write_text(text)
    with pytest.raises(ModelError, match="cannot be read"):
        stored(path)


def diamond() -> Hierarchy:
    """a below b and c, those below d; b = e; only what a < b = e, c < d say is proved."""
    above = {"a": "bcde", "b": "de", "c": "d", "d": "", "e": "bd"}
    entries = {}
    for x, y in itertools.permutations("abcde", 2):
        included = y in above[x]
        proof = "so" if (x, y) in (("a", "b"), ("a", "e"), ("c", "d")) else None
        entries[x, y] = Entry(x, y, proof, None if included else loads("T0 w x 1\nT1 r x 1\n"), True, 3)
    return Hierarchy(tuple("abcde"), entries)


def test_covers_leave_out_what_is_between() -> None:
    table = diamond()
    assert table.equals() == [("a",), ("b", "e"), ("c",), ("d",)]
    a, b, c, d = table.equals()
    assert set(table.covers()) == {(a, b), (a, c), (b, d), (c, d)}
    assert table.proved(a, b) and table.proved(c, d)
    assert not table.proved(b, d) and not table.proved(a, c)


def test_words() -> None:
    text = hierarchy_table(diamond())
    assert re.search(r"a +b = e +proved +w x 1 \| r x 1", text)
    assert re.search(r"b = e +d +no counterexample up to 3 events", text)
    assert "20 ordered pairs: 3 inclusions proved" in text
    assert "b = e: no execution is known to tell them apart" in text


def test_the_picture_has_every_class_and_every_arrow() -> None:
    root = ET.fromstring(draw_hierarchy(diamond()))
    space = "{http://www.w3.org/2000/svg}"
    labels = {text.text for text in root.iter(f"{space}text")}
    assert {"a", "b = e", "c", "d"} <= labels
    links = [g for g in root.iter(f"{space}g") if g.get("class") == "link"]
    solid = [g for g in links if g.find(f"{space}path[@stroke-dasharray]") is None]
    assert len(links) == 4 and len(solid) == 2


def boxes(svg: str) -> dict[str, tuple[float, float, float]]:
    """Left, right and top of each box, by its label."""
    found = re.findall(r'<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" [^>]*/><text [^>]*>([^<]+)<', svg)
    return {label: (float(x), float(x) + float(width), float(y)) for x, y, width, label in found}


def test_boxes_do_not_overlap_and_arrows_lead_down() -> None:
    nodes = [Node(name) for name in ("top", "a long label", "left", "right", "middle", "bottom", "aside")]
    links = [Link(0, 1), Link(0, 2), Link(0, 3), Link(1, 4), Link(2, 4), Link(3, 5), Link(4, 5), Link(0, 5)]
    svg = draw_order(nodes, links, "t", ["one", "two"])
    placed = boxes(svg)
    assert len(placed) == len(nodes)
    for (_, one), (_, other) in itertools.combinations(placed.items(), 2):
        assert one[2] != other[2] or one[1] < other[0] or other[1] < one[0]
    for link in links:
        assert placed[nodes[link.upper].label][2] < placed[nodes[link.lower].label][2]
    width = float(re.search(r'width="(\d+)"', svg)[1])  # type: ignore[index]
    assert all(left >= 0 and right <= width for left, right, _ in placed.values())


def test_one_line() -> None:
    assert one_line(loads("T0 w x 1 rel\nT1 r x 1 acq\nT0 r y 0\n")) == "w x 1 rel; r y 0 | r x 1 acq"


def test_json_of_an_entry() -> None:
    record = TABLE.entries["tso", "sc"].record()
    assert json.loads(json.dumps(record)) == record
    assert record["verdict"] == "separated" and record["smallest"]
