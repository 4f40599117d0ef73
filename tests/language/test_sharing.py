"""What a file shares is shared in all that reads it, and what is nested deeply is read, or an error at its place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import porf
from porf.errors import ModelError
from porf.exploration import explore
from porf.language import load_model_file, parse_model
from porf.language.relation import walk
from porf.models.registry import find_model

LEVELS = 40  # each doubles what is below it: nothing that unfolds them ends
DOUBLING: dict[str, Callable[[str], str]] = {
    "sequence": lambda a: f"{a} ; {a}",
    "union": lambda a: f"{a} | ({a} ; rf)",
    "intersection": lambda a: f"({a} | rf) & ({a} | po)",
    "difference": lambda a: f"({a} | rf) \\ ({a} & rf)",
    "optional": lambda a: f"{a}? ; ({a} & loc)",
    "closure": lambda a: f"({a} ; [W])+ | {a}",
    "inverse": lambda a: f"({a}^-1 | ({a} & rf))^-1",
}
PROGRAM = "examples/programs/message_passing.py:message_passing"


def doubling(name: str) -> str:
    lines = ["let a0 = po", *(f"let a{k} = {DOUBLING[name](f'a{k - 1}')}" for k in range(1, LEVELS + 1))]
    return "\n".join(lines)


@pytest.mark.parametrize("name", DOUBLING)
def test_doubling_relations_are_evaluated_once(name: str, tmp_path: Path) -> None:
    path = tmp_path / "doubling.cat"
    path.write_text(f"{doubling(name)}\nacyclic a{LEVELS} | rf | mo | fr as x\nacyclic po | rf as y\n")
    model = load_model_file(path)
    assert len(list(walk(model.axioms[0].node))) < 10 * LEVELS
    verdict = porf.check("examples/histories/message-passing.txt", str(path))
    assert verdict.answer is not porf.Answer.UNDECIDED
    verdict.verify()


@pytest.mark.parametrize("name", DOUBLING)
def test_doubling_relations_are_explored(name: str, tmp_path: Path) -> None:
    path = tmp_path / "doubling.cat"
    path.write_text(f"{doubling(name)}\nacyclic po | rf | mo | fr as x\nempty (a{LEVELS} & mo) \\ po as y\n")
    found = explore(PROGRAM, str(path), seconds=20)
    assert found.verdict in ("safe", "unsafe", "undecided")


def test_functions_that_use_each_other_twice_are_unfolded_once() -> None:
    levels = "".join(f"let f{k + 1}(x) = f{k}(x) | (f{k}(x) ; rf)\n" for k in range(LEVELS))
    model = parse_model(f"let f0(x) = x\n{levels}let rec r = f{LEVELS}(po) | r\nacyclic r")
    assert len(list(walk(model.axioms[0].node))) < 10 * LEVELS


def test_what_fails_in_try_is_not_tried_again() -> None:
    levels = "".join(f"let f{k + 1}(x) = try f{k}(x) | f{k}(x) with f{k}(x)\n" for k in range(20))
    with pytest.raises(ModelError, match="unknown name 'nobody'"):
        parse_model(f"let f0(x) = x | nobody\n{levels}acyclic f20(po)")


@pytest.mark.parametrize("dialect", ["cat", "kat"])
@pytest.mark.parametrize(
    "expression",
    [
        "(" * 10_000 + "po" + ")" * 10_000,
        "po+" + "?" * 10_000,
        " | ".join(["po", "rf"] * 2500),
        " ; ".join(["po"] * 5000),
        "(po ; " * 5000 + "rf" + ")" * 5000,
    ],
    ids=["brackets", "postfix", "union", "sequence", "nested sequence"],
)
def test_deep_expressions_are_read(expression: str, dialect: str) -> None:
    model = parse_model(f"let a = {expression}\nacyclic a", dialect=dialect)
    assert [axiom.name for axiom in model.axioms] == ["acyclic a"]


def test_long_chains_of_definitions_are_read() -> None:
    lines = [f"let a{k} = (a{k - 1} ; rf)?" for k in range(1, 5000)]
    model = parse_model("\n".join(["let a0 = po", *lines, "acyclic a4999"]))
    assert len(model.relations) == 5000


def test_many_functions_do_not_copy_what_is_defined() -> None:
    lines = [f"let f{k}(x) = x ; po" for k in range(3000)]
    model = parse_model("\n".join([*lines, "acyclic f2999(rf)"]))
    assert not model.relations


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("\n".join(["let f0(x) = x", *(f"let f{k}(x) = f{k - 1}(x)" for k in range(1, 200)), "acyclic f199(po)"]), 151),
        ("\nacyclic " + "let a = po in " * 200 + "a", 2),
        ("\n\nacyclic " + "try " * 200 + "po" + " with rf" * 200, 3),
    ],
    ids=["functions", "let in", "try"],
)
def test_what_is_nested_too_deeply_has_a_place(text: str, line: int) -> None:
    with pytest.raises(ModelError, match="nested too deeply") as caught:
        parse_model(text)
    assert caught.value.line == line and caught.value.text


def test_a_snapshot_does_not_see_what_comes_later() -> None:
    model = parse_model("let a = po\nlet f(x) = x ; a\nlet a = rf\nlet g(x) = x ; a\nlet b = f(mo)\nlet c = g(mo)")
    from porf.language.evaluation import evaluate

    execution = porf.loads("T0 w x 1\nT0 w x 2\nT1 r x 2")
    found = evaluate(model, execution, [(-1, 0), (-1, 1), (0, 1)])
    assert found.relation("b") == {(-1, 1)} and found.relation("c") == {(0, 2), (-1, 2)}


def test_a_model_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("porf.language.compile.MOST_INSTRUCTIONS", 100)
    with pytest.raises(ModelError, match="more than 100 operators"):
        parse_model("acyclic po" + "".join(f" | (po ; [W])+ & (rf ; po{'?' * k})" for k in range(40)))


def test_files_are_included_from_the_folder_of_the_model(tmp_path: Path) -> None:
    home, secret = tmp_path / "home", tmp_path / "secret"
    (home / "below").mkdir(parents=True)
    secret.write_text("the first line of a secret\n")
    (home / "part.cat").write_text("let part = po | rf\n")
    (home / "below" / "other.cat").write_text('include "../part.cat"\nlet other = part\n')
    (home / "link.cat").symlink_to(secret)
    (home / "good.cat").write_text('include "below/other.cat"\ninclude "ra.cat"\nacyclic other\n')
    assert "acyclic other" in [axiom.name for axiom in load_model_file(home / "good.cat").axioms]
    for name in ("../secret", str(secret), "below/../../secret", "link.cat"):
        (home / "bad.cat").write_text(f'acyclic po\ninclude "{name}"\n')
        with pytest.raises(ModelError, match="outside the folder of this model") as caught:
            load_model_file(home / "bad.cat")
        assert caught.value.line == 2 and "first line" not in str(caught.value)
    with pytest.raises(ModelError, match="outside the folder"):
        parse_model('include "/etc/hostname"')


def test_a_configuration_names_files_of_its_folder(tmp_path: Path) -> None:
    home, secret = tmp_path / "home", tmp_path / "secret.cat"
    home.mkdir()
    secret.write_text("the first line of a secret\n")
    (home / "link.cat").symlink_to(secret)
    (home / "m.cat").write_text("empty Once & Mb\n")
    (home / "m.bell").write_text("enum Accesses = 'once\n")
    configuration = home / "m.cfg"
    configuration.write_text("model m.cat\nbell m.bell\n")
    assert find_model(configuration).file.axioms
    for said in (
        f"model {secret}",
        "model ../secret.cat",
        "model link.cat",
        "model /etc/hostname",
        "model m.cat\nbell m.cat",
    ):
        configuration.write_text(said + "\n")
        with pytest.raises(ModelError, match="in the folder of this configuration") as caught:
            _ = find_model(configuration).file
        assert "first line" not in str(caught.value)


def test_includes_that_go_too_deep_have_a_place(tmp_path: Path) -> None:
    for k in range(80):
        (tmp_path / f"m{k}.cat").write_text(f'include "m{k + 1}.cat"\n')
    (tmp_path / "m80.cat").write_text("acyclic po\n")
    with pytest.raises(ModelError, match="too deeply") as caught:
        load_model_file(tmp_path / "m0.cat")
    assert caught.value.line == 1 and caught.value.source == str(tmp_path / "m50.cat")


def test_procedures_that_call_each_other_twice_are_refused() -> None:
    levels = "".join(f"procedure p{k + 1}(x) = call p{k}(x) call p{k}(x) end\n" for k in range(20))
    with pytest.raises(ModelError, match="too many procedures") as caught:
        parse_model(f"procedure p0(x) = acyclic x end\n{levels}call p20(po)")
    assert caught.value.line is not None
