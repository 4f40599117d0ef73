"""The standard mappings are sound: what a history of C forbids, its test on a machine never shows."""

from __future__ import annotations

import random
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise

import pytest

import porf
from porf.automata.prove import prove
from porf.cli import main
from porf.errors import UsageError
from porf.events import Event
from porf.execution import Execution
from porf.exploration import explore
from porf.formats import loads
from porf.formats.litmus import litmus_test
from porf.programs.litmus import read_litmus
from tests.seeds import seeds

MODELS = {"x86": "x86tso", "aarch64": "aarch64", "ppc": "ppc", "riscv": "riscv"}
ORDERS = {
    "r": ["rlx", "rlx", "acq", "sc"],
    "w": ["rlx", "rlx", "rel", "sc"],
    "u": ["rlx", "acq", "rel", "acq_rel", "sc"],
    "f": ["acq", "rel", "acq_rel", "sc"],
}


def random_history(rng: random.Random, kinds: str) -> Execution:
    stores: dict[str, list[str]] = {"x": [], "y": []}
    drawn = []
    for at in range(rng.randint(3, 7)):
        kind, x = rng.choice(kinds), rng.choice("xy")
        drawn.append((f"e{at}", f"T{rng.randrange(3)}", kind, x))
        if kind in "wu":
            stores[x].append(f"e{at}")
    events = []
    for name, thread, kind, x in drawn:
        rf = rng.choice(["init", *(w for w in stores[x] if w != name)]) if kind in "ru" else None
        order = rng.choice(ORDERS[kind])
        events.append(Event(thread, kind, None if kind == "f" else x, order=order, rf=rf, name=name))
    return Execution.from_events(events)


def in_some_order(g: Execution) -> bool:
    """Whether program order and reads-from have no cycle."""
    edges: dict[int, set[int]] = {row: set() for row in range(len(g))}
    for thread in range(g.threads):
        for one, other in pairwise([row for row in range(len(g)) if g.thread[row] == thread]):
            edges[other].add(one)
    for row in range(len(g)):
        if g.reads(row) and g.rf[row] >= 0:
            edges[row].add(int(g.rf[row]))
    try:
        TopologicalSorter(edges).prepare()
    except CycleError:
        return False
    return True


def observed(g: Execution, language: str) -> bool:
    found = explore(read_litmus(litmus_test(g, "mapped", language=language)), MODELS[language]).observation
    assert found is not None
    return found.positive > 0


@pytest.mark.parametrize("seed", seeds(2, 60))
def test_what_imm_forbids_no_machine_shows(seed: int) -> None:
    """Without updates: in imm these order all that follows them, as loops of exclusives do and single instructions do
    not."""
    rng = random.Random(seed)
    forbidden = 0
    for _ in range(30):
        g = random_history(rng, "rrrwwwf")
        if porf.check(g, "imm").inconsistent:
            forbidden += 1
            assert not any(observed(g, language) for language in MODELS), porf.formats.dumps(g).decode()
    assert forbidden


@pytest.mark.parametrize("seed", seeds(2, 60))
def test_what_rc11_forbids_no_machine_shows_but_load_buffering(seed: int) -> None:
    rng = random.Random(seed)
    forbidden = 0
    for _ in range(30):
        g = random_history(rng, "rrrwwwuf")
        if in_some_order(g) and porf.check(g, "rc11").inconsistent:
            forbidden += 1
            assert not any(observed(g, language) for language in MODELS), porf.formats.dumps(g).decode()
    assert forbidden


@pytest.mark.parametrize(
    ("text", "language", "lines"),
    [
        ("T0 w x 1 sc\nT0 r x 1 sc", "x86", ["movl %ebx,(%rax)", "mfence", "movl (%rax),%ecx"]),
        ("T0 r x 0 acq\nT0 w y 1 rel", "aarch64", ["LDAR W1,[X0]", "MOV W3,#1", "STLR W3,[X2]"]),
        ("T0 u x 0->1 acq_rel", "aarch64", ["SWPAL W1,W2,[X0]"]),
        ("T0 r x 0 sc", "ppc", ["sync", "lwz r2,0(r1)", "cmpw r2,r2", "beq LC00", "LC00:", "isync"]),
        ("T0 w x 1 rel", "ppc", ["lwsync", "li r2,1", "stw r2,0(r1)"]),
        ("T0 r x 0 sc\nT0 w y 1 sc", "riscv", ["fence rw,rw", "lw x6,0(x5)", "fence r,rw", "fence rw,w"]),
        ("T0 u x 0->1 sc", "riscv", ["amoswap.w.aq.rl x7,x6,(x5)"]),
        ("T0 f acq\nT0 f sc\nT0 w x 1", "aarch64", ["DMB LD", "DMB SY"]),
        ("T0 f rel\nT0 f sc\nT0 w x 1", "x86", ["mfence"]),
    ],
)
def test_the_table(text: str, language: str, lines: list[str]) -> None:
    found = [line.strip(" ;") for line in litmus_test(loads(text), language=language).splitlines()]
    at = [found.index(line) for line in lines]
    assert at == sorted(at)


def test_the_counterexample_to_power_is_one_on_power() -> None:
    """Lahav et al. 2017: the leading-sync mapping of the original C11, on the model of the machine itself."""
    (failed,) = [j for j in prove("examples/proofs/c11_orig_to_power.kat") if j.verdict == "fails"]
    counterexample = failed.written_in("ppc").counterexample
    assert counterexample is not None
    test = counterexample.litmus()
    assert test is not None
    found = explore(read_litmus(test), "ppc").observation
    assert found is not None
    assert found.observation == "Sometimes"


def test_the_verbs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", "examples/histories/message-passing.txt", "-", "--to", "riscv"]) == 0
    assert "fence rw,w" in capsys.readouterr().out
    assert main(["compare", "tso", "sc", "--to", "x86"]) == 1
    assert "X86_64 tso-not-sc" in capsys.readouterr().out
    assert main(["prove", "examples/proofs/c11_orig_to_power.kat", "--to", "ppc"]) == 1
    assert "the same execution as a litmus test of Power:\n    PPC counterexample" in capsys.readouterr().out


def test_words_of_a_machine_are_not_mapped_to_another() -> None:
    with pytest.raises(UsageError, match=r"(?i)RISC-V has no 'dmb\.sy'"):
        litmus_test(loads("T0 w x 1\nT0 f dmb.sy"), language="riscv")
