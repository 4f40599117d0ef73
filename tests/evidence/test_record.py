"""Records are plain JSON, name events as people do, and stay small however large the proof is."""

from __future__ import annotations

import json

from porf.evidence.record import cycle_record, witness_record
from tests.evidence import samples


def test_base_edges_need_no_reason_and_initial_writes_come_first() -> None:
    assert cycle_record(*samples.message_passing()) == [
        {
            "from": "d",
            "relation": "fr",
            "to": "a",
            "because": {"text": "d reads init(x); the initial write comes first"},
        },
        {"from": "a", "relation": "po", "to": "b", "because": None},
        {"from": "b", "relation": "rf", "to": "c", "because": None},
        {"from": "c", "relation": "po", "to": "d", "because": None},
    ]


def test_an_inferred_edge_carries_its_refutation() -> None:
    first = cycle_record(*samples.coherence())[0]["because"]
    assert first["text"] == "a before b, because a happens before d, which reads b (a -rf-> c -po-> d)"
    assert first["axiom"] == "coherence"
    assert [(e["from"], e["relation"], e["to"]) for e in first["cycle"]] == [
        ("d", "fr", "a"),
        ("a", "rf", "c"),
        ("c", "po", "d"),
    ]
    supposed = first["cycle"][0]["because"]
    assert supposed == {"text": "d reads b; b before a is supposed here, to be refuted"}


def test_a_case_carries_its_own_steps() -> None:
    case = cycle_record(*samples.case_split())[0]["because"]
    assert case["text"] == (
        "n reads a; a before b, because supposing instead b before a, a cycle would break sc: "
        "c -po-> f -rf-> h -po-> e -fr-> c"
    )
    inner = case["cycle"][3]["because"]
    assert [e["because"] and e["because"]["text"] for e in inner["cycle"]] == [
        "c before d is supposed here, to be refuted",
        None,
        "b before a is supposed here, to be refuted",
        None,
    ]


def test_depth_is_bounded() -> None:
    g, p = samples.update_chain()
    edge = cycle_record(g, p, depth=1)[0]["because"]["cycle"][0]
    assert (edge["from"], edge["to"]) == ("v", "u1")
    assert set(edge["because"]) == {"text"}
    assert set(cycle_record(g, p, depth=0)[0]["because"]) == {"text"}


def test_size_is_bounded() -> None:
    g, p = samples.long_chain(100_000)
    small = cycle_record(g, p, depth=10**6, size=400)
    edges = []
    level = small
    while level:
        edges += level
        level = [e for edge in level if edge["because"] for e in edge["because"].get("cycle", [])]
    assert 390 < len(edges) <= 402
    assert len(json.dumps(cycle_record(g, p))) < 10_000


def test_witness_lists_the_written_locations_only() -> None:
    g = samples.history("""
        T0 w x 1 id=a
        T1 w x 2
        T1 r y 0 rf=init
    """)
    assert witness_record(g, samples.witness(g, x="e1 a")) == {"mo": {"x": ["e1", "a"]}}
