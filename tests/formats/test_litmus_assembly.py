"""Histories of machines as tests in assembly: what is asked of the test is answered as of the history."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import porf
from porf.cli import main
from porf.errors import UsageError
from porf.events import Event
from porf.execution import Execution
from porf.exploration import explore
from porf.formats import dumps, loads
from porf.formats.litmus import litmus_test
from porf.programs.litmus import read_litmus
from tests.seeds import seeds

# Words of reads, of writes and of fences, and whether there are updates.
WORDS: dict[str, tuple[list[str], list[str], list[str], bool]] = {
    "x86tso": ([""], [""], ["MFENCE", "SFENCE", "LFENCE"], True),
    "aarch64": (["", "", "A", "Q"], ["", "", "L"], ["DMB.SY", "DMB.LD", "DMB.ST", "ISB", "DSB.ISH"], True),
    "ppc": ([""], [""], ["SYNC", "LWSYNC", "EIEIO", "ISYNC"], False),
    "riscv": (["", "", "Acq"], ["", "", "Rel"], ["Fence.rw.rw", "Fence.r.rw", "Fence.w.w", "Fence.tso"], True),
}
LANGUAGE = {"x86tso": "x86", "aarch64": "aarch64", "ppc": "ppc", "riscv": "riscv"}


def random_history(rng: random.Random, model: str) -> Execution:
    """Of two threads; what depends on a value by control is all that follows, as after a branch."""
    reads, writes, fences, updates = WORDS[model]
    events: list[Event] = []
    control: dict[str, tuple[str, ...]] = {"T0": (), "T1": ()}
    seen: dict[str, list[str]] = {"T0": [], "T1": []}
    stores: dict[str, list[str]] = {"x": [], "y": []}
    drawn = []
    for at in range(rng.randint(3, 7)):
        kind = rng.choice("rrwwf" + ("u" if updates else ""))
        drawn.append((f"e{at}", rng.choice(("T0", "T1")), kind, rng.choice("xy")))
        if kind in "wu":
            stores[drawn[-1][3]].append(f"e{at}")
    for name, thread, kind, x in drawn:
        read = seen[thread]
        if read and rng.random() < 0.3:
            control[thread] = tuple(dict.fromkeys((*control[thread], rng.choice(read))))
        rf = rng.choice(["init", *(w for w in stores[x] if w != name)]) if kind in "ru" else None
        addr = (rng.choice(read),) if read and kind in "rw" and rng.random() < 0.3 else ()
        data = (rng.choice(read),) if read and kind == "w" and rng.random() < 0.3 else ()
        word = rng.choice({"r": reads, "w": writes, "f": fences, "u": [""]}[kind])
        location = None if kind == "f" else x
        tags = (word,) if word else ()
        events.append(
            Event(thread, kind, location, rf=rf, name=name, addr=addr, data=data, ctrl=control[thread], tags=tags)
        )
        if kind in "ru":
            read.append(name)
    return Execution.from_events(events)


@pytest.mark.parametrize("model", WORDS)
@pytest.mark.parametrize("seed", seeds(4, 100))
def test_a_test_is_observed_if_the_history_is_consistent(model: str, seed: int) -> None:
    rng = random.Random(f"{model} {seed}")
    for _ in range(25):
        g = random_history(rng, model)
        text = litmus_test(g, "random", language=LANGUAGE[model])
        found = explore(read_litmus(text), model).observation
        assert found is not None
        assert (found.positive > 0) == (porf.check(g, model).answer == "consistent"), text


def test_histories_are_of_both_kinds() -> None:
    for model in WORDS:
        drawn = (random_history(random.Random(seed), model) for seed in range(60))
        assert {porf.check(g, model).answer for g in drawn} == {"consistent", "inconsistent"}


def test_the_language_is_that_of_the_words() -> None:
    assert dumps(loads("T0 w x 1\nT0 f mfence\nT0 r y 0"), "litmus").startswith(b"X86_64 text\n")
    assert dumps(loads("T0 w x 1 L"), "litmus").startswith(b"AArch64 ")  # ARMv7 has no writer
    assert dumps(loads("T0 f lwsync"), "litmus").startswith(b"PPC ")
    assert dumps(loads("T0 f fence.tso"), "litmus").startswith(b"RISCV ")
    with pytest.raises(UsageError, match="may be of x86 or AArch64 or Power or RISC-V") as raised:
        dumps(loads("T0 r x 0 x id=a\nT0 w x 1 x lxsx=a"), "litmus")
    assert raised.value.hint is not None
    with pytest.raises(UsageError, match="the Linux kernel"):
        dumps(loads("T0 f rcu-lock"), "litmus")


@pytest.mark.parametrize(("first", "second"), [(-1, 7), (1 << 40, 3), (2048, 1)])
@pytest.mark.parametrize("language", sorted(LANGUAGE.values()))
def test_values_that_instructions_do_not_hold_are_counted_anew(first: int, second: int, language: str) -> None:
    model = next(model for model, name in LANGUAGE.items() if name == language)
    text = litmus_test(loads(f"T0 w x {first}\nT1 r x {first}\nT1 w y {second}\nT0 r y {second}"), language=language)
    assert str(first) not in text
    found = explore(read_litmus(text), model).observation
    assert found is not None
    assert found.observation == "Sometimes"


def test_a_pair_of_exclusives_in_full() -> None:
    text = litmus_test(loads("T0 r x 0 a x id=a\nT0 w x 1 l x lxsx=a", source="pair"), language="aarch64")
    assert text == (
        "AArch64 pair\n{\n 0:X0=x;\n}\n"
        " P0               ;\n"
        " LDAXR W1,[X0]    ;\n"
        " MOV W2,#1        ;\n"
        " STLXR W3,W2,[X0] ;\n"
        "\nexists (0:X1=0 /\\ 0:X3=0)\n"
    )


@pytest.mark.parametrize(
    ("text", "language", "message"),
    [
        ("T0 u x 0->1 x", "ppc", "no instruction for an update"),
        ("T0 r x 0 x", "x86", "no instruction for a locked load"),
        ("T0 f dmb.sy", "riscv", "has no 'DMB.SY'"),
        ("T0 w x 1 L\n" + "\n".join(f"T0 r x{n} 0" for n in range(40)), "aarch64", "needs more registers"),
        ("T0 w x 1", "mips", "no litmus tests are written in 'mips'"),
    ],
)
def test_what_a_machine_does_not_have(text: str, language: str, message: str) -> None:
    with pytest.raises(UsageError, match=f"(?i){message}"):
        litmus_test(loads(text), language=language)


def test_the_verb_converts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "sb.txt"
    source.write_text("T0 w x 1\nT0 f sync\nT0 r y 0\nT1 w y 1\nT1 f sync\nT1 r x 0\n")
    assert main(["convert", str(source), str(tmp_path / "sb.litmus")]) == 0
    assert main(["explore", str(tmp_path / "sb.litmus"), "--model", "ppc"]) == 0
    assert "Observation sb Never" in capsys.readouterr().out
