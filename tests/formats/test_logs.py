"""Logs of every shape say what the same history in the text format says."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import porf
from porf import formats, generate
from porf.execution import Execution
from porf.formats.logs import read as reading
from porf.formats.logs.mapping import Mapping, pairs
from tests.cli.calling import run

COLUMNS = {
    "thread": "who",
    "op": "what",
    "location": "where",
    "read": "got",
    "write": "put",
    "order": "mo",
    "id": "name",
    "rf": "from",
    "start": "t0",
    "end": "t1",
    "src": "line",
    "note:why": "why",
}
WORDS = {"r": "LDR", "w": "STR", "u": "SWP", "f": "BAR"}
OPS = {word: op for op, word in WORDS.items()}


def rows_of(execution: Execution) -> list[dict[str, str | None]]:
    """The events as rows of a log, each with an id, so that `rf` can name it."""
    out = []
    for event in execution:
        start, _, end = (event.time or "").partition("..")
        moment = event.time is not None and ".." not in event.time
        notes = dict(event.notes)
        out.append(
            {
                "who": event.thread,
                "what": WORDS[event.op],
                "where": event.location,
                "got": None if event.read is None else str(event.read),
                "put": None if event.written is None else str(event.written),
                "mo": {"na": "nonatomic", "sc": "SEQ_CST", "acq": "memory_order_acquire"}.get(event.order, event.order),
                "name": event.name,
                "from": event.rf,
                "t0": start or None,
                "t1": (start if moment else end) or None,
                "line": notes.get("src"),
                "why": notes.get("note:why"),
            }
        )
    return out


def as_csv(rows: list[dict[str, str | None]], separator: str = ",") -> bytes:
    out = io.StringIO()
    writer = csv.DictWriter(out, rows[0], delimiter=separator)
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode()


def as_blanks(rows: list[dict[str, str | None]]) -> bytes:
    def field(text: str | None) -> str:
        quoted = '"' + (text or "").replace('"', '""') + '"'
        return "_" if text is None else quoted if " " in text else text

    lines = ["# " + "  ".join(rows[0]), *("\t".join(map(field, row.values())) for row in rows)]
    return "\n".join(lines).encode()


def as_json(rows: list[dict[str, str | None]]) -> bytes:
    return "\n".join(
        json.dumps({key: value for key, value in row.items() if value is not None}) for row in rows
    ).encode()


SHAPES: dict[str, Callable[[list[dict[str, str | None]]], bytes]] = {
    "comma": as_csv,
    "semicolon": lambda rows: as_csv(rows, ";"),
    "tab": lambda rows: as_csv(rows, "\t"),
    "blanks": as_blanks,
    "json": as_json,
}


def said(execution: Execution) -> str:
    return formats.dumps(execution, "text").decode()


def some_history(seed: int, events: int = 60) -> Execution:
    """A history with everything that a log can say: hex, words, large numbers, times, notes."""
    draw = random.Random(seed)
    made = generate.interleaving(events, 3, 3, orders="mixed", seed=seed)
    ways: dict[int, str] = {}

    def spelled(value: object) -> object:
        number = int(str(value))
        if number not in ways:
            ways[number] = draw.choice(
                (str(number), hex(number), f"0x{number:06X}", f"word{number}", str(2**63 + number))
            )
        return value if value == 0 else ways[number]

    lines = []
    for row, event in enumerate(made):
        read, written = spelled(event.read) if event.read is not None else None, None
        written = spelled(event.written) if event.written is not None else None
        value = {"r": f"{read}", "w": f"{written}", "u": f"{read}->{written}", "f": ""}[event.op]
        time = draw.choice(("", f"time={row}..{row + draw.randint(0, 3)}", f"time={row}.5..", f"time={row}"))
        note = draw.choice(("", 'src=a.c:3 note:why=of%20course,%20"it"is;so', "src=b.c"))
        fields = (
            event.thread,
            event.op,
            event.location or "",
            value,
            event.order,
            f"id=e{row}",
            f"rf={event.rf}" if event.rf else "",
            time,
            note,
        )
        lines.append(" ".join(str(field) for field in fields if field))
    return porf.loads("\n".join(lines))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("seed", range(8))
def test_a_log_says_what_the_history_says(shape: str, seed: int) -> None:
    execution = some_history(seed)
    mapping = Mapping(columns=COLUMNS, ops=OPS)
    again = porf.loads(SHAPES[shape](rows_of(execution)), mapping=mapping)
    assert said(again) == said(execution)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind", formats.BOTH)
def test_what_is_imported_survives_every_format(shape: str, kind: str) -> None:
    imported = porf.loads(SHAPES[shape](rows_of(some_history(3))), mapping=Mapping(columns=COLUMNS, ops=OPS))
    assert said(formats.loads(formats.dumps(imported, kind), kind)) == said(imported)


@pytest.mark.parametrize("shape", SHAPES)
def test_where_blocks_end_does_not_matter(shape: str, monkeypatch: pytest.MonkeyPatch) -> None:
    execution = some_history(5, 12)
    rows = rows_of(execution)
    rows[4]["why"] = 'two\nlines, with "quotes"' if shape in ("comma", "semicolon", "tab") else "none"
    data = SHAPES[shape](rows)
    mapping = Mapping(columns=COLUMNS, ops=OPS)
    whole = said(porf.loads(data, mapping=mapping))
    head = data.index(b"\n", data.index(b"\n") + 1) + 1
    for block in (1, 2, 3, 7, 64, 1000):
        monkeypatch.setattr(reading, "_BLOCK", block)
        monkeypatch.setattr(reading, "HEAD", head + block)
        assert said(porf.loads(data, mapping=mapping)) == whole
    assert (
        said(
            porf.loads(
                data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n") if shape == "json" else data, mapping=mapping
            )
        )
        == whole
    )


def test_threads_and_locations_get_names_that_histories_can_have() -> None:
    log = "thread,op,addr,value\nThread-1 (run),w,a b,1\nThread-1_(run),w,a_b,2\ninit,r,a=b,0\n"
    execution = porf.loads(log, "log")
    assert list(execution.thread_names) == ["Thread-1_(run)", "Thread-1_(run)_", "init_"]
    assert list(execution.loc_names) == ["a_b", "a_b_", "a_b__"]


def test_an_address_is_the_same_however_its_hex_is_written() -> None:
    log = "thread,op,addr,value\n0,w,0x80,1\n1,r,0X0080,1\n1,r,0x080,1\n1,r,128,0\n1,r,0x0,0\n1,r,0x00,0\n"
    execution = porf.loads(log, "log")
    assert list(execution.loc_names) == ["0x80", "128", "0x0"]
    assert execution.loc.tolist() == [0, 0, 0, 1, 2, 2]


@pytest.mark.parametrize(
    ("values", "log", "shown"),
    [
        ("auto", [str(2**64 - 1), "0xDEAD", "1.0", "on", "a b", "a%20b", "_"],
         [str(2**64 - 1), "0xDEAD", "1", "on", "a%20b", "a%2520b", None]),
        ("hex", ["ff", "0xff", "-1f", "x1", "10"], ["0xff", "0xff", "-0x1f", "x1", "0x10"]),
        ("words", ["3fa9", "10", "0x10", "1.5"], ['"3fa9"', "10", "0x10", '"1.5"']),
    ],
)  # fmt: skip
def test_values_are_numbers_or_words(values: str, log: list[str], shown: list[str | None]) -> None:
    lines = "\n".join(f'T0;w;x;"{value}"' for value in log)
    columns = {"thread": 1, "op": 2, "location": 3, "value": 4}
    execution = porf.loads(lines, mapping=Mapping(columns=columns, values=values))
    assert [None if event.written is None else str(event.written) for event in execution] == shown


def test_different_values_stay_different_and_equal_ones_equal() -> None:
    texts = ["1", "01", "0x1", "1.0", "one", "One", "a b", "a%20b", "a_b", "a,b", "a>b", "rel", '"rel"', "2", "-1"]
    rows = [f'T0,w,x{k},"{text}"'.replace('""', '"""') for k, text in enumerate(texts)]
    data = io.StringIO()
    writer = csv.writer(data)
    writer.writerows([["T0", "w", f"x{k}", text] for k, text in enumerate(texts)])
    assert len(rows) == len(texts)
    execution = porf.loads(data.getvalue(), mapping=Mapping(columns={"thread": 1, "op": 2, "location": 3, "write": 4}))
    assert execution.written_value is not None
    codes = execution.written_value.tolist()
    assert codes[0] == codes[1] == codes[2] == codes[3]
    assert len(set(codes)) == len(texts) - 3


def test_updates_have_two_values_and_failed_ones_read() -> None:
    log = "tid,op,loc,read,write,ok\n0,cas,x,0,1,true\n1,cas,x,1,2,false\n1,cas,x,1,3,1\n"
    execution = porf.loads(log, "log")
    assert [str(event) for event in execution] == ["0 u x 0->1 rf=init", "1 r x 1 rf=e0", "1 u x 1->3 rf=e0"]
    assert (
        said(
            porf.loads(
                "a rmw x 0->1\nb rmw x 1->2", mapping=Mapping(columns={"thread": 1, "op": 2, "location": 3, "value": 4})
            )
        )
        == "a u x 0->1\nb u x 1->2\n"
    )
    one = porf.loads(
        "a rmw x 0 1\nb rmw x 1 _",
        mapping=Mapping(columns={"thread": 1, "op": 2, "location": 3, "value": 4, "write": 5}),
    )
    assert said(one) == "a u x 0->1\nb u x 1->_\n"


def test_words_for_operations_say_orders_fences_and_what_is_no_event() -> None:
    log = "0 STLR x 1\n0 DMB - -\n0 PRFM x -\n1 LDAR x 1\n1 fence - -\n0 init y 7\n1 LDR y 7\n"
    mapping = Mapping(
        columns=pairs("thread=1,op=2,location=3,value=4", "--columns"),
        ops={"stlr": "w:L", "LDAR": "r:A", "DMB": "f:dmb.sy", "PRFM": "-", "LDR": "r", "fence": "f:dmb.ld"},
        missing=("-",),
    )
    assert (
        said(porf.loads(log, mapping=mapping))
        == "init x 0\ninit y 7\n0 w x 1 L\n0 f dmb.sy\n1 r x 1 A\n1 f dmb.ld\n1 r y 7\n"
    )


def test_what_nobody_knows_is_left_open_as_in_the_text_format() -> None:
    log = "0,w,x,1,a,\n1,w,x,1,b,\n1,r,x,1,c,\n0,r,y,5,d,\n0,r,x,1,e,?\n0,r,*,0,f,init\n"
    columns: dict[str, str | int] = {"thread": 1, "op": 2, "location": 3, "value": 4, "id": 5, "rf": 6}
    text = "0 w x 1 id=a\n1 w x 1 id=b\n1 r x 1 id=c\n0 r y 5 id=d\n0 r x 1 rf=? id=e\n0 r *_ 0 rf=init id=f\n"

    def graph(execution: Execution) -> tuple[object, ...]:
        starts = dict(zip(execution.loc_names, execution.init_value.tolist(), strict=True))
        return execution.rf.tolist(), starts, porf.check(execution, "sc").answer

    for init, lines in (({"y": "_"}, "init y _\n"), ({"*": "_", "x": "3"}, "init * _\ninit x 3\n")):
        execution = porf.loads(log, mapping=Mapping(columns=columns, init=init))
        assert graph(execution) == graph(porf.loads(lines + text))
    by_lines = porf.loads("0,init,y,_,,\n" + log, mapping=Mapping(columns=columns))
    assert graph(by_lines) == graph(porf.loads("init y _\n" + text))


def test_a_fence_that_says_no_order_is_a_full_one() -> None:
    execution = porf.loads("t,op,loc,val\n0,fence,,\n0,w,x,1\n", "log")
    assert [event.order for event in execution] == ["sc", "rlx"]


def test_orders_are_words_of_c_of_architectures_or_said_by_the_mapping() -> None:
    log = "t,op,loc,val,mo\n0,w,x,1,std::memory_order_release\n1,r,x,1,Strong\n1,f,,,seq_cst\n1,r,x,1,\n"
    mapping = Mapping(
        columns={"thread": "t", "op": "op", "location": "loc", "value": "val", "order": "mo"}, orders={"strong": "sc"}
    )
    assert [event.order for event in porf.loads(log, mapping=mapping)] == ["rel", "sc", "sc", "rlx"]
    words = "t,op,loc,val,mo\n0,w,x,1,L x\n1,r,x,1,A\n1,f,,,dmb.ish\n"
    assert [event.tags for event in porf.loads(words, "log")] == [("L", "x"), ("A",), ("dmb.ish",)]


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("5", "5"),
        ("5..7.5", "5.0..7.5"),
        ("2024-05-01 12:30:00,250", "1714566600.250"),
        ("2024-05-01T14:30:00.25+02:00", "1714566600.25"),
        ("2024-05-01T12:30:00Z", "1714566600"),
        ("1969-12-31T23:59:59.75Z", "-0.25"),
        ("00:01:02.5", "62.5"),
    ],
)
def test_times_are_numbers_or_dates(text: str, time: str) -> None:
    execution = porf.loads(f't,op,loc,val,time\n0,w,x,1,"{text}"\n', "log")
    assert execution[0].time == time


def test_dates_are_those_of_the_calendar() -> None:
    import datetime

    draw = random.Random(7)
    moments = sorted(draw.randrange(-(10**10), 10**10) for _ in range(300))
    zone = datetime.UTC
    texts = [
        datetime.datetime.fromtimestamp(second, zone).strftime("%Y-%m-%d %H:%M:%S")
        for second in moments
        if second > -6 * 10**10
    ]
    log = "t,op,loc,val,time\n" + "".join(f"0,w,x,{k},{text.zfill(19)}\n" for k, text in enumerate(texts))
    execution = porf.loads(log, "log")
    assert execution.times is not None
    assert execution.times.start.tolist() == moments


def test_events_may_be_sorted_by_their_times() -> None:
    shuffled = rows_of(some_history(2))
    for row, one in enumerate(shuffled):
        one["t0"], one["t1"] = str(row), str(row + 1)
    expected = said(porf.loads(as_csv(shuffled), mapping=Mapping(columns=COLUMNS, ops=OPS)))
    random.Random(1).shuffle(shuffled)
    mapping = Mapping(columns=COLUMNS, ops=OPS, sort=True)
    got = porf.loads(as_csv(shuffled), mapping=mapping)
    assert [line for line in said(got).splitlines() if not line.startswith("init")] == expected.splitlines()
    assert got.times is not None and (got.times.start[1:] >= got.times.start[:-1]).all()


def test_json_may_be_nested_listed_and_escaped() -> None:
    log = (
        '[\n{"who": {"id": "T\\u00e9\\n"}, "op": "w", "at": {"x": 1, "addr": "0x80"}, "v": 18446744073709551615, '
        '"z": [1, {"y": "}"}]},\n{"v": null, "at": {"addr": "0x80"}, "op": "r", "who": {"id": "b"}, "v2": true, '
        '"rf": "init", "t": [1, 2.5]}\n]\n'
    )
    columns = {"thread": "who.id", "op": "op", "location": "at.addr", "value": "v", "rf": "rf", "time": "t"}
    execution = porf.loads(log, mapping=Mapping(columns=columns))
    assert list(execution.thread_names) == ["Té_", "b"]
    assert [str(event) for event in execution] == [
        "Té_ w 0x80 18446744073709551615",
        "b r 0x80 _ rf=init time=1.0..2.5",
    ]


def test_templates_say_where_things_stand() -> None:
    log = "12: cpu0  -> [0x80] := 5 ok\nnoise\n13: cpu1 <- [0x80]  == 5\n"
    lines = ("w={time}: {thread} -> [{location}] := {value} {*}", "r={time}: {thread} <- [{location}] == {value}")
    execution = porf.loads(log, mapping=Mapping(lines=lines, others=True))
    assert said(execution) == "cpu0 w 0x80 5 time=12\ncpu1 r 0x80 5 time=13\n"


@pytest.mark.parametrize("suffix", [".gz", ".bz2", ".xz"])
@pytest.mark.parametrize("kind", [".csv", ".txt", ".jsonl", ".npz"])
def test_files_may_be_compressed(suffix: str, kind: str, tmp_path: Path) -> None:
    execution = porf.loads("T0 w x 1\nT1 r x 1\n")
    plain = b"thread,op,loc,value\nT0,w,x,1\nT1,r,x,1\n"
    if kind != ".csv":
        plain = formats.dumps(execution, {".txt": "text", ".jsonl": "jsonl", ".npz": "npz"}[kind])
    packs: dict[str, Callable[[bytes], bytes]] = {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}
    pack = packs[suffix]
    path = tmp_path / f"h{kind}{suffix}"
    path.write_bytes(pack(plain))
    assert said(porf.load(path)) == said(execution)
    path.write_bytes(pack(plain)[:-6])
    with pytest.raises(porf.FormatError, match=r"cut|damaged"):
        porf.load(path)


@given(st.binary(max_size=200), st.sampled_from(["csv", "blanks", "json", "lines"]))
def test_no_bytes_are_too_strange(data: bytes, shape: str) -> None:
    columns = {} if shape == "lines" else {"thread": "1", "op": "2", "location": "3", "value": "4"}
    lines = ("{thread} {*}{op} {location}={value}",) if shape == "lines" else ()
    mapping = Mapping(columns=columns, lines=lines, shape=shape)
    try:
        porf.loads(data, mapping=mapping)
    except porf.PorfError as error:
        assert str(error)


def test_check_reads_logs_and_says_what_it_left_out(tmp_path: Path) -> None:
    log = tmp_path / "log.csv"
    log.write_text("ts,core,kind,addr,val\n1,0,ST,0x80,1\n2,1,LD,0x80,1\n3,1,??,0x80,1\n")
    assert run("check", str(log), "-m", "sc").returncode == 2
    done = run("check", str(log), "-m", "sc", "--skip-bad", "1")
    assert done.returncode == 0
    assert "1 line was left out as wrong, the first of them line 4" in done.stderr
    done = run(
        "convert",
        str(log),
        "-",
        "--columns",
        "thread=core,op=kind,location=addr,value=val,time=ts,src=ts",
        "--ops",
        "??=-",
    )
    assert done.stdout == "0 w 0x80 1 time=1 src=1\n1 r 0x80 1 time=2 src=2\n"
