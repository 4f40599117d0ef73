"""From the text of a litmus test to its program: reads part after part, compiles the threads, adds an observer."""

from collections.abc import Sequence
from functools import partial

from porf._core import Order
from porf.errors import ProgramError
from porf.programs.code import Code
from porf.programs.form import Program, Start, Template, Watch
from porf.programs.litmus.assembly.columns import code_end
from porf.programs.litmus.assembly.listing import Listing
from porf.programs.litmus.dialects import ASSEMBLY, DIALECTS, KERNEL, KERNEL_ONLY, Thread, dialect
from porf.programs.litmus.final import Final, Watched
from porf.programs.litmus.memory import Memory
from porf.programs.litmus.observation import LitmusTest
from porf.programs.litmus.source import Source
from porf.programs.litmus.tokens import Token, header, tokens


def read_litmus(text: str, source: str = "<text>", kernel: bool | None = None) -> LitmusTest:
    """The test in this text; raises ProgramError if it is not one. A test in C is of the Linux kernel if it uses what
    only that has, unless `kernel` says which of the two it is."""
    origin = Source(text, source)
    word, name, start = header(origin, DIALECTS)
    try:
        found = tokens(origin, start, code_end if word in ASSEMBLY else None)
        if kernel is None:
            kernel = word == "C" and any(token.text in KERNEL_ONLY for token in found)
            if word == "C" and not kernel and any(token.text in KERNEL for token in found):
                return _read_as_either(origin, name, found)
        return _read(origin, name, Final(origin, found, kernel=kernel), word)
    except RecursionError:
        origin.fail(start, "this test is nested too deeply", "use variables for parts of long expressions")


def _read_as_either(source: Source, name: str, found: list[Token]) -> LitmusTest:
    """A test with macros of Linux that C can say as well: it is one of C, if C's types allow what it does."""
    try:
        return _read(source, name, Final(source, found), "C")
    except ProgramError as error:
        try:
            return _read(source, name, Final(source, found, kernel=True), "C")
        except ProgramError:
            raise error from None


def _read(source: Source, name: str, reader: Final, word: str) -> LitmusTest:
    kernel = reader.kernel
    reader.initial()
    threads = dialect(word).read_threads(reader, word)
    pointers = [pointer for thread in threads for pointer in thread.pointers]
    memory = Memory(source, reader.entries, reader.settings.values(), pointers, kernel)
    for setting in reader.settings.values():
        if setting.thread >= len(threads):
            source.fail(setting.at, f"there is no thread {setting.thread}", None, len(setting.name))
    messages: list[str] = []
    for number, thread in enumerate(threads):
        thread.compile(memory, [s for s in reader.settings.values() if s.thread == number], messages)
    reader.final(memory, threads)

    architecture = "lkmm" if kernel else ASSEMBLY.get(word, "")
    watched = sorted(reader.watched.values(), key=Watched.rank)
    templates = [
        thread.template(tuple(w.where for w in watched if w.thread == number)) for number, thread in enumerate(threads)
    ]
    starts = [Start(number, name=f"P{number}") for number in range(len(threads))]
    registers = [w.where for w in watched]
    in_memory = [n for n, w in enumerate(watched) if w.thread is None]
    if in_memory and not architecture:
        observer, found = _observer(len(threads), [watched[n] for n in in_memory])
        templates.append(observer)
        starts.append(Start(len(threads), name="observer"))
        for n, register in zip(in_memory, found, strict=True):
            registers[n] = register
    watches = [
        Watch(len(threads) if w.thread is None else w.thread, register, w.label)
        for w, register in zip(watched, registers, strict=True)
    ]
    program = Program(
        name, memory.objects, tuple(templates), tuple(starts), tuple(messages), tuple(watches), source.name
    )
    return LitmusTest(
        name=name,
        program=program,
        quantifier=reader.quantifier,
        condition=reader.condition,
        condition_text=reader.condition_text,
        filter=reader.filter,
        shown=tuple(n for n, w in enumerate(watched) if w.label in reader.shown),
        watched=tuple(watched),
        threads=len(threads),
        architecture=architecture,
        listings=_listings(threads, word) if word in ASSEMBLY else (),
        as_kernel=None if word != "C" or kernel else partial(read_litmus, source.text, source.name, True),
        pointers=frozenset(w.label for w in watched if w.type.kind == "pointer" or architecture),
    )


def _listings(threads: Sequence[Thread], word: str) -> tuple[Listing, ...]:
    from porf.programs.litmus.assembly.thread import Thread as AssemblyThread

    return tuple(thread.listing(word) for thread in threads if isinstance(thread, AssemblyThread))


def _observer(threads: int, places: list[Watched]) -> tuple[Template, list[int]]:
    """A thread that waits for all others and then reads final values: po and rf alone do not say which write is
    last. Also gives the registers that it reads into."""
    code = Code("observer")
    nothing = code.register()
    for handle in range(threads):
        code.join(code.constant(handle), into=nothing)
    registers = [code.register(place.label) for place in places]
    for place, register in zip(places, registers, strict=True):
        width, signed = place.type.width, place.type.signed
        code.load(code.constant(place.where), width, Order.RLX, signed, into=register)
    return code.template(tuple(registers)), registers
