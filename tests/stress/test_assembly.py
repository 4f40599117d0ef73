"""`porf stress` with litmus tests in x86 assembly: run as native code, they mean what they mean in an exploration."""

from __future__ import annotations

import json
import os
import platform
import shutil
from pathlib import Path
from typing import Any

import pytest

from porf.cli import main
from porf.errors import ModelError, UsageError
from porf.exploration import explore
from porf.models import find_model
from porf.programs.litmus import read_litmus
from porf.stress import Seen, stress_test
from porf.stress.allowed import violation
from tests.cli.calling import refused

needs_x86 = [
    pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="runs x86-64 instructions"),
    pytest.mark.skipif(not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="there is no C compiler"),
]
LITMUS = Path(os.environ.get("PORF_LITMUS", Path(__file__).parents[3] / "shared" / "litmus")) / "x86_64"


def native(test: Any) -> Any:
    for mark in needs_x86:
        test = mark(test)
    return test


def table(*columns: str, end: str, start: str = "", word: str = "X86_64") -> str:
    """Each column is a thread, with / between its instructions."""
    threads = [[part.strip() for part in column.split("/")] for column in columns]
    rows = [" | ".join(t[n] if n < len(t) else "" for t in threads) + " ;" for n in range(max(map(len, threads)))]
    heads = " | ".join(f"P{n}" for n in range(len(threads)))
    return "\n".join([f"{word} test", f"{{ {start} }}", f"{heads} ;", *rows, end])


SB = table("movl $1,(x) / movl (y),%eax", "movl $1,(y) / movl (x),%eax", end=r"exists (0:rax=0 /\ 1:rax=0)")
SB_FENCES = table(
    "movl $1,(x) / mfence / movl (y),%eax", "movl $1,(y) / mfence / movl (x),%eax", end=r"exists (0:rax=0 /\ 1:rax=0)"
)
MP = table("movl $1,(x) / movl $1,(y)", "movl (y),%eax / movl (x),%ebx", end=r"exists (1:rax=1 /\ 1:rbx=0)")
R = table("movl $1,(x) / movl $1,(y)", "movl $2,(y) / movl (x),%eax", end=r"exists ([y]=2 /\ 1:rax=0)")
INTEL = table(
    "MOV [x],$1 / MFENCE / MOV EAX,[y]",
    "MOV [y],$1 / XCHG [z],EBX / MOV EAX,[x]",
    end=r"exists (0:EAX=0 /\ 1:EAX=0)",
    word="X86",
)


def run(text: str, *models: str, runs: int = 2000) -> Seen:
    return stress_test(read_litmus(text), models or None, runs=runs)


@native
def test_a_store_buffer_shows() -> None:
    found = run(SB, "sc", "x86tso", runs=50_000)
    assert found.observation.states[(0, 0)] > 0
    assert (found.exit_code, found.forbidden) == (1, [(0, 0)])
    assert found.history is not None and found.history.inconsistent
    found.history.verify()
    assert run(SB).exit_code == 0  # of x86tso, which is what is asked if nothing is said


@native
@pytest.mark.parametrize("text", [SB_FENCES, MP, INTEL], ids=["SB+mfences", "MP", "SB in Intel's order"])
def test_what_x86_forbids_is_never_seen(text: str) -> None:
    found = run(text, "sc", "x86tso", runs=20_000)
    assert (found.exit_code, found.observation.positive, found.counts.runs) == (0, 0, 20_000)


# Each has one final state, whatever the machine does.
ALONE = {
    "moves": ("movq $-1,%rax / movl $-1,%ebx / movb $5,%al / movw %ax,%cx / movl %ebx,(x) / movl (x),%edx", "X86_64"),
    "arithmetic": ("movl $7,%eax / addl $5,%eax / subl $20,%eax", "X86_64"),
    "logic": ("movl $12,%eax / andl $10,%eax / movl $3,%ebx / orl %eax,%ebx / xorl %ebx,(y) / notl %ebx", "X86_64"),
    "one": ("incl (x) / decl (y) / movl $1,%eax / negl %eax / incq %rbx / decb %cl", "X86_64"),
    "shifts": ("movl $3,%eax / shll $4,%eax / movl $2,%ecx / movl %eax,%ebx / shrl %cl,%ebx", "X86_64"),
    "locked": (
        "movl $4,%eax / lock addl %eax,(x) / lock xaddl %eax,(x) / lock incl (y) / lock orl $8,(y) / xchgl %eax,(y)",
        "X86_64",
    ),
    "compare": (
        "movl $3,%eax / movl $9,%ebx / lock cmpxchgl %ebx,(x) / sete %cl / lock cmpxchgl %ebx,(x) / sete %dl",
        "X86_64",
    ),
    "conditions": (
        "cmpl $3,(x) / je A / movl $1,%eax / A: movl $-1,%ebx / cmpl $1,%ebx / setl %cl / setb %dl / cmovgl %ebx,%esi",
        "X86_64",
    ),
    "negated": ("movl $7,%eax / negl %eax / setle %bl / setb %cl / movl $0,%edx / negl %edx / setb %dl", "X86_64"),
    "minus one": ("movl $-1,%eax / cmpl $-1,%eax / sete %bl / movl $-1,(x) / cmpl $-1,(x) / sete %cl", "X86_64"),
    "sums": (
        "movl $2147483647,%eax / addl $1,%eax / setl %bl / setb %cl / addl $-1,%eax / setb %dl / seto %bpl / setg %r8b",
        "X86_64",
    ),
    "locked sums": ("movl $-3,%eax / lock addl %eax,(x) / setb %bl / sete %cl / lock addl $4,(y) / setb %dl", "X86_64"),
    "quad sums": ("movq $-1,%rax / addq $1,%rax / setb %bl / sete %cl / addq $-2,%rax / setb %dl", "X86_64"),
    "carried": ("cmpl $9,(x) / incl %eax / setb %bl / decl %eax / setb %cl / sete %dl / addb $255,%al", "X86_64"),
    "exchanged": ("movl $-3,%eax / lock xaddl %eax,(x) / setb %bl / sete %cl / setl %dl", "X86_64"),
    "pointers": (
        "movq (p),%rax / movl (%rax),%ebx / leaq (x),%rcx / movq %rcx,(p) / movl 0(%rdi),%edx / movq (p),%rsi",
        "X86_64",
    ),
    "indices": ("movl $0,%eax / movl (%rdi,%rax,4),%ebx / movl $1,(%rdi,%rax)", "X86_64"),
    "turns": ("A: incl %eax / cmpl $3,%eax / jne A / movl $2,%ecx / jmp B / movl $5,%ecx / B: nop", "X86_64"),
    "Intel": ("MOV EAX,[x] / ADD EAX,$4 / MOV [y],EAX / CMP EAX,$8 / JL A / MOV EBX,$1 / A: SUB EAX,[x]", "X86"),
    "names": (
        "movl $1,%eax / cmpl $2,%eax / jlt A / movl $1,%ebx / A: setgt %cl / movl $6,%ebp",
        "X86_64",
    ),
}


@native
@pytest.mark.parametrize("name", ALONE)
def test_instructions_mean_what_they_mean_in_an_exploration(name: str) -> None:
    code, word = ALONE[name]
    names = "rax rbx rcx rdx rsi rdi rbp r8" if word == "X86_64" else "EAX EBX ECX EDX"
    places = "; ".join([*(f"0:{register}" for register in names.split()), "x", "y", "p"])
    base = "0:rdi=y; 0:rsi=11;" if word == "X86_64" else ""
    text = table(code, end=f"locations [{places};]\nexists (true)", start=f"x=3; y=5; p=y; {base}", word=word)
    test = read_litmus(text)
    known = explore(test, "sc", unroll=8).observation
    assert known is not None and len(known.states) == 1
    found = stress_test(test, ["sc"], runs=100)
    assert found.observation.states == dict.fromkeys(known.states, 100)


@native
def test_what_waits_is_woken_or_cut() -> None:
    spin = "A: movl (y),%eax / cmpl $1,%eax / jne A / movl (x),%ebx"
    woken = run(table("movl $1,(x) / movl $1,(y)", spin, end="exists (1:rbx=0)"), runs=50)
    assert woken.observation.states.keys() == {(1,)}
    never = run(table("movl $1,(x)", spin, end="exists (1:rbx=0)"), runs=2)
    assert (never.exit_code, never.counts.cut) == (3, 2)


@pytest.mark.parametrize(("text", "state"), [(SB, (0, 0)), (MP, (1, 0)), (R, (0, 2))], ids=["SB", "MP", "R"])
def test_a_forbidden_state_has_a_history_where_a_weaker_model_ends_so(text: str, state: tuple[int, ...]) -> None:
    verdict = violation(read_litmus(text), find_model("sc"), state)
    assert (verdict is None) == (text == MP)  # which no model of x86 lets end so
    if verdict is not None:
        assert verdict.inconsistent
        verdict.verify()


@native
@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("movq %rsp,%rax", "the stack pointer is that of the program that runs the test"),
        ("lock movl $1,(x)", "x86 has no locked mov of this form"),
        ("lock incl %eax", "x86 has no locked inc of this form"),
        ("shll %bl,%eax", "x86 shifts by a number or by cl"),
    ],
)
def test_what_the_machine_does_not_have_is_refused_with_its_place(
    code: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "wrong.litmus"
    path.write_text(table(f"{code} / movl (x),%ecx", end="exists (0:rcx=1)"))
    said = refused(capsys, "stress", str(path), "--runs", "1")
    assert f"{path}:4:" in said and words in said and "^" in said


@native
def test_assembly_of_other_machines_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "arm.litmus"
    path.write_text("AArch64 arm\n{ 0:X1=x; }\n P0 ;\n MOV W0,#1 ;\n STR W0,[X1] ;\nexists (x=1)\n")
    said = refused(capsys, "stress", str(path))
    assert "in assembly of AArch64, and this machine (x86_64) runs tests in C, X86_64 and X86" in said


def test_another_machine_runs_no_x86(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "aarch64")
    with pytest.raises(UsageError, match=r"this machine \(aarch64\) runs tests in C") as error:
        run(SB)
    assert "tests in C," not in str(error.value)


@native
def test_a_model_of_another_machine_is_refused() -> None:
    with pytest.raises(ModelError, match="aarch64 is a model of AArch64"):
        run(SB, "aarch64")


@native
def test_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "sb.litmus").write_text(SB)
    assert main(["stress", str(tmp_path / "sb.litmus"), "--runs", "1000", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert (record["models"], record["runs"], len(record["states"])) == (["x86tso"], 1000, 4)
    assert all(state["allowed"] == {"x86tso": True} for state in record["states"])


@native
@pytest.mark.skipif(not LITMUS.is_dir(), reason="the tests are not here")
def test_nothing_that_x86tso_forbids_is_seen_in_a_sample_of_diy_tests() -> None:
    for path in sorted(LITMUS.glob("*.litmus"))[::32]:
        found = run(path.read_text(), "x86tso", runs=500)
        assert (found.exit_code, found.counts.runs) == (0, 500), path
