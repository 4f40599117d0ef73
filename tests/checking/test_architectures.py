"""The models of architectures on what their manuals and papers say of the classical tests, and what is refused."""

from __future__ import annotations

import re

import pytest

import porf
from porf.architectures import ARCHITECTURES
from porf.errors import PorfError
from porf.models import ARCHITECTURE_MODELS

# Shapes, as threads of events between bars. `%1` and `%2` stand for what each thread has between its two accesses or is
# written on them; a name of a dependency makes the second access depend on the first.
SHAPES = {
    "SB": "w x 1 {a}; {f} r y 0 {b} | w y 1 {c}; {g} r x 0 {d}",
    "MP": "w x 1 {a}; {f} w y 1 {b} | r y 1 {c}; {g} r x 0 {d}",
    "LB": "r x 1 {a}; {f} w y 1 {b} | r y 1 {c}; {g} w x 1 {d}",
    "S": "w x 2 {a}; {f} w y 1 {b} | r y 1 {c}; {g} w x 1 {d} | r x 1; r x 2",
    "R": "w x 1 {a}; {f} w y 1 {b} | w y 2 {c}; {g} r x 0 {d} | r y 1; r y 2",
    "2+2W": "w x 1 {a}; {f} w y 2 {b} | w y 1 {c}; {g} w x 2 {d} | r x 2; r x 1 | r y 2; r y 1",
}
DEPENDENCIES = ("addr", "data", "ctrl")


def history(text: str) -> str:
    """`w x 1; f mfence; r y 0 addr | …` as lines: events have ids, dependencies are on the thread's first read."""
    lines = []
    for thread, events in enumerate(text.split("|")):
        for number, event in enumerate(filter(None, (part.strip() for part in events.split(";")))):
            words = [f"{word}=e{thread}.0" if word in DEPENDENCIES else word for word in event.split()]
            keys = [word for word in words if "=" in word]
            lines.append(" ".join([f"T{thread}", *(w for w in words if "=" not in w), *keys, f"id=e{thread}.{number}"]))
    return "\n".join(lines)


def litmus(shape: str, first: str, second: str) -> str:
    """A shape with what its two threads have: fences `f NAME`, tags of accesses `A` and `L`, dependencies."""

    def parts(said: str, accesses: str) -> dict[str, str]:
        found = {"f": "", "a": "", "b": ""}
        for word in filter(None, said.split(",")):
            if word.startswith("f "):
                found["f"] += f"{word};"
            elif word in DEPENDENCIES:
                found["b"] += f" {word}"
            else:
                place, tag = word.split(":")
                found["a" if place == "1" else "b"] += f" {tag}"
        return dict(zip(("f", *accesses) if accesses == "ab" else ("g", *accesses), found.values(), strict=True))

    text = SHAPES[shape].format(**parts(first, "ab"), **parts(second, "cd"))
    return history(re.sub(r"\s+", " ", text))


ALLOWED = {
    "x86tso": [
        ("SB", "", ""),
        ("SB", "f mfence", ""),
        ("SB", "f sfence", "f lfence"),
        ("R", "", ""),
    ],
    "aarch64": [
        ("SB", "", ""),
        ("MP", "", ""),
        ("LB", "", ""),
        ("MP", "f dmb.st", ""),
        ("MP", "f dmb.sy", "ctrl"),
        ("MP", "f dmb.ld", "addr"),
        ("SB", "f dmb.st", "f dmb.sy"),
        ("SB", "f dmb.ld", "f dmb.sy"),
        ("SB", "1:L", "1:L"),
        ("SB", "1:L,2:Q", "1:L,2:Q"),
        ("2+2W", "f dmb.ld", "f dmb.sy"),
        ("R", "f dmb.sy", "1:L"),
    ],
    "arm": [
        ("SB", "", ""),
        ("MP", "", "f dmb"),
        ("MP", "f dmb.st", "ctrl"),
        ("SB", "f dmb.st", "f dmb"),
        ("LB", "", ""),
    ],
    "ppc": [
        ("SB", "f lwsync", "f lwsync"),
        ("MP", "f lwsync", ""),
        ("MP", "f sync", "ctrl"),
        ("R", "f lwsync", "f sync"),
        ("SB", "f eieio", "f sync"),
        ("LB", "", ""),
        ("MP", "f isync", "addr"),
    ],
    "riscv": [
        ("SB", "", ""),
        ("SB", "f fence.tso", "f fence.tso"),
        ("SB", "f fence.rw.w", "f fence.r.rw"),
        ("MP", "f fence.w.r", "f fence.r.r"),
        ("MP", "f fence.w.w", "f fence.r.w"),
        ("MP", "f fence.w.w", "ctrl"),
        ("MP", "f fence.i", "f fence.i"),
        ("LB", "", ""),
        ("SB", "1:rl,2:aq", "1:rl,2:aq"),
    ],
}
FORBIDDEN = {
    "x86tso": [
        ("SB", "f mfence", "f mfence"),
        ("MP", "", ""),
        ("LB", "", ""),
        ("S", "", ""),
        ("2+2W", "", ""),
        ("R", "", "f mfence"),
    ],
    "aarch64": [
        ("SB", "f dmb.sy", "f dmb.ish"),
        ("SB", "f dsb.st", "f dsb.sy"),
        ("SB", "1:L,2:A", "1:L,2:A"),
        ("MP", "f dmb.st", "addr"),
        ("MP", "f dmb.ishst", "f dmb.ishld"),
        ("MP", "2:L", "1:A"),
        ("MP", "2:L", "1:Q"),
        ("MP", "f dmb.sy", "f isb ctrl"),
        ("LB", "data", "data"),
        ("LB", "ctrl", "addr"),
        ("LB", "f dmb.ld", "2:L"),
        ("S", "f dmb.st", "data"),
        ("2+2W", "f dmb.st", "f dmb.st"),
        ("R", "f dmb.sy", "f dmb.sy"),
    ],
    "arm": [
        ("SB", "f dmb", "f dsb"),
        ("MP", "f dmb.st", "addr"),
        ("MP", "f dmb", "f isb ctrl"),
        ("LB", "data", "ctrl"),
    ],
    "ppc": [
        ("SB", "f sync", "f sync"),
        ("MP", "f lwsync", "addr"),
        ("MP", "f eieio", "addr"),
        ("MP", "f lwsync", "f lwsync"),
        ("MP", "f sync", "f isync ctrl"),
        ("LB", "data", "ctrl"),
        ("2+2W", "f lwsync", "f lwsync"),
        ("R", "f sync", "f sync"),
    ],
    "riscv": [
        ("SB", "f fence.rw.rw", "f fence.w.r"),
        ("MP", "f fence.w.w", "f fence.r.r"),
        ("MP", "f fence.tso", "f fence.tso"),
        ("MP", "2:rl", "1:aq"),
        ("MP", "f fence.rw.w", "addr"),
        ("LB", "data", "ctrl"),
        ("SB", "1:rl,2:aq,1:x,2:x", "1:rl,2:aq,1:x,2:x"),
        ("2+2W", "f fence.w.w", "f fence.rw.rw"),
    ],
}
CASES = [
    (model, *case, answer)
    for answer, table in (("consistent", ALLOWED), ("inconsistent", FORBIDDEN))
    for model, cases in table.items()
    for case in cases
]


@pytest.mark.parametrize(("model", "shape", "first", "second", "answer"), CASES)
def test_classical_tests(model: str, shape: str, first: str, second: str, answer: str) -> None:
    verdict = porf.check(porf.loads(litmus(shape, first, second)), model, verify=True)
    assert str(verdict.answer) == answer


IRIW = "w x 1 | w y 1 | r x 1; {} r y 0 addr | r y 1; {} r x 0 addr"
WRC = "w x 1 | r x 1; {} w y 1 | r y 1; r x 0 addr"


@pytest.mark.parametrize(
    ("model", "text", "answer"),
    [
        ("x86tso", IRIW.format("", "").replace(" addr", ""), "inconsistent"),
        ("aarch64", IRIW.format("", ""), "inconsistent"),
        ("riscv", IRIW.format("", ""), "inconsistent"),
        ("ppc", IRIW.format("", ""), "consistent"),
        ("arm", IRIW.format("", ""), "consistent"),
        ("ppc", IRIW.format("f lwsync;", "f lwsync;"), "consistent"),
        ("ppc", IRIW.format("f sync;", "f sync;"), "inconsistent"),
        ("ppc", WRC.format("f lwsync;"), "inconsistent"),
        ("ppc", WRC.format("f eieio;"), "consistent"),
        ("arm", WRC.format("f dmb;"), "inconsistent"),
        ("x86tso", "u x 0->1 lock; r y 0 | u y 0->1 lock; r x 0", "inconsistent"),
        ("x86tso", "w x 1; u z 0->1 lock; r y 0 | w y 1; u z 1->2 lock; r x 0", "inconsistent"),
        ("aarch64", "u x 0->1 A; w y 1 | r y 1 A; r x 0", "consistent"),  # it is the read that acquires
        ("aarch64", "u x 0->1 A L; w y 1 L | r y 1 A; r x 0", "inconsistent"),
        ("aarch64", "u x 0->1 L; w y 1 | r y 1 A; r x 0", "consistent"),
        ("lkmm", "w x 1 once; f wmb; w y 1 once | r y 1 once; f rmb; r x 0 once", "inconsistent"),
        ("lkmm", "w x 1 once; f wmb; w y 1 once | r y 1 once; r x 0 once", "consistent"),
        ("lkmm", "w x 1 once; w y 1 Release | r y 1 Acquire; r x 0 once", "inconsistent"),
        ("lkmm", "w x 1 once; f mb; r y 0 once | w y 1 once; f mb; r x 0 once", "inconsistent"),
        ("lkmm", "w x 1 once; f mb; r y 0 once | w y 1 once; f wmb; r x 0 once", "consistent"),
        (
            "lkmm",
            "f rcu-lock; r x 1 once; r y 0 once; f rcu-unlock | w y 1 once; f sync-rcu; w x 1 once",
            "inconsistent",
        ),
        ("lkmm", "f rcu-lock; f rcu-unlock; r x 1 once; r y 0 once | w y 1 once; f sync-rcu; w x 1 once", "consistent"),
        (
            "lkmm",
            "u l 0->1 spin-lock; w x 1; w l 2 spin-unlock | u l 2->3 spin-lock; r x 0; w l 4 spin-unlock",
            "inconsistent",
        ),
        ("aarch64", "w x 1; u z 0->1 A L; r y 0 | w y 1; u z 1->2 A L; r x 0", "inconsistent"),
        ("aarch64", "w x 1; u z 0->1 L; r y 0 | w y 1; f dmb.sy; r x 0", "consistent"),
        ("aarch64", "w x 1; u z 0->1 A L; r y 0 | w y 1; f dmb.sy; r x 0", "inconsistent"),
    ],
)
def test_more_threads_and_updates(model: str, text: str, answer: str) -> None:
    assert str(porf.check(porf.loads(history(text)), model, verify=True).answer) == answer


@pytest.mark.parametrize("model", ["aarch64", "arm", "ppc", "riscv"])
def test_nothing_comes_between_a_load_and_its_store_conditional(model: str) -> None:
    pair = "T0 r x 0 x id=a\nT0 w x 1 x id=b {}\nT1 w x 2 id=c\nT2 r x 2\nT2 r x 1"
    assert porf.check(porf.loads(pair.format("")), model).consistent
    assert porf.check(porf.loads(pair.format("lxsx=a")), model).axiom == "atomicity"


@pytest.mark.parametrize("model", ["sc", "tso", "ra"])
def test_other_models_do_not_guess_what_a_store_conditional_is(model: str) -> None:
    with pytest.raises(PorfError, match=f"{model} says nothing of store-conditionals"):
        porf.check(porf.loads("T0 r x 0 id=a\nT0 w x 1 lxsx=a"), model)


@pytest.mark.parametrize(
    ("text", "model", "message", "hint"),
    [
        ("T0 f mfence\nT0 w x 1", "aarch64", "which has no 'mfence'", "x86 has it"),
        ("T0 f sync\nT1 f mfence\nT0 w x 1", "sc", "which has no 'mfence'", "one architecture"),
        ("T0 w x 1 rel", "aarch64", "which has no orders of C: 'w x 1 rel'", "dmb.sy"),
        ("T0 w x 1\nT0 f", "x86tso", "whose fences have names", "mfence"),
        ("T0 w x 1\nT0 f mfence\nT0 r y 0", "tso", "tso gives no meaning to what an architecture says", "x86"),
        ("T0 w x 1\nT0 f mfence\nT0 r y 0", "rc11", "rc11 gives no meaning to", "x86"),
    ],
)
def test_what_does_not_fit_is_refused(text: str, model: str, message: str, hint: str) -> None:
    with pytest.raises(PorfError) as caught:
        porf.check(porf.loads(text), model)
    assert message in str(caught.value)
    assert hint in str(caught.value.hint)


def test_models_without_fences_may_be_asked_of_any_machine() -> None:
    execution = porf.loads(litmus("SB", "f mfence", "f mfence"))
    assert porf.check(execution, "sc").inconsistent
    assert porf.check(porf.loads(litmus("SB", "f mfence", "")), "ra").consistent


def test_every_architecture_model_has_a_header() -> None:
    for model in ARCHITECTURE_MODELS.values():
        assert model.header.architecture in ARCHITECTURES
        assert model.header.view == "two"
        assert model.header.source


def test_one_is_compared_with_a_model_of_no_machine() -> None:
    assert porf.compare("aarch64", "sc").headline() == "aarch64 is weaker than sc"
