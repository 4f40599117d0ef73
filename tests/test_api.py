"""The public names: what people guess works, every example runs, and a wrong type gets a sentence."""

from __future__ import annotations

import doctest
import inspect
import re
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

import porf
from porf.errors import UsageError
from porf.formats import PROGRAMS
from porf.programs.c import SUFFIXES
from tests.readme_blocks import workplace

ROOT = Path(__file__).parents[1]
VALUES = {"Answer", "INITIAL", "MODELS", "Op", "Order", "__version__"}  # constants and enumerations: nothing to show
MP = "examples/histories/message-passing.txt"


@pytest.fixture(autouse=True)
def at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


@pytest.mark.parametrize("name", sorted(set(porf.__all__) - VALUES))
def test_every_public_name_has_an_example_that_runs(name: str) -> None:
    thing = getattr(porf, name)
    assert inspect.getdoc(thing), f"porf.{name} has no docstring"
    found = [test for test in doctest.DocTestFinder(recurse=False).find(thing, name, globs={}) if test.examples]
    assert found, f"porf.{name} has no example"
    for test in found:
        result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test)
        assert result.failed == 0


def test_the_example_of_the_package_runs() -> None:
    assert doctest.testmod(porf).failed == 0


def test_the_names_are_listed_and_typed() -> None:
    assert set(porf.__all__) <= set(dir(porf))
    assert (ROOT / "src" / "porf" / "py.typed").exists()
    for name in set(porf.__all__) - VALUES:
        thing = getattr(porf, name)
        if inspect.isfunction(thing):
            signature = inspect.signature(thing)
            assert signature.return_annotation is not signature.empty, name
            assert all(p.annotation is not p.empty for p in signature.parameters.values()), name


def test_the_version_is_that_of_the_metadata() -> None:
    assert porf.__version__ == version("porf")


def test_importing_is_light() -> None:
    heavy = "{'numpy', 'lark', 'importlib.metadata'}"
    code = f"import sys, porf, porf.cli; dir(porf); sys.exit(bool({heavy} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_submodules_shadow_no_function() -> None:
    import porf.checking
    import porf.comparison
    import porf.exploration
    import porf.programs.python

    for name in ("check", "compare", "explore", "prove", "program", "load"):
        assert inspect.isfunction(getattr(porf, name))


def test_paths_are_taken_as_strings_and_as_paths(tmp_path: Path) -> None:
    for path in (MP, Path(MP)):
        assert porf.check(path, "sc").answer == "inconsistent"
        assert porf.check(path, porf.MODELS["pso"]).consistent
    assert porf.check(MP, Path("examples/models/per-location.cat")).consistent
    assert porf.explore(Path("examples/litmus/MP.litmus"), porf.MODELS["ra"]).verdict == "safe"
    assert porf.explore("examples/programs/message_passing.py:message_passing", "rc11").verdict == "safe"
    assert porf.explore("examples/programs/treiber_stack.c", "rc11").verdict == "safe"
    assert [result.verdict for result in porf.prove(Path("examples/proofs/eco_eco2.kat"), seconds=60)] == ["holds"]


def test_defines_are_a_mapping_or_a_list() -> None:
    stack = "examples/programs/treiber_stack.c"
    for given in ({"PUSH": "memory_order_relaxed"}, ["PUSH=memory_order_relaxed"]):
        assert porf.explore(porf.load_program(stack, defines=given), "rc11").verdict == "unsafe"
    flag = porf.load_program(stack, arguments=["-DPUSH=memory_order_relaxed"])
    assert porf.explore(flag, "rc11").verdict == "unsafe"
    assert porf.load_program("examples/programs/fib_bench.py", defines=["n=2"]).name == "fib_bench(2)"
    with pytest.raises(UsageError, match="no parameters"):
        porf.load_program("examples/litmus/MP.litmus", defines={"n": 1})


def test_of_several_programs_one_must_be_named() -> None:
    with pytest.raises(UsageError) as caught:
        porf.explore("examples/programs/message_passing.py", "rc11")
    assert caught.value.message == (
        "examples/programs/message_passing.py has 2 programs: message_passing, message_passing_relaxed"
    )
    assert "'examples/programs/message_passing.py:message_passing'" in (caught.value.hint or "")
    assert len(porf.load_programs("examples/programs/message_passing.py")) == 2


CALLS: list[tuple[Callable[[], Any], str]] = [
    (lambda: porf.check(5, "sc"), "check takes an Execution or the path of a history, not an int"),  # type: ignore[arg-type]
    (lambda: porf.check(None, "sc"), "check takes an Execution or the path of a history, not None"),  # type: ignore[arg-type]
    (lambda: porf.check(MP, 5), "a model argument takes a name, a path or a Model, not an int"),  # type: ignore[arg-type]
    (lambda: porf.check(porf.MODELS["sc"], MP), "check takes an Execution or the path of a history, not a Model"),  # type: ignore[arg-type]
    (lambda: porf.explore(5), "explore takes a program or the path of one, not an int"),  # type: ignore[arg-type]
    (lambda: porf.explore(porf.load(MP)), "explore takes a program or the path of one, not an Execution"),  # type: ignore[arg-type]
    (lambda: porf.prove(5), "prove takes the path of a kat file, not an int"),  # type: ignore[arg-type]
    (lambda: porf.compare("sc", 5), "a model argument takes a name, a path or a Model, not an int"),  # type: ignore[arg-type]
    (lambda: porf.load(5), "load takes a path, not an int"),  # type: ignore[arg-type]
    (lambda: porf.loads(5), "loads takes a string or bytes, not an int"),  # type: ignore[arg-type]
    (lambda: porf.save(MP, "x.txt"), "save takes an Execution and a path, not a str"),  # type: ignore[arg-type]
    (lambda: porf.save(porf.load(MP), 5), "save takes a path to write to, not an int"),  # type: ignore[arg-type]
    (lambda: porf.load_program(5), "load_program takes the path of a program, not an int"),  # type: ignore[arg-type]
    (
        lambda: porf.load_program("x.c", defines="N=3"),
        "defines is a list of strings, or a mapping from names to values, not 'N=3'",
    ),
    (
        lambda: porf.load_program("x.c", defines=5),  # type: ignore[arg-type]
        "defines is a list of strings, or a mapping from names to values, not 5",
    ),
    (lambda: porf.load_program("x.c", arguments=[5]), "arguments is a list of strings, not [5]"),  # type: ignore[list-item]
    (lambda: porf.load_program("x.c", nondet=5), "nondet is a pair of whole numbers, not 5"),  # type: ignore[arg-type]
    (lambda: porf.check(MP, "sc", seconds="5"), "seconds is a number above 0, not a str"),  # type: ignore[arg-type]
    (lambda: porf.check(MP, "sc", steps=1.5), "steps is a whole number above 0, not a float"),  # type: ignore[arg-type]
    (lambda: porf.explore("x.c", jobs="2"), "jobs is a whole number above 0, not a str"),  # type: ignore[arg-type]
    (lambda: porf.explore("x.c", replay=5), "replay is a token, not an int"),  # type: ignore[arg-type]
    (lambda: porf.explore("x.c", checkpoint=5), "checkpoint is a path, not an int"),  # type: ignore[arg-type]
    (lambda: porf.prove("x.kat", seconds="5"), "seconds is a number above 0, not a str"),  # type: ignore[arg-type]
    (lambda: porf.compare("sc", "tso", events="5"), "events is a whole number, not a str"),  # type: ignore[arg-type]
    (lambda: porf.compare("sc", "tso", assume=5), "assume is a path, not an int"),  # type: ignore[arg-type]
    (lambda: porf.Execution.from_events(5), "from_events takes a list of events or tuples, not an int"),  # type: ignore[arg-type]
    (lambda: porf.Monitor("ra").read("T0", "x", rf="a"), "a monitor takes whole numbers for rf and values, not a str"),  # type: ignore[arg-type]
    (lambda: porf.program(5), "program takes a name, not an int"),  # type: ignore[arg-type]
    (lambda: porf.Monitor(5), "a model argument takes a name, a path or a Model, not an int"),  # type: ignore[arg-type]
    (lambda: porf.Monitor("ra").write(0, "x"), "a monitor takes names of threads and locations, not an int"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("call", "sentence"), CALLS, ids=[sentence for _, sentence in CALLS])
def test_a_wrong_type_gets_a_sentence(call: Callable[[], Any], sentence: str) -> None:
    with pytest.raises(TypeError) as caught:
        call()
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: porf.check(MP, "sc", seconds=0), "seconds is a number above 0, not 0"),
        (lambda: porf.explore("x.c", jobs=-1), "jobs is a whole number above 0, not -1"),
        (lambda: porf.check(MP, "sc", algorithm=5), "unknown algorithm '5'"),  # type: ignore[arg-type]
        (lambda: porf.load(MP, 5), "unknown format '5'"),  # type: ignore[arg-type]
        (lambda: porf.explore("examples/programs/ticket_lock.py", equivalence="x"), "unknown equivalence 'x'"),
        (lambda: porf.load_program("x.c", nondet=(3, 1)), "there is no value from 3 to 1"),
        (lambda: porf.load_program("x.c", volatile="atomic"), "volatile is 'plain' or 'relaxed', not 'atomic'"),
        (lambda: porf.check("examples/litmus/MP.litmus", "sc"), "this is a program, not a history"),
        (lambda: porf.explore(MP), f"{MP}: this is a history, not a program"),
        (lambda: porf.Monitor("ra").write("T0", "x", order=3), "unknown order '3'"),  # type: ignore[arg-type]
    ],
)
def test_a_wrong_value_gets_a_sentence(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(porf.PorfError) as caught:
        call()
    assert caught.value.message == message


def test_histories_know_the_files_that_are_programs() -> None:
    assert {*PROGRAMS} == {*SUFFIXES, ".py", ".litmus"}


def test_the_page_on_python_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```pycon\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert len(blocks) > 10
    monkeypatch.chdir(workplace(tmp_path))
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "python.md", None, 0)
    assert doctest.DocTestRunner().run(test).failed == 0


def test_the_page_on_python_names_every_public_name() -> None:
    page = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    assert [name for name in porf.__all__ if not re.search(rf"\b{name}\b", page)] == []
