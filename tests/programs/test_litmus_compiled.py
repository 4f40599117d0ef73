"""Tests in C compiled to machines: no machine shows a state that C forbids, and some show all that it allows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from porf.cli import main
from porf.errors import PorfError, ProgramError, UsageError
from porf.exploration import explore
from porf.programs.litmus import LitmusTest, read_litmus
from porf.programs.litmus.compiled import compiled
from tests.programs.test_litmus_catalogue import ROOT

EXAMPLES = Path(__file__).parents[2] / "examples" / "litmus"
MODELS = {"x86": "x86tso", "aarch64": "aarch64", "ppc": "ppc", "riscv": "riscv"}
# In imm an update orders all that follows it, as the loop of exclusives does that some machines need; a single
# instruction does not.
STRONGER_IN_IMM = {"LB+poacqrel+rmwrlxrlx-porlxrlx"}

State = frozenset[tuple[str, int | str]]


def read(path: Path) -> LitmusTest:
    return read_litmus(path.read_text(encoding="utf-8"), str(path))


def states(test: LitmusTest, model: str, names: dict[str, str] | None = None) -> set[State]:
    """The final states, by the names that they have in C."""
    observation = explore(test, model).observation
    assert observation is not None
    found = (observation.values(state) for state in observation.states)
    return {frozenset(((names or {}).get(key, key), value) for key, value in state.items()) for state in found}


def on_machine(test: LitmusTest, language: str) -> set[State]:
    text = compiled(test, language)
    found = re.search(r"locations \[(.*);\]", text)
    assert found is not None
    labels = [test.watched[n].label for n in test.shown]
    names = dict(zip(found[1].split("; "), labels, strict=True))
    return states(read_litmus(text), MODELS[language], names)


@pytest.mark.parametrize("language", MODELS)
def test_examples_show_nothing_that_imm_forbids(language: str) -> None:
    equal = 0
    for path in sorted(EXAMPLES.glob("*.litmus")):
        test = read(path)
        allowed, seen = states(test, "imm"), on_machine(test, language)
        assert seen <= allowed, path.stem
        equal += seen == allowed
    assert equal >= 5


@pytest.mark.skipif(not ROOT.is_dir(), reason="no catalogue of litmus tests beside the repository")
@pytest.mark.parametrize("language", MODELS)
def test_the_catalogue_shows_nothing_that_c_forbids(language: str) -> None:
    for path in sorted((ROOT / "c").glob("*.litmus")):
        test = read(path)
        seen = on_machine(test, language)
        if path.stem not in STRONGER_IN_IMM:
            assert seen <= states(test, "imm"), path.stem
        if not path.stem.startswith(("LB", "3.LB")):  # what rc11 forbids, and machines do to relaxed accesses
            assert seen <= states(test, "rc11"), path.stem


LOOP = """C loop
{ x = 0; y = 0; }
P0 (atomic_int* x, atomic_int* y) {
  atomic_store_explicit(x, 1, memory_order_relaxed);
  atomic_store_explicit(y, 1, memory_order_release);
}
P1 (atomic_int* x, atomic_int* y) {
  while (atomic_load_explicit(y, memory_order_acquire) != 1) ;
  int r1 = atomic_load_explicit(x, memory_order_relaxed);
  int r2 = atomic_fetch_add_explicit(x, 2, memory_order_acq_rel);
}
exists (1:r1=0 \\/ 1:r2!=1 \\/ ~[x]=3)
"""


@pytest.mark.parametrize("language", MODELS)
def test_loops_and_updates(language: str) -> None:
    found = explore(read_litmus(compiled(read_litmus(LOOP), language)), MODELS[language]).observation
    assert found is not None
    assert found.observation == "Never"
    assert len(found.states) == 1


def test_message_passing_in_full() -> None:
    text = EXAMPLES.joinpath("MP.litmus").read_text(encoding="utf-8")
    assert compiled(read_litmus(text), "aarch64") == (
        "AArch64 MP\n{\n 0:X0=x; 0:X2=y;\n 1:X0=y; 1:X2=x;\n}\n"
        " P0           | P1           ;\n"
        " MOV W1,#1    | LDAR W1,[X0] ;\n"
        " STR W1,[X0]  | LDR W3,[X2]  ;\n"
        " STLR W1,[X2] |              ;\n"
        "\nlocations [1:X1; 1:X3;]\n~exists (1:X1=1 /\\ 1:X3=0)\n"
    )


def in_c(body: str, rest: str = "exists (0:r0=0)", start: str = "") -> str:
    return f"C t\n{{ {start} }}\nP0 (atomic_int* x, int* t) {{ {body} }}\n{rest}\n"


@pytest.mark.parametrize(
    ("text", "language", "message"),
    [
        (in_c("int r1 = *x; int r0 = r1 == 2;"), "aarch64", "the result of a comparison that is kept is not compiled"),
        (in_c("int r0 = -1;"), "ppc", "the number -1 is not compiled to Power"),
        (in_c("int r0 = atomic_fetch_or(x, 2);"), "x86", "fetches and ors"),
        (in_c("int r0 = 1; atomic_compare_exchange_strong(x, &r0, 2);"), "riscv", "not compiled to RISC-V"),
        (in_c("int r0 = t[1];", start="int t[2] = {1, 2};"), "ppc", "only locations that hold a small number"),
        (in_c("int r0 = *x;", "filter (0:r0=1) exists (0:r0=1)"), "ppc", "has a filter"),
        (in_c("int r0 = *x;", "exists (0:r0=-1)"), "ppc", "negative numbers"),
        (in_c("smp_mb__before_atomic(); int r0 = READ_ONCE(*x);"), "x86", "a test of the Linux kernel"),
        (in_c("int r0 = *x;"), "mips", "no litmus tests are written in 'mips'"),
        ("AArch64 a\n{ 0:X0=x; }\n P0 ;\n LDR W1,[X0] ;\nexists (0:X1=1)\n", "ppc", "a test of a machine already"),
    ],
)
def test_what_is_not_compiled_is_named(text: str, language: str, message: str) -> None:
    with pytest.raises((ProgramError, UsageError), match=message):
        compiled(read_litmus(text), language)


def test_errors_have_a_place() -> None:
    with pytest.raises(PorfError) as raised:
        compiled(read_litmus(in_c("int r1 = *x; int r0 = r1 == 2;")), "aarch64")
    assert (raised.value.line, raised.value.source) == (3, "<text>")


def test_the_verb(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, target = str(EXAMPLES / "SB.litmus"), tmp_path / "on-riscv.litmus"
    assert main(["convert", source, str(target), "--to", "riscv"]) == 0
    assert main(["explore", str(target), "--model", "riscv"]) == 0
    assert "Observation SB Sometimes" in capsys.readouterr().out
    assert main(["convert", source, "-"]) == 2
    assert "a litmus test is compiled to a machine" in capsys.readouterr().err
    assert main(["convert", str(tmp_path / "none.litmus"), "-", "--to", "x86"]) == 2
