"""Random small executions for the tests of formats, and what it means that two are the same."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from porf._core import NAMED
from porf.errors import UsageError
from porf.execution import DEPENDENCIES, NO_VALUE, UNKNOWN, Execution
from porf.said import Notes, Spelling, Times

NAME = st.text(
    st.characters(codec="utf-8", exclude_characters="#=, \t\r\n\v\f\x7f", min_codepoint=0x21),
    min_size=1,
    max_size=6,
).filter(lambda name: name not in ("init", "?", "*"))
NAMES_OF_VALUES = ["on", "é", '"3fa9"', '"rel"', '"x"', str(2**64 - 1), str(2**63), str(-(2**63)), str(-(2**63) + 9)]
PLAIN = st.one_of(st.integers(-2, 2), st.integers(-(2**63) + 2**31 + 1, 2**63 - 1))
VALUE = st.one_of(PLAIN, st.just(NO_VALUE))
SPELLED = st.one_of(VALUE, st.integers(NAMED, NAMED + len(NAMES_OF_VALUES) - 1))
STYLE = st.sampled_from([0, 0, 1, 2, 16, 16 | 0x40, 3 | 0x80, 31 | 0x40 | 0x80])
TEXT = st.text(st.characters(codec="utf-8"), min_size=1, max_size=4)

WORDS = (("A",), ("X", "L"), ("dmb.ish",))  # the last is of fences


@st.composite
def executions(draw: st.DrawFn, max_events: int = 12) -> Execution:
    """Any execution that a file can hold: gaps in values, ids, names, dependencies; consistent or not."""
    n = draw(st.integers(1, max_events))
    threads = draw(st.lists(NAME, min_size=1, max_size=3, unique=True))
    locations = draw(st.lists(NAME, min_size=1, max_size=3, unique=True))
    thread = draw(st.lists(st.integers(0, len(threads) - 1), min_size=n, max_size=n))
    op = draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    loc = [-1 if o == 3 else draw(st.integers(0, len(locations) - 1)) for o in op]
    spelled = draw(st.booleans())
    value_of = SPELLED if spelled else VALUE
    init = draw(st.lists(value_of.filter(lambda v: v != NO_VALUE), min_size=len(locations), max_size=len(locations)))
    written = [draw(value_of) if o in (1, 2) else NO_VALUE for o in op]
    rf, read = [-1] * n, [NO_VALUE] * n
    for row in range(n):
        if op[row] in (0, 2):
            writers = [w for w in range(n) if op[w] in (1, 2) and loc[w] == loc[row]]
            rf[row] = draw(st.sampled_from([-1, *writers]))
            value = init[loc[row]] if rf[row] < 0 else written[rf[row]]
            if value == NO_VALUE:
                read[row] = draw(value_of)
            else:
                read[row] = draw(st.sampled_from([value, NO_VALUE]))
    _forget_starts(draw, init, [(loc[row], read[row]) for row in range(n) if op[row] in (0, 2) and rf[row] < 0])
    named = sorted(draw(st.sets(st.integers(0, n - 1), max_size=4)))
    ids = draw(st.lists(NAME, min_size=len(named), max_size=len(named), unique=True))
    pairs = [(a, b) for b in range(n) for a in range(b) if thread[a] == thread[b]]
    dependencies = {}
    for kind in DEPENDENCIES:
        fitting = [p for p in pairs if kind != "lxsx" or (op[p[0]] in (0, 2) and op[p[1]] in (1, 2))]
        chosen = sorted(draw(st.sets(st.sampled_from(fitting), max_size=3)), key=lambda p: p[1]) if fitting else []
        if chosen:
            dependencies[kind] = tuple(np.array(side, np.int32) for side in zip(*chosen, strict=True))
    tag = draw(st.lists(st.integers(-1, 0), min_size=n, max_size=n)) if draw(st.booleans()) else [-1] * n
    tag = [at if at < 0 else 2 if o == 3 else draw(st.integers(0, 1)) for at, o in zip(tag, op, strict=True)]
    execution = Execution(
        thread=np.array(thread, np.int32),
        op=np.array(op, np.uint8),
        loc=np.array(loc, np.int32),
        order=np.array([1 if at >= 0 else draw(st.integers(0, 5)) for at in tag], np.uint8),
        tag=np.array(tag, np.int32) if max(tag) >= 0 else None,
        tag_words=WORDS if max(tag) >= 0 else (),
        rf=np.array(rf, np.int32),
        thread_names=threads,
        loc_names=locations,
        init_value=np.array(init, np.int64),
        read_value=None if all(v == NO_VALUE for v in read) else np.array(read, np.int64),
        written_value=None if all(v == NO_VALUE for v in written) else np.array(written, np.int64),
        id_rows=np.array(named, np.int32),
        id_names=ids,
        dependencies=dependencies,  # type: ignore[arg-type]
        spelling=draw(spellings(read, written, init)) if spelled else None,
        times=draw(times(thread)) if draw(st.booleans()) else None,
        notes=draw(notes(n)) if draw(st.booleans()) else None,
    )
    return _forget_writers(draw, execution) if draw(st.booleans()) else execution


@st.composite
def spellings(draw: st.DrawFn, *columns: list[int]) -> Spelling:
    """Names for values, and styles: only of numbers, for words have none."""
    styles = []
    for column in columns:
        numbers = [v != NO_VALUE and isinstance(Spelling(NAMES_OF_VALUES).value(v), int) for v in column]
        style = np.array([draw(STYLE) if number else 0 for number in numbers], np.uint8)
        styles.append(style if style.any() else None)
    return Spelling(NAMES_OF_VALUES, *styles)


def _forget_starts(draw: st.DrawFn, init: list[int], shown: list[tuple[int, int]]) -> None:
    """Takes away initial values whose readers, of a location and a value, leave them to be one value."""
    for loc in draw(st.sets(st.integers(0, len(init) - 1), max_size=1)):
        if len({value for at, value in shown if at == loc and value != NO_VALUE}) <= 1:
            init[loc] = NO_VALUE


def _forget_writers(draw: st.DrawFn, execution: Execution) -> Execution:
    """Takes away the writers of some reads that may read several. If what they read would then show another start than
    others do, they keep them: no file says so."""
    reads = np.flatnonzero(np.isin(execution.op, (0, 2))).tolist()
    rf = execution.rf.copy()
    rf[draw(st.lists(st.sampled_from(reads), max_size=2)) if reads else []] = UNKNOWN
    try:
        found = replace(execution, rf=rf).open_reads
    except UsageError as error:
        assert "cannot have started with both" in error.message
        return execution
    sure = found.rows[np.diff(found.start) < 2]
    rf[sure] = execution.rf[sure]
    return replace(execution, rf=rf)


@st.composite
def times(draw: st.DrawFn, thread: list[int]) -> Times:
    """Some rows have a time; the starts of a thread ascend."""
    start, end, last = [], [], dict.fromkeys(thread, draw(st.integers(-(10**6), 10**17)))
    for number in thread:
        timed, ended = draw(st.booleans()), draw(st.booleans())
        last[number] += draw(st.integers(0, 2000))
        start.append(last[number] if timed else NO_VALUE)
        end.append(last[number] + draw(st.integers(0, 2000)) if timed and ended else NO_VALUE)
    return Times(np.array(start, np.int64), np.array(end, np.int64), draw(st.integers(0, 18)))


@st.composite
def notes(draw: st.DrawFn, rows: int) -> Notes | None:
    keys = ["src", "note:core", "note:é"]
    pairs = sorted(draw(st.sets(st.tuples(st.integers(0, rows - 1), st.integers(0, 2)), max_size=6)))
    texts = [draw(TEXT) for _ in pairs]
    row, key = (np.array([pair[side] for pair in pairs], np.int32) for side in range(2))
    return Notes(keys, texts, row, key, np.arange(len(pairs), dtype=np.int32)) if pairs else None


def assert_same(a: Execution, b: Execution, *, renumbered: bool = False, new_ids: bool = False) -> None:
    """Equal in everything but the source.

    `renumbered`: the threads may have other numbers (the line formats number them as they appear, and forget
    those without events). `new_ids`: b may name events that a does not (those that something mentions).
    """
    for column in ("op", "loc", "order", "rf"):
        assert getattr(a, column).tolist() == getattr(b, column).tolist(), column
        assert getattr(a, column).dtype == getattr(b, column).dtype, column
    for column in ("read_value", "written_value"):
        left, right = getattr(a, column), getattr(b, column)
        assert (left is None) == (right is None), column
    # Numbers that stand for names may differ, what they stand for may not.
    assert [list(map(str, a.values(row))) for row in range(len(a))] == [
        list(map(str, b.values(row))) for row in range(len(b))
    ]
    assert [str(a.initial_value(x)) for x in range(a.locations)] == [
        str(b.initial_value(x)) for x in range(b.locations)
    ]
    assert [a.remarks(row) for row in range(len(a))] == [b.remarks(row) for row in range(len(b))]
    assert [a.thread_names[t] for t in a.thread] == [b.thread_names[t] for t in b.thread]
    assert list(a.loc_names) == list(b.loc_names)
    if not renumbered:
        assert a.thread.tolist() == b.thread.tolist()
        assert list(a.thread_names) == list(b.thread_names)
    ids, others = (dict(zip(e.id_rows.tolist(), e.id_names, strict=True)) for e in (a, b))
    assert ids.items() <= others.items() if new_ids else ids == others
    for row in others.keys() - ids.keys():
        assert others[row] == a.name(row)
    assert [a.tags_of(row) for row in range(len(a))] == [b.tags_of(row) for row in range(len(b))]
    assert a.dependencies.keys() == b.dependencies.keys()
    for kind, pair in a.dependencies.items():
        assert [side.tolist() for side in pair] == [side.tolist() for side in b.dependencies[kind]], kind
