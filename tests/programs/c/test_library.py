"""The records of library functions: each function has one home, and one record is all that a new one needs."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import porf.exploration as exploration
from porf.errors import ProgramError
from porf.programs.c import library, read_c
from porf.programs.c.library.record import FUNCTIONS, Call, function
from porf.programs.form import Binary

NAME = "next_number"


@pytest.fixture
def added() -> Iterator[None]:
    """A function that is not in the library yet."""

    @function(NAME, forgets=(0,))
    def emit(call: Call) -> int:
        value = call.code.load(call.argument(0), 4)
        return call.code.binary(Binary.ADD, value, call.code.constant(1))

    library.find.cache_clear()
    yield
    del FUNCTIONS[NAME]
    library.find.cache_clear()


def source(tmp_path: Path, body: str) -> str:
    path = tmp_path / "program.c"
    path.write_text(f"#include <assert.h>\nint {NAME}(int *p);\nint main(void) {{ {body} }}\n", encoding="utf-8")
    return str(path)


def test_a_record_is_all_that_a_new_function_needs(added: None, tmp_path: Path) -> None:
    program = read_c(source(tmp_path, f"int x = 41; assert({NAME}(&x) == 42); return 0;"))
    assert exploration.explore(program, "sc").verdict == "safe"
    assert not [item for item in program.layouts if item.name == "x"]  # the record says that x stays private


@pytest.mark.parametrize(
    ("call", "meant"), [("pthread_mutex_lok(0)", "pthread_mutex_lock"), ("sem_wiat(0)", "sem_wait"), ("quux()", None)]
)
def test_an_unknown_function_gets_the_nearest_name(call: str, meant: str | None, tmp_path: Path) -> None:
    with pytest.raises(ProgramError) as found:
        exploration.explore(read_c(source(tmp_path, f"{call}; return 0;")), "sc")
    hint = found.value.hint or ""
    assert "define it in the program" in hint
    assert (f"did you mean '{meant}'?" in hint) if meant else ("did you mean" not in hint)


def test_no_function_has_two_homes() -> None:
    written = library.runtime_functions()
    assert {
        "pthread_cond_timedwait",
        "strlen",
        "strcpy",
        "bsearch",
        "thrd_create",
        "getopt",
        "strtoll",
    } <= written.keys()
    assert not [name for name in written if library.find(name) is not None and "__with__" not in name]


def test_only_records_name_functions() -> None:
    """What the translator must know about a function stands in its record, so that a new one touches one file."""
    folder = Path(library.__path__[0]).parent
    for file in sorted([*folder.glob("*.py"), *folder.glob("text/*.py")]):
        words = [n.value for n in ast.walk(ast.parse(file.read_text(encoding="utf-8"))) if isinstance(n, ast.Constant)]
        named = [word for word in words if isinstance(word, str) and library.find(word) is not None]
        named = [word for word in named if word != "trunc"]  # an instruction of LLVM has this name, too
        assert not named, f"{file.name} names {named}"


@pytest.mark.parametrize(
    ("name", "like"),
    [
        ("llvm.memcpy.p0.p0.i64", "memcpy"),
        ("llvm.lifetime.start.p0", "llvm.lifetime.start"),
        ("pthread_attr_setstacksize", "pthread_attr_init"),
        ("__VERIFIER_nondet_uint", "__VERIFIER_nondet_int"),
        ("_ZSt20__throw_length_errorPKc", "_ZNSt3__120__throw_length_errorB8ne180100EPKc"),
    ],
)
def test_names_find_their_records(name: str, like: str) -> None:
    assert library.find(name) is not None
    assert library.find(name) is library.find(like)


@pytest.mark.parametrize("name", ["llvm.nothing.known", "mystery", "_ZSt4cout", "pthread_mystery"])
def test_names_without_a_record(name: str) -> None:
    assert library.find(name) is None
