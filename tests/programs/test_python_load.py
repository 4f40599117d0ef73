"""Files of programs: which programs a file has, how factories get parameters, and what can be wrong with a file."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import porf
from porf.programs.python import load_programs

TWO = """import porf
second = porf.program("b")
first = porf.program("a")
again = first
@first.thread
def t(): pass
@second.thread
def u(): pass
"""
FACTORIES = """import porf
def helper(n): return n
def pair(n: int = 2, m: int = 1) -> porf.ProgramBuilder:
    p = porf.program(f"pair({n},{m})")
    @p.thread(copies=n)
    def t(): pass
    return p
def needy(k: int) -> "porf.ProgramBuilder":
    p = porf.program(f"needy({k})")
    @p.thread(args=range(k))
    def t(i): pass
    return p
def unmarked():
    p = porf.program("unmarked")
    @p.thread
    def t(): pass
    return p
def wrong(): return 5
def failing(): return 1 // 0
"""


@pytest.fixture
def write(tmp_path: Path):  # type: ignore[no-untyped-def]
    def to_file(text: str, name: str = "programs.py") -> str:
        (tmp_path / name).write_text(text, encoding="utf-8")
        return str(tmp_path / name)

    return to_file


def names(*arguments: object) -> list[str]:
    return [program.name for program in load_programs(*arguments)]  # type: ignore[arg-type]


def test_programs_come_in_the_order_of_their_definition(write) -> None:  # type: ignore[no-untyped-def]
    path = write(TWO)
    assert names(path) == ["b", "a"]
    assert names(path, ["first"]) == ["a"]
    assert names(path, ["b"]) == ["b"]  # by the program's own name


def test_factories_make_programs(write) -> None:  # type: ignore[no-untyped-def]
    path = write(FACTORIES)
    assert names(path, [], {"k": 3}) == ["pair(2,1)", "needy(3)"]
    assert names(path, ["pair"], {"n": 4}) == ["pair(4,1)"]
    assert names(path, ["unmarked", "pair"]) == ["unmarked", "pair(2,1)"]


@pytest.mark.parametrize(
    ("asked", "parameters", "message", "hint"),
    [
        ([], {}, "'needy' needs a value for 'k'", "-D k="),
        (["pair"], {"nn": 1}, "no program has a parameter 'nn'", "'n'"),
        (["unmarked"], {"n": 1}, "no program has a parameter 'n'", "only functions"),
        (["pear"], {}, "no program 'pear'", "'pair'"),
        (["wrong"], {}, "'wrong' did not return a program, but 5", "return p"),
    ],
)
def test_what_factories_need(write, asked, parameters, message, hint) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(porf.PorfError) as caught:
        load_programs(write(FACTORIES), asked, parameters)
    assert message in caught.value.message
    assert hint in (caught.value.hint or "")


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("x = 1\ny = (\n", 2, "'(' was never closed"),
        ("import porf\n  p = 1\n", 2, "unexpected indent"),
        ("x = 1\n\nx.y\n", 3, "AttributeError: 'int' object has no attribute 'y'"),
        ("def f():\n    return 1 // 0\nf()\n", 2, "ZeroDivisionError"),
        ("import no_such_module\n", 1, "ModuleNotFoundError"),
        ("raise SystemExit(0)\n", 1, "SystemExit"),
        ("raise RuntimeError\n", 1, "RuntimeError"),
        ("x = 1\n", None, "the file has no program"),
        ("", None, "the file has no program"),
    ],
)
def test_files_that_are_wrong(write, text, line, message) -> None:  # type: ignore[no-untyped-def]
    path = write(text)
    with pytest.raises(porf.ProgramError) as caught:
        load_programs(path)
    assert message in caught.value.message
    assert (caught.value.source, caught.value.line) == (path, line)


def test_an_exception_in_a_factory_has_its_line(write) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(porf.ProgramError, match="ZeroDivisionError") as caught:
        load_programs(write(FACTORIES), ["failing"])
    assert caught.value.text == "def failing(): return 1 // 0"


def test_files_that_are_not_there_or_not_text(tmp_path: Path) -> None:
    with pytest.raises(porf.UsageError, match="No such file"):
        load_programs(str(tmp_path / "none.py"))
    with pytest.raises(porf.UsageError, match="directory"):
        load_programs(str(tmp_path))
    (tmp_path / "binary.py").write_bytes(b"x = 1\0\xff")
    with pytest.raises(porf.PorfError):
        load_programs(str(tmp_path / "binary.py"))


def test_a_file_imports_what_stands_beside_it_and_leaves_no_trace(write) -> None:  # type: ignore[no-untyped-def]
    write("SIZE = 3\n", "beside_it.py")
    text = "import porf\nfrom beside_it import SIZE\np = porf.program('p')\n@p.thread(copies=SIZE)\ndef t(): pass\n"
    before = list(sys.path)
    [program] = load_programs(write(text))
    assert [s.name for s in program.starts] == ["t[0]", "t[1]", "t[2]"]
    assert sys.path == before
    del sys.modules["beside_it"]


def test_a_file_that_changed_is_read_anew(write) -> None:  # type: ignore[no-untyped-def]
    text = "import porf\np = porf.program('p')\n@p.thread\ndef t():\n    assert False, '{}'\n"
    assert load_programs(write(text.format("one")))[0].messages == ("one",)
    assert load_programs(write(text.format("two")))[0].messages == ("two",)


@pytest.mark.parametrize("terms", [500, 5_000, 100_000])
def test_what_is_nested_too_deeply_is_refused_or_compiled(write, terms: int) -> None:  # type: ignore[no-untyped-def]
    sum_of_many = " + ".join(["x.load()"] * terms)
    text = f"import porf\np = porf.program('p')\nx = p.int('x')\n@p.thread\ndef t():\n    y = {sum_of_many}\n"
    try:
        [program] = load_programs(write(text))
        assert len(program.templates[0].code) == 2 * terms
    except porf.ProgramError as error:
        assert "nested too deeply" in error.message or "recursion" in error.message
