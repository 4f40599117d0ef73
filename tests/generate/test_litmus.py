"""Tests made of cycles: readers take each, sc forbids it, and its condition singles out the execution of the cycle."""

from __future__ import annotations

import random
import re
from pathlib import Path

import numpy as np
import pytest

from porf.cli import main
from porf.errors import UsageError
from porf.execution import Execution, Op
from porf.exploration import explore
from porf.formats.litmus import LANGUAGES
from porf.generate import litmus, litmus_tests
from porf.generate.critical import critical, edges_of
from porf.generate.cycles import Cycle, execution_of, read_cycle
from porf.generate.edges import Vocabulary, vocabulary
from porf.generate.litmus import MadeTest, made
from porf.programs.litmus import read_litmus
from tests.programs.test_litmus_catalogue import ROOT
from tests.seeds import seeds

MODELS = {"x86": "x86tso", "aarch64": "aarch64", "ppc": "ppc", "riscv": "riscv", "c": "rc11"}
COHERENT = """(* Title: coherence alone *)
acyclic po-loc | rf | co | fr as coherence
empty rmw & (fre ; coe) as atomicity
"""


@pytest.fixture(scope="module")
def coherent(tmp_path_factory: pytest.TempPathFactory) -> str:
    path: Path = tmp_path_factory.mktemp("models") / "coherent.cat"
    path.write_text(COHERENT)
    return str(path)


def random_cycle(rng: random.Random, words: Vocabulary) -> Cycle:
    """Edges drawn until they close: also of one location, with several in a thread, updates and internal ones."""
    kinds = f"Rfe Fre Coe Rfe Fre Coe {words.usual} Pos** Rfi Fri Coi {' '.join(words.updates)}"
    edges = edges_of(kinds, words)
    while True:
        chosen = [rng.choice(edges)]
        while len(chosen) < 7:
            fitting = [e for e in edges if e.source == chosen[-1].target and _meet(chosen[-1].orders[1], e.orders[0])]
            if not fitting or (
                chosen[0].source == chosen[-1].target
                and _meet(chosen[-1].orders[1], chosen[0].orders[0])
                and len(chosen) > 2
                and rng.random() < 0.5
            ):
                break
            chosen.append(rng.choice(fitting))
        try:
            cycle = read_cycle(" ".join(map(str, chosen)), words)
            made(cycle)
            return cycle
        except UsageError:  # the edges do not close, or the machine has no such instruction
            continue


def _meet(one: str, other: str) -> bool:
    return "" in (one, other) or one == other


def check_holds(cycle: Cycle) -> None:
    """Each edge of the cycle is there in its execution: by values and orders, apart from how it was made."""
    found = execution_of(cycle)
    g = found.execution
    place = {row: (loc, at) for loc, order in enumerate(found.mo) for at, row in enumerate(order)}
    rows = _rows(cycle, g)
    for at, edge in enumerate(cycle.edges):
        one, other = rows[at], rows[(at + 1) % len(rows)]
        same_thread = g.thread[one] == g.thread[other]
        assert same_thread != edge.external
        assert (g.loc[one] == g.loc[other]) == edge.same
        assert g.reads(one) if edge.source == "R" else g.writes(one), edge
        if edge.kind == "rf":
            assert g.rf[other] == one
        elif edge.kind == "co":
            assert place[one] < place[other]
        elif edge.kind == "fr":
            assert g.rf[one] < 0 or place[int(g.rf[one])] < place[other]
        elif edge.kind in ("addr", "data", "ctrl"):
            assert (one, other) in set(zip(*(column.tolist() for column in g.dependencies[edge.kind]), strict=True))
        elif edge.kind == "rmw":
            assert one == other or "lxsx" in g.dependencies
        else:
            assert one < other


def is_coherent(g: Execution, mo: list[list[int]]) -> bool:
    """Whether program order within each location goes together with what is read and overwritten."""
    place = {row: at + 1 for order in mo for at, row in enumerate(order)}
    for loc in range(g.locations):
        for thread in range(g.threads):
            last = 0.0
            for row in np.flatnonzero((g.loc == loc) & (g.thread == thread)).tolist():
                writer = place.get(int(g.rf[row]), 0)
                seen, now = (writer, writer) if g.op[row] == Op.READ else (place[row] - 0.5, place[row])
                if seen < last or (g.op[row] == Op.UPDATE and writer != place[row] - 1):
                    return False
                last = now
    sources, targets = g.dependencies.get("lxsx", ((), ()))
    return all(place.get(int(g.rf[r]), 0) == place[int(w)] - 1 for r, w in zip(sources, targets, strict=True))


def _rows(cycle: Cycle, g: Execution) -> list[int]:
    """The rows of a cycle's events: threads and accesses are in its order, observers and fences aside."""
    accesses = [row for row in range(len(g)) if g.loc[row] >= 0 and not g.name(row).startswith("o")]
    merged = [edge.kind == "rmw" and not edge.exclusive for edge in cycle.edges]
    out, at = [], -1
    for n in range(len(cycle.edges)):
        at += not merged[n - 1]
        out.append(accesses[at])
    return out


def check_test(cycle: Cycle, model: str) -> None:
    """The test is read, its condition has one execution where only coherence is asked for, and none under sc."""
    check_holds(cycle)
    test = read_litmus(made(cycle).text)
    everything = explore(test, model)
    assert everything.observation is not None, str(cycle)
    at_all = everything.observation.positive
    found = execution_of(cycle)
    assert at_all == is_coherent(found.execution, found.mo), str(cycle)
    under_sc = explore(test, "sc")
    assert under_sc.observation is not None
    assert under_sc.observation.observation == "Never", str(cycle)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_small_critical_cycle(language: str, coherent: str) -> None:
    words = vocabulary(language)
    cycles = list(critical(edges_of(None, words), 4, words))
    assert len(cycles) >= 20
    for cycle in random.Random(language).sample(cycles, 20):
        check_test(cycle, coherent)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seed", seeds(8, 200))
def test_random_cycles(language: str, seed: int, coherent: str) -> None:
    rng = random.Random(seed)
    for _ in range(4):
        check_test(random_cycle(rng, vocabulary(language)), coherent)


@pytest.mark.parametrize(
    ("name", "language", "cycle"),
    [
        ("MP", "c", "PodWW Rfe PodRR Fre"),
        ("SB+mfences", "x86", "MFencedWR Fre MFencedWR Fre"),
        ("LB+addr+data", "aarch64", "DpAddrdW Rfe DpDatadW Rfe"),
        ("S+popl+poap", "aarch64", "PodWW L Rfe A PodRW Coe"),
        ("R+sync+lwsync", "ppc", "SyncdWW Wse LwSyncdWR Fre"),
        ("2+2W+fence.rw.ws", "riscv", "Fence.rw.wdWW Coe Fence.rw.wdWW Coe"),
        ("WRC+addrR-po+ctrlisb", "aarch64", "Rfe DpAddrdR PodRW Rfe DpCtrlIsbdR Fre"),
        ("MP+porlxrel+poacqrlx", "c", "PodWWRlxRel RfeRelAcq PodRRAcqRlx FreRlxRlx"),
        ("IRIW+syncs", "ppc", "Rfe SyncdRR Fre Rfe SyncdRR Fre"),
        ("RWC+popa+pola+L", "aarch64", "RfeLP PodRRPA FreAL PodWRLA FreAL"),
        ("3.LB+po+addrR-po+addrW-po", "ppc", "PodRW Rfe DpAddrdR PodRW Rfe DpAddrdW PodWW Rfe"),
        ("SB+rfi-addrs", "aarch64", "Rfi DpAddrdR Fre Rfi DpAddrdR Fre"),
        ("R+poWnaa-poanas", "x86", "PodWWNaA PodWWANa Coe PodWWNaA PodWRANa Fre"),
        ("S+po-amo.swps", "aarch64", "PodWR Amo.Swp Rfe PodRR Amo.Swp Coe"),
        ("CoRR", "riscv", "Rfe PosRR Fre"),
    ],
)
def test_names(name: str, language: str, cycle: str) -> None:
    assert made(read_cycle(cycle, vocabulary(language))).name == name


def test_every_rotation_is_the_same_test() -> None:
    edges = ["Rfe", "DpAddrdW", "Rfe", "DMB.LDdRR", "Fre"]
    turned = {litmus(" ".join(edges[at:] + edges[:at]), "aarch64") for at in range(len(edges))}
    assert len(turned) == 1


def test_message_passing_in_full() -> None:
    assert litmus("DMB.STdWW Rfe DpCtrlIsbdR Fre", "aarch64") == (
        "AArch64 MP+dmb.st+ctrlisb\n"
        '"DMB.STdWW Rfe DpCtrlIsbdR Fre"\n'
        "{\n"
        " 0:X0=x; 0:X2=y;\n"
        " 1:X0=y; 1:X2=x;\n"
        "}\n"
        " P0          | P1           ;\n"
        " MOV W1,#1   | LDR W1,[X0]  ;\n"
        " STR W1,[X0] | CBNZ W1,LC10 ;\n"
        " DMB ST      | LC10:        ;\n"
        " STR W1,[X2] | ISB          ;\n"
        "             | LDR W3,[X2]  ;\n"
        "\n"
        "exists (1:X1=1 /\\ 1:X3=0)\n"
    )


def test_three_writes_of_a_location_are_observed() -> None:
    text = litmus("PodWW Coe Coe PodWW Coe", "ppc")
    assert re.search(r"2:r\d+=1 /\\ 2:r\d+=2|3:r\d+=1 /\\ 3:r\d+=2", text)
    assert "(*" not in text  # nothing is left open


def test_the_critical_cycles_of_program_order() -> None:
    names = {test.name for test in litmus_tests("aarch64", edges="Rfe Fre Coe Pod**", size=6)}
    two = {"MP", "SB", "LB", "S", "R", "2+2W"}
    three = {"WRC", "RWC", "WWC", "WRW+WR", "WRR+2W", "WRW+2W", "3.SB", "3.LB", "3.2W", "ISA2", "W+RWC"}
    assert names == two | three | {f"Z6.{n}" for n in range(6)} | {"IRIW", "IRRWIW", "IRWIW"}


@pytest.mark.parametrize(
    ("left", "right", "size"),
    [("aarch64", "sc", 4), ("riscv", "sc", 4), ("ppc", "sc", 4), ("x86tso", "sc", 6), ("rc11", "imm", 4)],
)
def test_tests_between_two_models_tell_them_apart(left: str, right: str, size: int) -> None:
    tests = list(litmus_tests(between=(left, right), size=size))
    assert tests
    for test in random.Random(left).sample(tests, min(12, len(tests))):
        assert {model for model, _ in test.observations} == {left, right}
        for model, observation in test.observations:
            found = explore(read_litmus(test.text), model).observation
            assert found is not None
            assert found.observation == observation, (test.name, model)


def test_what_does_not_tell_them_apart_is_left_out() -> None:
    cycles = {str(test.cycle) for test in litmus_tests("x86", size=4)}
    telling = {str(test.cycle) for test in litmus_tests(between=("x86tso", "sc"), size=4)}
    assert telling < cycles
    for test in litmus_tests("x86", size=4):
        found = explore(read_litmus(test.text), "x86tso").observation
        assert found is not None
        assert (found.observation == "Sometimes") == (str(test.cycle) in telling)


@pytest.mark.parametrize(
    ("cycle", "language", "message"),
    [
        ("PodWW Rfe", "c", "Rfe ends in a read and PodWW begins with a write"),
        ("PodWW Rfy PodRR Fre", "c", "'Rfy' is no edge"),
        ("MFencedWW Rfe PodRR Fre", "aarch64", "'MFencedWW' is no edge of a cycle on AArch64"),
        ("PodWWPL RfePA PodRRAP Fre", "aarch64", "different orders"),
        ("L PodWWPL Rfe PodRR Fre", "aarch64", "'P' and 'L'"),
        ("Pod** Pod** Fre Rfe", "c", "whether the event"),
        ("PodWR Fri", "c", "stays within one thread"),
        ("PodWW Rfe PosRR Fre", "c", "changes its location once"),
        ("Rfe Fre", "c", "no two events in program order"),
        ("", "c", "has edges"),
        ("PodWW Rfe PodRR Fre", "mips", "no litmus tests are written in 'mips'"),
        ("PodWWRelAcq Rfe PodRR Fre", "c", "a write cannot be Acq"),
        ("RfeAP PodRR Fre PodWW", "aarch64", "a write cannot be A"),
        ("PodWR Fre PodWRNaA Fre", "x86", "a read cannot be A"),
    ],
)
def test_cycles_that_make_no_sense(cycle: str, language: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        litmus(cycle, language)


def test_the_verb(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["generate", "litmus", "PodWW Rfe PodRR Fre", "--arch", "AArch64", "--name", "mine"]) == 0
    assert capsys.readouterr().out.startswith("AArch64 mine\n")
    assert main(["generate", "litmus", "--arch", "riscv", "--edges", "Rfe Fre Pod**"]) == 0
    listed = capsys.readouterr().out
    assert listed == "SB  PodWR Fre PodWR Fre\nMP  PodWW Rfe PodRR Fre\nLB  PodRW Rfe PodRW Rfe\n"
    assert main(["generate", "litmus", "--between", "x86tso", "sc", "-o", "tests"]) == 0
    assert capsys.readouterr().out == "tests: 5 tests\n"
    assert main(["explore", "@tests/@all", "--model", "x86tso,sc", "--expect", "tests/expected.tsv"]) == 0
    assert "10 as expected, 0 different" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "no cycle is given"),
        (["PodWW Rfe PodRR Fre", "--size", "4"], "--size is for all cycles"),
        (["--size", "4", "--name", "x"], "--name is for"),
        (["--size", "0"], "0"),
        (["--arch", "aarch64", "--edges", "L"], "say orders with their edges"),
        (["--between", "aarch64", "riscv"], "different machines"),
        (["--between", "aarch64", "nothing"], "unknown model"),
    ],
)
def test_calls_that_make_no_sense(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        code = main(["generate", "litmus", *arguments])
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else 0
    assert code == 2
    assert said in capsys.readouterr().err


FOLDERS = {"x86_64": "x86", "aarch64": "aarch64", "ppc": "ppc", "c": "c"}


@pytest.mark.skipif(not ROOT.is_dir(), reason="no catalogue of litmus tests beside the repository")
@pytest.mark.parametrize("folder", FOLDERS)
def test_the_tests_of_diy(folder: str) -> None:
    """Each cycle gives a test of the same name, and of the same observation under the machine's model."""
    rows = [line.split("\t") for line in (ROOT / f"{folder}.tsv").read_text(encoding="utf-8").splitlines()[1:]]
    language = FOLDERS[folder]
    expected = {test: seen for test, model, seen, _ in rows if model == MODELS[language]}
    paths = sorted((ROOT / folder).glob("*.litmus"))
    rng = random.Random(folder)
    explored = set(rng.sample(paths, 20))
    for path in paths:
        orig = re.search("^Orig=(.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
        assert orig is not None
        if "Amo.LdAdd" in orig[1] or "Amo.Cas" in orig[1]:
            continue  # a swap is what our tests have instead
        test: MadeTest = made(read_cycle(orig[1], vocabulary(language)))
        assert test.name == path.stem
        if path in explored:
            found = explore(read_litmus(test.text), MODELS[language]).observation
            assert found is not None
            assert found.observation == expected[path.stem], path.stem
