"""The exact sentences that people read, one test a shape of proof."""

from __future__ import annotations

import textwrap
import time

from porf.evidence import Edge, Proof, Step
from porf.evidence.words import explain
from porf.execution import initial_write
from tests.evidence import samples
from tests.evidence.samples import history, proof, step


def text(block: str) -> str:
    return textwrap.dedent(block).strip("\n")


def sentences(explanation: str) -> list[str]:
    return [line.strip() for line in explanation.splitlines() if line.lstrip().startswith("[")]


def test_a_cycle_of_reads_of_initial_values() -> None:
    assert explain(*samples.message_passing(), "ra") == text("""
        this cycle breaks the axiom coherence of ra:

                 d  T1 r x 0
          -fr->  a  T0 w x 1      d reads init(x), and the initial write comes first
          -po->  b  T0 w y 1 rel
          -rf->  c  T1 r y 1 acq
          -po->  d  T1 r x 0
    """)


def test_coherence_names_the_read_that_decides() -> None:
    assert explain(*samples.coherence(), "ra") == text("""
        this cycle breaks the axiom coherence of ra:

                 a  T0 w x 1
          -mo->  b  T1 w x 2  [1]
          -mo->  a  T0 w x 1  [2]

          [1] mo: a before b, because a happens before d, which reads b (a -rf-> c -po-> d)
          [2] mo: b before a, because b happens before f, which reads a (b -rf-> e -po-> f)
    """)


def test_atomicity_moves_a_write_before_what_an_update_reads() -> None:
    said = explain(*samples.update_chain(), "rc20")
    atomic = "and nothing comes between a write and its update"
    assert sentences(said) == [
        f"[1] mo: v before w, because u1 updates w, v is before u1 [2], {atomic}",
        f"[2] mo: v before u1, because u2 updates u1, v is before u2 [3], {atomic}",
        "[3] mo: v before u2, because v happens before t, which reads u2 (v -rf-> s -po-> t)",
    ]


def test_atomicity_moves_a_later_write_after_the_update() -> None:
    g = history("""
        T0 w x 1 id=w
        T0 w x 7 id=v
        T1 u x 1->2 id=u rf=w
        T1 r x 7 id=r rf=v
        T2 r x 7 id=s rf=v
        T2 r x 2 id=t rf=u
    """)
    p = proof(
        g,
        "coherence",
        "u mo v rf s po t fr v",
        step(g, "w", "v", "coherence", "v mo w po v"),
        step(g, "u", "v", "atomicity", "u fr v mo u"),
    )
    assert sentences(explain(g, p, "ra")) == [
        "[1] mo: u before v, because u updates w, v is after w [2], and nothing comes between a write and its update",
        "[2] mo: w before v, because w happens before v",
    ]


def test_a_proof_by_cases_is_indented() -> None:
    assert explain(*samples.case_split(), "sc") == text("""
        this cycle breaks the axiom sc of sc:

                 n  T1 r x 1
          -fr->  b  T1 w x 2  n reads a, which is before b [1]
          -po->  n  T1 r x 1

          [1] mo: a before b; suppose instead b before a: then
              [2] mo: d before c, because otherwise this cycle would break sc: CYCLE
              and this cycle breaks sc: c -po-> f -rf-> h -po-> e -fr-> c [2]
    """).replace("CYCLE", "c -mo-> d (supposed) -po-> b -mo-> a (supposed) -po-> c")


def test_a_read_of_the_other_write_and_a_path_walked_backwards() -> None:
    g = history("""
        T0 w x 1 id=a
        T1 u x 1->2 id=u rf=a
        T1 w x 3 id=b
        T1 r x 2 id=r rf=u
    """)
    p = proof(
        g,
        "coherence",
        "a mo u mo b mo u",
        step(g, "a", "u", "coherence", "u mo a rf u"),
        step(g, "u", "b", "coherence", "b mo u po b"),
        step(g, "b", "u", "coherence", "u mo b po r rf^-1 u"),
    )
    assert sentences(explain(g, p, "ra")) == [
        "[1] mo: a before u, because u reads a",
        "[2] mo: u before b, because u happens before b",
        "[3] mo: b before u, because b happens before r, which reads u",
    ]


def test_the_initial_write_comes_first() -> None:
    g = history("T0 w x 1 id=a\nT1 r x 0 id=r rf=init")
    cycle = (Edge(initial_write(0), "mo", 0), Edge(0, "rf", initial_write(0)))
    assert explain(g, Proof("odd", cycle), "m").splitlines()[3].endswith("the initial write comes first")


def test_a_shared_step_is_explained_once() -> None:
    g, _ = samples.coherence()
    shared = step(g, "a", "b", "coherence", "d fr a rf c po d")
    p = proof(g, "coherence", "a mo b po e mo a mo b po a", shared, step(g, "e", "a", "x", "a mo b mo a"))
    said = explain(g, p, "ra")
    assert said.count("because a happens before d") == 1
    assert sentences(said) == [
        "[1] mo: a before b, because a happens before d, which reads b (a -rf-> c -po-> d)",
        "[2] mo: e before a, because otherwise this cycle would break x: a -mo-> b [1] -mo-> a",
    ]


def test_a_step_never_stands_on_a_later_one() -> None:
    g, _ = samples.coherence()
    early = step(g, "a", "b", "x", "b mo a mo e po b")
    late = step(g, "a", "e", "x", "e mo a mo b po e")
    said = explain(g, proof(g, "x", "a mo b po a", early, late), "m")
    assert sentences(said) == [
        "[1] mo: a before b, because otherwise this cycle would break x: b -mo-> a (supposed) -mo-> e -po-> b"
    ]


def test_unused_steps_are_left_out() -> None:
    assert "w before u1" not in explain(*samples.update_chain(), "ra")


def test_long_proofs_are_capped() -> None:
    said = explain(*samples.long_chain(50), "ra", limit=2)
    assert said.splitlines()[-1] == "  … and 48 more steps (see --json)"
    assert len(sentences(said)) == 2
    assert "e94 -mo-> e95 […]" in said
    assert explain(*samples.long_chain(3), "ra", limit=2).endswith("… and 1 more step (see --json)")


def test_a_hundred_thousand_steps_neither_recurse_nor_crawl() -> None:
    g, p = samples.long_chain(100_000)
    began = time.perf_counter()
    assert "99960 more steps" in explain(g, p, "ra")
    assert time.perf_counter() - began < 30


def test_cases_within_cases_do_not_recurse() -> None:
    g, _ = samples.long_chain(3000)
    inner = Proof("c", (Edge(0, "mo", 1), Edge(1, "po", 0)), (Step(0, 1, Proof("c", (Edge(1, "mo", 0),))),))
    for i in range(1, 3000):
        claim = Edge(2 * i, "mo", 2 * i + 1)
        inner = Proof("c", (claim, Edge(claim.target, "po", claim.source)), (Step(2 * i, 2 * i + 1, inner),))
    said = explain(g, inner, "ra", limit=10)
    assert said.count("suppose instead") == 10
    assert said.endswith("… and 2990 more steps (see --json)")


def test_a_long_cycle_shows_its_ends() -> None:
    g, _ = samples.long_chain(200)
    p = Proof("sc", tuple(Edge(i, "po", (i + 1) % 400) for i in range(400)))
    lines = explain(g, p, "sc").splitlines()
    assert "  … 340 more edges …" in lines
    assert lines[-1].split() == ["-po->", "e0", "T0", "w", "x"]


def test_what_does_not_come_round_is_called_a_path() -> None:
    g = history("T0 u x 0->1 rf=init id=a\nT1 u x 0->2 rf=init id=b")
    p = Proof("weak-atomicity", (Edge(0, "rf^-1", initial_write(0)), Edge(initial_write(0), "rf", 1)))
    assert explain(g, p, "wra").startswith("this path breaks the axiom weak-atomicity of wra:")


def test_a_proof_without_a_cycle_says_so() -> None:
    g, _ = samples.store_buffering()
    assert "(no single cycle shows it)" in explain(g, Proof("empty", ()), "m")
