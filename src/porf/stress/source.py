"""The C of a whole litmus test: its memory in two layouts, its threads, and the harness that runs them."""

from __future__ import annotations

from pathlib import Path

from porf.errors import ProgramError
from porf.programs.form import Opcode, Program
from porf.record import Record
from porf.stress.code import ARITHMETIC, Fault, Function

HARNESS = Path(__file__).with_name("harness.c")
MOST_THREADS = 64
MOST_BYTES = 1 << 16  # of one instance
_LINE = 128  # bytes: two cache lines, for processors fetch them in pairs
_OUTCOMES = "enum { FINE, DROPPED, ABANDONED, CUT };"
_INCLUDES = ("pthread.h", "sched.h", "signal.h", "stdatomic.h", "stdbool.h", "stdint.h", "stdio.h", "stdlib.h")


class Source(Record):
    """The text, and what the numbers of faults stand for."""

    text: str
    threads: int
    faults: tuple[Fault, ...]


def source_of(program: Program) -> Source:
    """Threads that wait for others run when these have ended: they look at what is final."""
    joins = [any(i.opcode is Opcode.JOIN for i in template.code) for template in program.templates]
    workers = [n for n, start in enumerate(program.starts) if not joins[start.template]]
    if len(workers) > MOST_THREADS:
        raise ProgramError(
            f"{program.name} has {len(workers)} threads",
            source=program.source or None,
            hint=f"a test that runs on the cores has at most {MOST_THREADS}",
        )
    layouts = [_layout(program, _LINE), _layout(program, 8)]
    if layouts[0][1] > MOST_BYTES:
        raise ProgramError(
            f"{program.name} has more memory than fits {MOST_BYTES:,} bytes",
            hint="use smaller arrays or fewer locations",
        )
    faults: list[Fault] = []
    parts = [_opening(program, len(workers), layouts)]
    parts += [_thread(program, place, n, faults) for place, n in enumerate(workers)]
    names = ", ".join(f"{{code_{n}_spread, code_{n}_packed}}" for n in range(len(workers)))
    parts.append(f"static int64_t (*const threads[THREADS][2])(char *, int64_t *) = {{{names}}};")
    parts += [_fill(program), _look(program, [n for n in range(len(program.starts)) if n not in workers], faults)]
    parts.append(HARNESS.read_text(encoding="utf-8"))
    return Source("\n".join(parts), len(workers), tuple(faults))


def _layout(program: Program, align: int) -> tuple[list[int], int]:
    """Where each object begins, and the size of an instance, which is a whole number of lines."""
    places, end = [], 0
    for item in program.objects:
        places.append(end)
        end += -(-item.size // align) * align
    return places, max(_LINE // 2, -(-end // (_LINE // 2)) * (_LINE // 2))


def _opening(program: Program, threads: int, layouts: list[tuple[list[int], int]]) -> str:
    (spread, spread_bytes), (packed, packed_bytes) = layouts
    sizes = [item.size for item in program.objects]
    objects = max(1, len(sizes))
    lines = ["#define _GNU_SOURCE", *(f"#include <{name}>" for name in (*_INCLUDES, "string.h", "time.h", "unistd.h"))]
    lines += [
        f"enum {{ THREADS = {threads}, WATCHED = {len(program.watched)}, OBJECTS = {len(sizes)} }};",
        f"enum {{ BYTES_SPREAD = {spread_bytes}, BYTES_PACKED = {packed_bytes} }};",
        _OUTCOMES,
        f"static const size_t at[2][{objects}] = {{{{{_list(spread)}}}, {{{_list(packed)}}}}};",
        f"static const int64_t sizes[{objects}] = {{{_list(sizes)}}};",
        "#define AT(object) (packed ? at[1][object] : at[0][object])",
        "static inline bool is_inside(int64_t p, int64_t width) {",
        "  int64_t object = (p >> 32) - 1, offset = (uint32_t)p;",
        "  return object >= 0 && object < OBJECTS && offset % width == 0 && offset + width <= sizes[object];",
        "}",
        "static __attribute__((unused)) int64_t again(int64_t *turns);",
        ARITHMETIC,
    ]
    return "\n".join(lines)


def _list(numbers: list[int]) -> str:
    return ", ".join(map(str, numbers)) or "0"


def _thread(program: Program, place: int, start: int, faults: list[Fault]) -> str:
    """The code once, and a function for each layout: what the compiler sees of a run is this function alone."""
    body = Function(program, program.templates[program.starts[start].template], _watched(program, start), faults).body()
    lines = [
        "static inline __attribute__((always_inline))",
        f"int64_t code_{place}(char *m, const int packed, int64_t *out) {{",
        body,
        "}",
    ]
    for number, layout in enumerate(("spread", "packed")):
        lines.append(
            f"static __attribute__((noinline)) int64_t code_{place}_{layout}(char *m, int64_t *out)"
            f" {{ return code_{place}(m, {number}, out); }}"
        )
    return "\n".join(lines)


def _watched(program: Program, start: int) -> dict[int, int]:
    return {watch.register: n for n, watch in enumerate(program.watched) if watch.thread == start}


def _fill(program: Program) -> str:
    lines = ["static inline void fill(char *m, const int packed) {", "  (void)m, (void)packed;"]
    for n, item in enumerate(program.objects):
        for cell in item.cells:
            kind = f"{'' if cell.signed else 'u'}int{8 * cell.width}_t"
            value = f"({kind})INT64_C({cell.initial or 0})"
            lines.append(f"  __atomic_store_n(({kind} *)(m + AT({n}) + {cell.offset}), {value}, __ATOMIC_RELAXED);")
    return "\n".join([*lines, "}"])


def _look(program: Program, observers: list[int], faults: list[Fault]) -> str:
    lines = []
    for n in observers:
        template = program.templates[program.starts[n].template]
        body = Function(program, template, _watched(program, n), faults).body()
        lines += [f"static inline int64_t look_{n}(char *m, const int packed, int64_t *out) {{", body, "}"]
    calls = " ".join(f"look_{n}(m, packed, out);" for n in observers)
    lines += [
        "static inline void look(char *m, const int packed, int64_t *out) {",
        f"  (void)m, (void)packed, (void)out; {calls}",
        "}",
    ]
    return "\n".join(lines)
