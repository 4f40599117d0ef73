"""The C of a whole litmus test, in C or in x86 assembly: its memory in two layouts, its threads, and the harness that
runs them."""

from __future__ import annotations

from pathlib import Path

from porf.errors import ProgramError
from porf.programs.form import Opcode, Program, object_of, offset_of
from porf.programs.litmus import LitmusTest
from porf.record import Record
from porf.stress.code import ARITHMETIC, Fault, Function
from porf.stress.x86 import initial, thread_functions

HARNESS = Path(__file__).with_name("harness.c")
MOST_THREADS = 64
MOST_BYTES = 1 << 16  # of one instance
_LINE = 128  # bytes: two cache lines, for processors fetch them in pairs
# The number that an exploration has for an address; others stay what they are.
_NUMBER_OF = """\
static _Atomic int stopped;
static __attribute__((unused)) int64_t number_of(const char *m, const int packed, int64_t value) {
  for (int64_t n = 0; n < OBJECTS; ++n) {
    uint64_t offset = (uint64_t)value - (uint64_t)(uintptr_t)(m + AT(n));
    if (offset < (uint64_t)sizes[n]) return ((n + 1) << 32) + (int64_t)offset;
  }
  return value;
}"""
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
    layouts = _layouts(program, len(workers))
    faults: list[Fault] = []
    parts = [_opening(program, len(workers), layouts)]
    parts += [_thread(program, place, n, faults) for place, n in enumerate(workers)]
    parts += [_fill(program), _look(program, [n for n in range(len(program.starts)) if n not in workers], faults)]
    return _whole(parts, len(workers), faults)


def source_of_assembly(test: LitmusTest) -> Source:
    """Of a test in x86 assembly. What it watches in memory is looked at when its threads have ended."""
    program = test.program
    layouts = _layouts(program, test.threads)
    places = [places for places, _ in layouts]
    parts = [_opening(program, test.threads, layouts), _NUMBER_OF, *thread_functions(test, places)]
    parts += [_fill(program, places), _look_at_memory(test)]
    return _whole(parts, test.threads, [])


def _whole(parts: list[str], threads: int, faults: list[Fault]) -> Source:
    names = ", ".join(f"{{code_{n}_spread, code_{n}_packed}}" for n in range(threads))
    table = f"static int64_t (*const threads[THREADS][2])(char *, int64_t *) = {{{names}}};"
    return Source("\n".join([*parts, table, HARNESS.read_text(encoding="utf-8")]), threads, tuple(faults))


def _layouts(program: Program, threads: int) -> list[tuple[list[int], int]]:
    """In lines of their own, and packed; or the test is too large."""
    if threads > MOST_THREADS:
        raise ProgramError(
            f"{program.name} has {threads} threads",
            source=program.source or None,
            hint=f"a test that runs on the cores has at most {MOST_THREADS}",
        )
    layouts = [_layout(program, _LINE), _layout(program, 8)]
    if layouts[0][1] > MOST_BYTES:
        raise ProgramError(
            f"{program.name} has more memory than fits {MOST_BYTES:,} bytes",
            hint="use smaller arrays or fewer locations",
        )
    return layouts


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


def _fill(program: Program, places: list[list[int]] | None = None) -> str:
    """`places`: addresses are the machine's own, in each layout."""
    lines = ["static inline void fill(char *m, const int packed) {", "  (void)m, (void)packed;"]
    for n, item in enumerate(program.objects):
        for cell in item.cells:
            kind = f"{'' if cell.signed else 'u'}int{8 * cell.width}_t"
            number = f"INT64_C({cell.initial or 0})"
            if places is not None and cell.width == 8:
                spread, packed = (initial(program, cell.initial or 0, where) for where in places)
                number = f"(packed ? {packed} : {spread})"
            value = f"({kind}){number}"
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


def _look_at_memory(test: LitmusTest) -> str:
    lines = [
        "static inline void look(char *m, const int packed, int64_t *out) {",
        "  (void)m, (void)packed, (void)out;",
    ]
    for n, place in enumerate(test.watched):
        if place.thread is None:
            kind = f"{'' if place.type.signed else 'u'}int{8 * place.type.width}_t"
            where = f"m + AT({object_of(place.where)}) + {offset_of(place.where)}"
            lines.append(f"  out[{n}] = number_of(m, packed, *({kind} *)({where}));")
    return "\n".join([*lines, "}"])
