"""Executions as C litmus tests: read back by a small parser of its own, they are the same events and reads-from."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from hypothesis import given

import porf
from porf.cli import main
from porf.errors import UsageError
from porf.execution import Execution, Op
from porf.formats import dumps, loads
from porf.formats.litmus import litmus_test
from tests.checking.small_executions import random_execution
from tests.formats.histories import executions

_ORDER = {"relaxed": 1, "acquire": 2, "release": 3, "acq_rel": 4, "seq_cst": 5}
_STATEMENTS = (
    (Op.FENCE, r"atomic_thread_fence\(memory_order_(?P<order>\w+)\);"),
    (Op.READ, r"(?:int )?(?P<reg>r\d+) = atomic_load_explicit\((?P<place>.+), memory_order_(?P<order>\w+)\);"),
    (Op.WRITE, r"atomic_store_explicit\((?P<place>.+), (?P<value>.+), memory_order_(?P<order>\w+)\);"),
    (
        Op.UPDATE,
        r"(?:int )?(?P<reg>r\d+) = "
        r"atomic_exchange_explicit\((?P<place>.+), (?P<value>.+), memory_order_(?P<order>\w+)\);",
    ),
    (Op.READ, r"(?:int )?(?P<reg>r\d+) = \*\(?(?P<place>[^)]+(?:\)[^)]*)*?)\)?;"),
    (Op.WRITE, r"\*\(?(?P<place>\w+(?: \+ \(r\d+ \^ r\d+\))*)\)? = (?P<value>.+);"),
)
Event = tuple[int, int, str, int, int | None, int | None]  # thread, op, location, order, value read, value written


class Parsed:
    """Events in order, and dependencies as pairs of places in that order."""

    def __init__(self, text: str) -> None:
        self.events: list[Event] = []
        self.dependencies: dict[str, set[tuple[int, int]]] = {"addr": set(), "data": set(), "ctrl": set()}
        self.name = re.match(r"C (\S+)\n", text)[1]  # type: ignore[index]
        self.initial = {x: int(v) for x, v in re.findall(r"\[(\w+)\] = (-?\d+);", text)}
        clause = re.search(r"exists \((.*)\)\n$", text)[1]  # type: ignore[index]
        self.outcome = {(int(t), r): int(v) for t, r, v in re.findall(r"(\d+):(r\d+)=(-?\d+)", clause)}
        self.final = {x: int(v) for x, v in re.findall(r"\[(\w+)\]=(-?\d+)", clause)}
        for number, body in re.findall(r"^P(\d+) \([^)]*\) \{\n(.*?)^\}", text, re.DOTALL | re.MULTILINE):
            self._thread(int(number), body)

    def _thread(self, number: int, body: str) -> None:
        guards: list[str] = []
        row_of: dict[str, int] = {}
        for line in map(str.strip, body.splitlines()):
            if line.startswith("if ("):
                for register, value in re.findall(r"(r\d+) == (-?\d+)", line):
                    assert self.outcome[number, register] == int(value)  # the branch is taken
                    guards.append(register)
            elif line == "}":
                guards = []
            elif not re.fullmatch(r"int r\d+;", line):
                self._event(number, line, guards, row_of)

    def _event(self, number: int, line: str, guards: list[str], row_of: dict[str, int]) -> None:
        op, match = next((op, m) for op, pattern in _STATEMENTS if (m := re.fullmatch(pattern, line)))
        found = match.groupdict()
        row = len(self.events)
        read = self.outcome[number, found["reg"]] if found.get("reg") else None
        value = found.get("value")
        written = int(re.match(r"-?\d+", value)[0]) if value else None  # type: ignore[index]
        place = found.get("place") or ""
        order = _ORDER[found["order"]] if found.get("order") else 0
        for kind, text in (("addr", place), ("data", value or "")):
            for left, right in re.findall(r"\((r\d+) \^ (r\d+)\)", text):
                assert left == right  # so that it is 0
                self.dependencies[kind].add((row_of[left], row))
        self.dependencies["ctrl"] |= {(row_of[register], row) for register in guards}
        if found.get("reg"):
            row_of[found["reg"]] = row
        self.events.append((number, int(op), place.split(" ")[0], order, read, written))


def check_same(g: Execution, parsed: Parsed) -> None:
    rows = sorted(range(len(g)), key=lambda row: (g.thread[row], row))
    at = {row: new for new, row in enumerate(rows)}
    assert len(parsed.events) == len(g)
    stored = {}  # location and value to the write: values are distinct
    for new, (_, _, x, _, _, written) in enumerate(parsed.events):
        if written is not None:
            assert (x, written) not in stored and written != parsed.initial[x]
            stored[x, written] = new
    for row, (thread, op, x, order, read, _) in zip(rows, parsed.events, strict=True):
        assert (thread, op) == (g.thread[row], g.op[row])
        assert x == ("" if g.op[row] == Op.FENCE else g.loc_names[g.loc[row]])
        assert order == g.order[row]
        if g.reads(row):
            assert read is not None
            writer = stored[x, read] if read != parsed.initial[x] else -1
            assert writer == (-1 if g.rf[row] < 0 else at[int(g.rf[row])])
    for kind in ("addr", "data", "ctrl"):
        pairs = g.dependencies.get(kind, ((), ()))
        expected = {(at[int(a)], at[int(b)]) for a, b in zip(*pairs, strict=True)}
        assert parsed.dependencies[kind] == expected, kind


def in_c(g: Execution) -> Execution:
    """Orders that C has for each operation, and no data dependency into a read."""
    fitting = {0: (0, 1, 2, 5), 1: (0, 1, 3, 5), 2: (1, 2, 3, 4, 5), 3: (1, 2, 3, 4, 5)}
    for row in range(len(g)):
        if g.order[row] not in fitting[int(g.op[row])]:
            g.order[row] = 5
    data = g.dependencies.get("data")
    if data is not None:
        kept = [g.op[b] != Op.READ for b in data[1]]
        g.dependencies["data"] = (data[0][kept], data[1][kept])  # type: ignore[index]
    return g


def test_random_executions_read_back() -> None:
    rng = random.Random(3)
    kinds = set()
    for _ in range(300):
        g = in_c(random_execution(rng, rng.randint(1, 9), 3, 2))
        parsed = Parsed(dumps(g, "litmus").decode())
        check_same(g, parsed)
        kinds |= {kind for kind, pairs in parsed.dependencies.items() if pairs}
    assert kinds == {"addr", "data", "ctrl"}


def test_message_passing_in_full() -> None:
    g = loads("T0 w x 1 na\nT0 w y 1 rel\nT1 r y 1 acq id=a\nT1 r x 0 ctrl=a\n", source="MP.txt")
    assert dumps(g, "litmus").decode() == (
        "C MP\n\n"
        "(* plain and atomic accesses of x *)\n\n"
        "{ [x] = 0; [y] = 0; }\n\n"
        "P0 (atomic_int* x, atomic_int* y) {\n"
        "  *x = 1;\n"
        "  atomic_store_explicit(y, 1, memory_order_release);\n"
        "}\n\n"
        "P1 (atomic_int* x, atomic_int* y) {\n"
        "  int r1;\n"
        "  int r0 = atomic_load_explicit(y, memory_order_acquire);\n"
        "  if (r0 == 1) {\n"
        "    r1 = atomic_load_explicit(x, memory_order_relaxed);\n"
        "  }\n"
        "}\n\n"
        "exists (1:r0=1 /\\ 1:r1=0)\n"
    )


def test_values_that_are_not_distinct_are_counted_anew() -> None:
    g = loads("T0 w x 1 id=a\nT1 w x 1 id=b\nT2 r x 1 rf=b\n")
    parsed = Parsed(dumps(g, "litmus").decode())
    check_same(g, parsed)


def test_final_values_of_a_modification_order() -> None:
    g = loads("T0 w x 1\nT0 w y 1\nT1 w x 2\nT2 w x 3\n")
    text = litmus_test(g, "three", mo=[[2, 0, 3], [1]])
    assert Parsed(text).final == {"x": 3}
    assert "x: 2 < 1 < 3" in text  # the final value alone does not say so
    assert "<" not in litmus_test(g, "three")


def test_names_that_c_does_not_take() -> None:
    g = loads("T0 w r0 1\nT0 w a.b 1\nT0 w x0 1\n")
    parsed = Parsed(dumps(g, "litmus").decode())
    assert [x for _, _, x, *_ in parsed.events] == ["xx0", "x1", "x0"]


def test_an_order_that_c_does_not_have_is_told() -> None:
    text = dumps(loads("T0 r x 0 rel id=a\nT0 w x 1 acq_rel id=b\n"), "litmus").decode()
    assert "C has no rel load: a is rlx" in text
    assert "C has no acq_rel store: b is rel" in text


def test_too_large_for_a_litmus_test() -> None:
    with pytest.raises(UsageError, match="too many"):
        dumps(loads("T0 w x _\n" * 1001), "litmus")


def test_the_verb_converts(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    source, target = tmp_path / "sb.txt", tmp_path / "sb.litmus"
    source.write_text("T0 w x 1\nT0 r y 0\nT1 w y 1\nT1 r x 0\n")
    assert main(["convert", str(source), str(target)]) == 0
    check_same(porf.load(source), Parsed(target.read_text()))
    assert main(["convert", str(source), "-", "--to", "litmus"]) == 0
    assert capsysbinary.readouterr().out.startswith(b"C sb\n")


def test_litmus_tests_are_not_read_as_histories(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="unknown format"):
        loads("C x", "litmus")


def test_dependencies_that_c_does_not_have_are_left_out_and_named() -> None:
    execution = porf.loads(
        "T0 w x 1 id=a\nT0 w y 1 id=b data=a\nT0 r z 0 id=c\nT0 f sc id=d addr=c ctrl=c\nT0 w y 2 id=e addr=b ctrl=a,c"
    )
    text = litmus_test(execution)
    assert "(* left out: the data dependency of b on a: it reads nothing *)" in text
    assert "(* left out: the addr dependency of d on c: fences do not depend on values *)" in text
    assert "(* left out: the ctrl dependency of e on a: it reads nothing *)" in text
    assert text.count("if (r0 == 0)") == 1


@given(executions(max_events=8))
def test_whatever_can_be_read_can_be_written(execution: Execution) -> None:
    if execution.tag is None and "lxsx" not in execution.dependencies:
        assert litmus_test(execution).startswith("C ")


@pytest.mark.parametrize("text", ["T0 f mfence", "T0 w x 1 L", "T0 r x 0 id=a\nT0 w x 1 lxsx=a"])
def test_c_has_no_words_for_machines(text: str) -> None:
    with pytest.raises(UsageError, match="C has no words"):
        litmus_test(loads(text), language="c")
