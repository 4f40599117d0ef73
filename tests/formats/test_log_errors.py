"""What is wrong with a log or with its mapping is said with its place and a hint, and may be left out and counted."""

from __future__ import annotations

from pathlib import Path

import pytest

import porf
from porf import formats
from porf.errors import FormatError
from porf.formats.logs.mapping import Mapping, pairs, read_mapping
from tests.cli.calling import run

HEAD = "ts,core,kind,addr,val\n"
GOOD = HEAD + "1,0,ST,0x80,1\n2,1,LD,0x80,1\n"

# What follows two good lines; the place, a part of the message, a part of the hint.
WRONG_LINES = [
    ("3,1,LD,0x8", 4, 11, "cut", "was the file cut off"),
    ("3,1,LD,0x80,1,7", 4, 15, "'7' is one column too many", '"quotes"'),
    ('3,1,"LD,0x80,1', 4, 5, "quotes do not close", ""),
    ('3,1,"LD"x,0x80,1', 4, 9, "quotes do not close", ""),
    ("3,,LD,0x80,1", 4, 3, "the thread is missing", "--skip-bad"),
    ("3,1,,0x80,1", 4, 5, "the operation is missing", "--skip-bad"),
    ("3,1,LD,,1", 4, 8, "the location is missing", "fences"),
    ("3,1,LOD,0x80,1", 4, 5, "unknown operation 'LOD'", "did you mean 'load'? say what it stands for: --ops LOD=r"),
    ("3,1,CAS,0x80,1", 4, 14, "an update reads one value and writes another", "--columns read"),
    ("3,1,LD,0x80,1z", 4, 13, "'1z' is not a value", "--values hex"),
    ("3,1,LD,0x80,36893488147419103232", 4, 13, "out of range", "--values words"),
    ("noon,1,LD,0x80,1", 4, 1, "'noon' is not a time", "2024-05-01"),
    ("2024-13-01 00:00:00,1,LD,0x80,1", 4, 1, "is not a time", "2024-05-01"),
    ("3..1,1,LD,0x80,1", 4, 1, "ends before it starts", "one clock"),
    ("1,1,LD,0x80,1", 4, 1, "line 3 of this thread starts later", "--sort"),
    ("3,1,LD,\udcff,1", 4, 8, "not UTF-8", "UTF-8"),
]


@pytest.mark.parametrize(("line", "number", "column", "message", "hint"), WRONG_LINES)
def test_a_wrong_line_is_said_or_left_out(
    line: str, number: int, column: int, message: str, hint: str, tmp_path: Path
) -> None:
    path = tmp_path / "log.csv"
    for end in ("\n", "\n4,0,ST,0x80,2\n"):
        path.write_bytes((GOOD + line + end).encode(errors="surrogateescape"))
        with pytest.raises(porf.FormatError) as caught:
            porf.load(path)
        error = caught.value
        assert (error.line, error.column) == (number, column), str(error)
        assert message in error.message
        assert hint in (error.hint or "")
        assert error.text is not None
        found = formats.import_log(path, skip_bad=1)
        assert found.bad == 1
        assert found.first_bad == 4
        assert len(found.execution) == 2 + end.count("4")
        assert found.remark() == f"{path}: 1 line was left out as wrong, the first of them line 4"


def test_one_wrong_line_more_than_may_be_is_the_error(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text(GOOD + "3,1,??,0x80,1\n" * 3)
    with pytest.raises(porf.FormatError) as caught:
        formats.import_log(path, skip_bad=2)
    assert caught.value.line == 6
    assert formats.import_log(path, skip_bad=3).bad == 3
    done = run("check", str(path), "-m", "sc", "--skip-bad", "3")
    assert done.returncode == 0
    assert "3 lines were left out as wrong, the first of them line 4" in done.stderr


def test_a_quoted_text_over_lines_has_the_place_of_its_line() -> None:
    log = 't,op,loc,val,why\n0,w,x,1,"one\ntwo"\n0,w,x,2,"three\nfour"\n0,q,x,3,five\n'
    with pytest.raises(porf.FormatError, match="unknown operation 'q'") as caught:
        porf.loads(log, "log")
    assert (caught.value.line, caught.value.column) == (6, 3)
    with pytest.raises(porf.FormatError, match="time") as caught:
        porf.loads('t,op,loc,val,time\n0,w,x,"1","\n\nnoon"\n', "log")
    assert (caught.value.line, caught.value.column) == (2, 11)


@pytest.mark.parametrize(
    ("line", "column", "message"),
    [
        ('{"t": 1, "op": "w", "loc": "x", "v": 1', 39, "cut"),
        ('{"t": 1, "op": "w', 18, "cut"),
        ('{"t": 1, "op": "w", "loc": "x", "v": 1} 2', 41, "not one JSON object"),
        ('{"t": 1, "t": 1, "op": "w", "loc": "x", "v": 1}', 15, "a key is given twice"),
        ('{"t": 1, "op": "w", "loc": "x", "v": [{}]}', 39, "not one JSON object"),
        ("[[1]]", 2, "not one JSON object"),
        ('{"t": 1, "op": "w", "loc": "x", "v": tru}', 38, "not one JSON object"),
        ('{"t": 1, "op": "w", "loc": "\\ud800", "v": 1}', 30, "not one JSON object"),
    ],
)
def test_objects_that_are_none(line: str, column: int, message: str) -> None:
    log = '{"t": 0, "op": "w", "loc": "x", "v": 1}\n' + line + "\n"
    mapping = Mapping(columns={"thread": "t", "op": "op", "location": "loc", "value": "v"})
    with pytest.raises(porf.FormatError) as caught:
        porf.loads(log, mapping=mapping)
    assert (caught.value.line, message in caught.value.message) == (2, True), str(caught.value)
    assert caught.value.column == column


def test_deep_objects_are_refused() -> None:
    log = '{"t": 0, "op": "w", "loc": "x", "v": 1, "z": ' + "[" * 100_000
    with pytest.raises(porf.FormatError):
        porf.loads(log, mapping=Mapping(columns={"thread": "t", "op": "op", "location": "loc", "value": "v"}))


def test_a_line_that_no_template_fits_is_shown_where_it_ceases_to() -> None:
    with pytest.raises(porf.FormatError, match="no template fits") as caught:
        porf.loads("cpu0 -> x := 1\ncpu1 -> x == 1\n", mapping=Mapping(lines=("w={thread} -> {location} := {value}",)))
    assert (caught.value.line, caught.value.column) == (2, 10)
    assert caught.value.hint == "--others leaves out lines that no template fits"


@pytest.mark.parametrize(
    ("columns", "message", "hint"),
    [
        ("thread=cor,op=kind,location=addr,value=val", "1:4: no column is called 'cor'", "did you mean 'core'?"),
        ("thread=core,op=kind,location=addr,value=9", "there is no column 9", "there are 5"),
        ("thread=core,op=kind,locaton=addr,value=val", "unknown role 'locaton'", "did you mean 'location'?"),
        ("thread=core,op=kind,value=val", "which column is the location", "--guess"),
        ("thread=core,op=kind,location=addr", "which column is the value", "--guess"),
        ("thread=core,op=kind,location=addr,value=val,end=ts", "end without start", "start="),
        ("thread=core,op=kind,location=addr,value", "'value' is not of the form", "--columns thread="),
        ("thread=core,thread=kind", "'thread' is given twice", "keep one"),
    ],
)
def test_a_mapping_that_does_not_fit(columns: str, message: str, hint: str, tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text(GOOD)
    done = run("convert", str(path), "-", "--columns", columns)
    assert done.returncode == 2
    assert message in done.stderr
    assert hint in done.stderr


def test_a_header_that_nobody_announced() -> None:
    mapping = Mapping(columns={"thread": 2, "op": 3, "location": 4, "value": 5})
    with pytest.raises(porf.FormatError, match="unknown operation 'kind'") as caught:
        porf.loads(GOOD, mapping=mapping)
    assert "if the first line names the columns: --header" in (caught.value.hint or "")


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("[columns]\nthread = core\n", 2, 10, "not TOML"),
        ("[columns]\nthraed = 'core'\n", 2, 1, "unknown role 'thraed'"),
        ("colums = 1\n", 1, 1, "unknown key 'colums'"),
        ("header = 'yes'\n", 1, 1, "'header' must be true or false"),
        ("[columns]\nthread = 1.5\n", 2, 1, "a column is its name"),
        ("[ops]\nLD = 'r'\nST = 'x'\n", 3, 1, "'x' is no operation"),
        ("[ops]\nLD = 'r:aqc'\n", 2, 1, "'aqc' is no memory order"),
        ("separator = 'ab'\n", 1, 1, "'ab' is no separator"),
        ("shape = 'cvs'\n", 1, 1, "unknown shape 'cvs'"),
        ("lines = ['{thread} {thread}']\n", 1, 1, "'{thread}' is twice"),
        ("lines = [1]\n", 1, 1, "must be a list of templates"),
        ("skip = -1\n", 1, 1, "'skip' must be a number of lines"),
    ],
)
def test_a_wrong_mapping_file_has_its_place(text: str, line: int, column: int, message: str, tmp_path: Path) -> None:
    path = tmp_path / "m.toml"
    path.write_text(text)
    with pytest.raises(porf.FormatError) as caught:
        read_mapping(path)
    assert (caught.value.line, caught.value.column, message in caught.value.message) == (line, column, True), str(
        caught.value
    )


def test_values_that_nobody_writes_have_their_place(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text(GOOD + "3,1,LD,0x80,7\n")
    for given in (None, Mapping(columns=pairs("thread=core,op=kind,location=addr,value=val", "--columns"))):
        with pytest.raises(porf.FormatError, match="nothing writes 7") as caught:
            porf.load(path, mapping=given)
        assert (caught.value.line, caught.value.column, caught.value.text) == (4, 13, "3,1,LD,0x80,7")
    done = run(
        "check", "-", "-m", "sc", "--columns", "thread=core,op=kind,location=addr,value=val", stdin=path.read_text()
    )
    assert done.returncode == 2
    assert "<stdin>:4:13" in done.stderr


def test_a_log_whose_columns_nobody_names_is_refused_with_advice(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text("a,b,c\n1,2,3\n")
    done = run("check", str(path), "-m", "sc")
    assert done.returncode == 2
    assert "which column is the thread" in done.stderr
    assert "--guess" in done.stderr
    for text in ("", "\n\n", "#\n", "thread,op,loc,val\n"):
        path.write_text(text)
        done = run("check", str(path), "-m", "sc")
        assert done.returncode == 2, done
        assert done.stderr.startswith("error: ")


@pytest.mark.parametrize("options", [["--skip-bad", "-1"], ["--mapping", "none.toml"], ["--format", "npz", "--sort"]])
def test_calls_that_make_no_sense(options: list[str], tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text(GOOD)
    done = run("check", str(path), "-m", "sc", *options)
    assert done.returncode == 2
    assert "hint: " in done.stderr


@pytest.mark.parametrize("number", ["9" * 20, "9" * 5000, "0x1" + "0" * 16, "0x" + "F" * 5000])
@pytest.mark.parametrize(
    "text", ["skip = {}", "[init]\nx = {}", "[columns]\nthread = {}", "missing = [1, {}]", "[ops]\nw = {}"]
)
def test_numbers_of_a_mapping_have_64_bits(text: str, number: str, tmp_path: Path) -> None:
    path = tmp_path / "log.toml"
    path.write_text(text.format(number))
    with pytest.raises(FormatError, match="more than 64 bits"):
        read_mapping(path)
