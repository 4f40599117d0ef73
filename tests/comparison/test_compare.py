"""`porf compare` and the options of `porf models`: answers, evidence, exit codes, bad input."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import porf
from porf.cli import main
from porf.comparison import compare as module
from porf.comparison.compare import Comparison, compare
from porf.comparison.difference import Difference
from porf.comparison.shapes import shape
from porf.comparison.small import Small
from porf.errors import EvidenceError
from porf.formats import loads
from porf.models import MODELS
from tests.cli.calling import refused


def quick(left: str | Path, right: str | Path, **options: object) -> Comparison:
    return compare(left, right, events=4, **options)  # type: ignore[arg-type]


def test_incomparable_models_have_an_execution_each_way() -> None:
    found = quick("rmo", "relaxed")
    assert found.relation == "incomparable"
    for difference, (allows, forbids) in zip(
        found.counterexamples, (("rmo", "relaxed"), ("relaxed", "rmo")), strict=True
    ):
        g = loads(difference.history)
        assert porf.check(g, allows).consistent and porf.check(g, forbids).inconsistent
        assert difference.smallest


def test_a_model_equals_itself(tmp_path: Path) -> None:
    assert quick("tso", "tso").relation == "equal"


def proving(monkeypatch: pytest.MonkeyPatch, *pairs: tuple[str, str]) -> None:
    """As if these inclusions were proved, and no others."""

    def prove(strong: porf.Model, weak: porf.Model, *_: object) -> str | None:
        return "by a test" if (strong.name, weak.name) in pairs else None

    monkeypatch.setattr(module, "prove", prove)


def test_relations(monkeypatch: pytest.MonkeyPatch) -> None:
    proving(monkeypatch)
    assert quick("sc", "tso").relation == "unknown"
    proving(monkeypatch, ("sc", "tso"))
    assert quick("sc", "tso").relation == "stronger"
    assert quick("tso", "sc").relation == "weaker"
    proving(monkeypatch, ("ccv", "sra"))
    found = quick("ccv", "sra")
    assert found.relation == "stronger" and found.headline() == "ccv is stronger than sra, or equal"
    assert quick("sra", "ccv").relation == "unknown"
    proving(monkeypatch, ("ccv", "sra"), ("sra", "ccv"))
    assert quick("ccv", "sra").relation == "equal"


@pytest.mark.parametrize(
    ("left", "right", "proved", "code"),
    [
        ("sc", "tso", [("sc", "tso")], 0),
        ("tso", "sc", [("sc", "tso")], 1),
        ("rmo", "relaxed", [], 1),
        ("sc", "tso", [], 3),
        ("ra", "ra", [], 0),
    ],
)
def test_exit_codes(
    left: str,
    right: str,
    proved: list[tuple[str, str]],
    code: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if left != right:
        proving(monkeypatch, *proved)
    assert main(["compare", left, right, "--events", "3", "--json"]) == code
    record = json.loads(capsys.readouterr().out)
    assert [record["left"], record["right"]] == [left, right]
    assert record["relation"] == {0: "stronger", 1: record["relation"], 3: "unknown"}[code] or left == right
    assert list(record)[:4] == ["left", "right", "relation", "counterexamples"] and record["seconds"] >= 0
    for found in record["counterexamples"]:
        assert found["litmus"].startswith(f"C {found['allowed_by']}-not-{found['forbidden_by']}\n")
        assert [v["verdict"] for v in found["verdicts"]] == ["consistent", "inconsistent"]


def test_words_say_what_was_found_and_how_far_it_looked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    proving(monkeypatch)
    main(["compare", "tso", "sc", "--events", "4"])
    out = capsys.readouterr().out
    assert out.startswith("tso is weaker than sc, or incomparable with it\n")
    assert "tso allows this, sc forbids it (4 events; none is smaller):\n\n  T0 w x 1\n  T0 r y 0\n" in out
    assert "-fr->" in out and "exists (0:r0=0 /\\ 1:r0=0)" in out
    assert "no execution of up to 4 events says otherwise" in out


def test_what_only_one_interprets_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    main(["compare", "rmo", "cc", "--events", "3"])
    assert "only one of them interprets updates and fences" in capsys.readouterr().out


def test_a_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "out.svg"
    main(["compare", "rmo", "relaxed", "--events", "3", "-o", str(path)])
    assert ET.parse(path).getroot().tag.endswith("svg")
    assert "inconsistent in relaxed" in path.read_text()


def test_users_own_models(tmp_path: Path) -> None:
    strong, weak = tmp_path / "strong.cat", tmp_path / "weak.kat"
    strong.write_text('"s"\nacyclic po | rf | mo | fr as sc\n')
    weak.write_text("acyclic po | rf\n")
    found = quick(weak, strong)
    assert found.forth.holds is False and found.back.holds is not False
    assert len(found.counterexamples[0].execution) == 2  # a write, and a read of the initial value after it


def test_assumptions_leave_out_executions(tmp_path: Path) -> None:
    path = tmp_path / "a.kat"
    path.write_text("assume [W];po;[R] <= 0\n")
    assert quick("tso", "sc").forth.holds is False
    assert quick("tso", "sc", assume=path).forth.holds is None


@pytest.mark.parametrize("text", ["assume total po\n", "assume mo <= po\n"])
def test_assumptions_that_no_execution_decides(text: str, tmp_path: Path) -> None:
    path = tmp_path / "a.kat"
    path.write_text(text)
    found = quick("tso", "sc", assume=path)
    assert found.relation == "unknown"
    assert "no execution was searched for" in found.report()


def test_a_wrong_difference_is_a_bug_and_never_shown() -> None:
    store_buffering = Small(shape("SB"), ((1, 1, 1, 1), ()))
    with pytest.raises(EvidenceError):
        Difference.of(MODELS["sc"], MODELS["tso"], store_buffering, True)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["compare", "tso", "scc"], "did you mean 'sc'"),
        (["compare", "tso"], "required: B"),
        (["compare", "tso", "sc", "--seconds", "0"], "not a positive number"),
        (["compare", "tso", "sc", "--assume", "none.kat"], "no such model file"),
        (["compare", "tso", "sc", "--assume", "none.cat"], "read from a .kat file"),
        (["compare", "tso", "sc", "--assume", "empty.kat"], "assumes nothing"),
        (["compare", "tso", "sc", "--assume", "wrong.kat"], "wrong.kat:1:13"),
        (["models", "--check"], "--check is about one model"),
        (["models", "--check", "tsoo"], "did you mean 'tso'"),
        (["models", "--hierarchy", "tso"], "about all models"),
        (["models", "-o", "x.svg"], "belongs to --hierarchy"),
        (["models", "--hierarchy", "--check", "tso"], "two questions"),
        (["models", "--hierarchy", "-o", "none/x.svg"], "cannot be written"),
    ],
)
def test_bad_calls(
    arguments: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("empty.kat").write_text("let a = po\n")
    Path("wrong.kat").write_text("assume rf = foo\n")
    if "none/x.svg" in arguments:
        assert main(arguments) == 2
        assert said in capsys.readouterr().err
    else:
        assert said in refused(capsys, *arguments)


def test_the_verb_shows_the_hierarchy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "h.svg"
    assert main(["models", "--hierarchy", "-o", str(path)]) == 0
    assert "ordered pairs" in capsys.readouterr().out
    assert ">sc<" in path.read_text()
    assert main(["models", "--hierarchy", "--json"]) == 0
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(records) == len(MODELS) * (len(MODELS) - 1)


@pytest.mark.parametrize(("model", "code"), [("ra", 0), ("tso", 1)])
def test_the_verb_checks_a_model(model: str, code: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["models", "--check", model, "--seconds", "6", "--json"]) == code
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(records) == 6 and {r["model"] for r in records} == {model}
    assert main(["models", "--check", model, "--seconds", "6"]) == code
    assert "monotone under thread merging: " in capsys.readouterr().out


@pytest.mark.parametrize("weak", ["cc", "ccv"])
def test_zennou_2019_believes_that_tso_is_stronger_than_cc_and_ccv(weak: str) -> None:
    """Section 4.1: "but we don't have a formal proof". Here is one, by way of strong release-acquire."""
    found = compare("tso", weak, events=4, seconds=None)
    assert found.relation == "stronger"
    assert found.forth.proof is not None and "sra" in found.forth.proof
    assert found.counterexamples
