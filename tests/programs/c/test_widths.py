"""Memory that is accessed with several widths, beside an array of bytes in Python: no value may differ."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.programs.c.running import explored

SIZE = 32
HEAD = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#define AT(w, o) (*(uint##w##_t *)((char *)m + (o)))
#define ATOM(w, o) (*(_Atomic uint##w##_t *)((char *)m + (o)))
struct padded { char a; int b; short c; void *d; };
union parts { uint64_t words[4]; struct padded p; uint16_t halves[16]; };
"""
KINDS = (
    "char m[32]",
    "uint16_t m[16]",
    "uint32_t m[8]",
    "uint64_t m[4]",
    "struct padded m[2]",
    "union parts m[1]",
    "*",
)


def declared(kind: str) -> str:
    """The memory `m`: a variable, or allocated."""
    return "static void *m;" if kind == "*" else f"static _Alignas(16) {kind}; void *given = m;"


class Memory:
    """The bytes, and statements that access them."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.bytes = bytearray(SIZE)

    def statement(self) -> str:
        random, data = self.random, self.bytes
        width = random.choice((1, 2, 4, 8))
        at = random.randrange(SIZE // width) * width
        value, place = random.getrandbits(8 * width), f"{random.choice(('AT', 'ATOM'))}({8 * width}, {at})"
        old = int.from_bytes(data[at : at + width], "little")
        match random.randrange(8):
            case 0:
                length = random.randrange(1, SIZE - at + 1)
                data[at : at + length] = bytes([value & 255]) * length
                return f"memset((char *)m + {at}, {value & 255}, {length});"
            case 1:
                length = random.randrange(1, SIZE // 2 + 1)
                source, target = random.randrange(SIZE // 2 - length + 1), SIZE // 2
                data[target : target + length] = data[source : source + length]
                return f"memcpy((char *)m + {target}, (char *)m + {source}, {length});"
            case 2:
                data[at : at + width] = ((old + value) % 2 ** (8 * width)).to_bytes(width, "little")
                return f"assert(atomic_fetch_add(&ATOM({8 * width}, {at}), {value}u) == {old}u);"
            case 3 | 4 | 5:
                data[at : at + width] = value.to_bytes(width, "little")
                return f"{place} = {value}u;"
        return f"assert({place} == {old}u);"


def alone(random: Random) -> Iterator[str]:
    memory = Memory(random)
    yield "int main(void) {"
    yield from (memory.statement() for _ in range(60))
    yield "}"


def source(random: Random, kind: str, body: Iterator[str]) -> str:
    text = "\n".join([HEAD, declared(kind), *body])
    return text.replace("int main(void) {", "int main(void) { m = calloc(1, 32);") if kind == "*" else text


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", KINDS)
def test_values_in_one_thread(kind: str, seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "alone.c"
    random = Random(f"{kind}{seed}")
    file.write_text(source(random, kind, alone(random)))
    found = explored(capsys, file, "rc11", [])
    assert (found["verdict"], found["executions"]) == ("safe", 1), found["errors"]


def together(random: Random) -> Iterator[str]:
    """Phases: main writes, two threads add to words of one width, main reads and writes again."""
    memory, phases = Memory(random), list[list[str]]()
    for phase in range(3):
        before = [memory.statement() for _ in range(4)]
        width = random.choice((1, 2, 4, 8))
        for thread in range(2):
            lines = []
            for _ in range(random.randrange(1, 3)):
                at, value = random.randrange(2) * width, random.getrandbits(8 * width)
                old = int.from_bytes(memory.bytes[at : at + width], "little")
                memory.bytes[at : at + width] = ((old + value) % 2 ** (8 * width)).to_bytes(width, "little")
                lines.append(f"atomic_fetch_add_explicit(&ATOM({8 * width}, {at}), {value}u, memory_order_relaxed);")
            yield f"void *t{phase}_{thread}(void *unused) {{ {' '.join(lines)} return NULL; }}"
        start = [f"pthread_create(&t[{n}], NULL, t{phase}_{n}, NULL);" for n in range(2)]
        phases.append([*before, *start, "pthread_join(t[0], NULL); pthread_join(t[1], NULL);"])
    yield "int main(void) { pthread_t t[2];"
    yield from (line for phase in phases for line in phase)
    yield from (f"assert(AT(8, {at}) == {memory.bytes[at]});" for at in range(SIZE))
    yield "}"


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("model", ["rc11", "sc"])
def test_nothing_is_lost(kind: str, seed: int, model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "together.c"
    random = Random(f"{kind}{seed}")
    file.write_text(source(random, kind, together(random)))
    found = explored(capsys, file, model, ["--self-check"])
    assert (found["verdict"], found["duplicates"]) == ("safe", 0), found["errors"]
