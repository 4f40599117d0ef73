"""From bitcode to LLVM's text.

Old versions are upgraded, the runtime is linked in, functions are inlined, variables that no other thread can see are
moved to registers, and constants are propagated. No pass merges, reorders or speculates accesses of memory.
"""

from collections.abc import Callable, Collection, Mapping

from porf.errors import ProgramError
from porf.programs.c.dangling import free_pins
from porf.programs.c.indeterminate import Marks, with_constants
from porf.programs.c.inlining import Definition, definitions, inlinable
from porf.programs.c.library.names import NEVER, PIN
from porf.programs.c.llvm import AVAILABLE_EXTERNALLY, INTERNAL, Context, Module, version
from porf.record import Record

ROOTS = ("main", "user_main")
TEXT = b"; ModuleID"  # how LLVM's text begins
ROUNDS = 5  # of looking for variables that need not stay in memory


class Part(Record):
    """Some functions of the runtime as bitcode, and what is known about them."""

    code: bytes
    definitions: Mapping[str, Definition]


class Runtime(Record):
    """The functions that the runtime defines; `part` gives those that are wanted, with what they need, but for those
    that the program has of its own."""

    names: Collection[str]
    part: Callable[[Collection[str], Collection[str]], Part]


def parse(code: bytes, path: str, context: Context) -> Module:
    """A module, from bitcode or from text. Modules of one context share the names of types."""
    try:
        return Module(code, context)
    except ValueError as error:
        said = str(error).strip().splitlines() or ["no reason given"]
        reason = next((line for line in said if "error:" in line), said[0]).removeprefix("<string>:")
        raise ProgramError(
            f"{path}: LLVM {'.'.join(map(str, version()))} cannot read this: {reason}",
            hint="it may be damaged, or its compiler too new; PORF_CLANG may be an older clang",
        ) from None


def printed(code: bytes, path: str) -> str:
    """A module as text. The compiler may have made that itself, and then it is what LLVM would print here."""
    if code.startswith(TEXT):
        return code.decode("utf-8", "surrogateescape")
    return str(parse(code, path, Context()))


def prepared_text(code: bytes, path: str, runtime: Callable[[], Runtime | None]) -> str:
    """The text of a module after the passes."""
    marks = Marks(printed(code, path))
    text = marks.text(ROOTS)
    context = Context()
    module = parse(text.encode("utf-8", "surrogateescape"), path, context)
    library = _link(module, runtime, context)
    internalize(module, ROOTS)
    module.run(["GlobalDCE"])
    module.always_inline(inlinable(_known(module, text, library), ROOTS))
    # What is moved to registers before it is copied to its callers need not be moved once for each of them.
    module.run(["SROA", "AlwaysInliner", "GlobalDCE", "SROA"])
    _unpin(module, marks.pins)
    module.run(["SCCP", "InstructionNamer"])  # in C++, orders are parameters: of accesses for all orders, one is left
    return with_constants(str(module), marks.constants)


def _known(module: Module, text: str, library: Mapping[str, Definition]) -> dict[str, Definition]:
    """The functions of a module, which was linked of a text and of parts of the library. Linking may change the name of
    a function that only its own module knows; the module is then asked for its text."""
    found = definitions(text)
    names = {function.name for function in module.functions if not function.is_declaration}
    if not found.keys().isdisjoint(library) or not names <= found.keys() | library.keys():
        return definitions(str(module))
    return {name: known for name, known in {**found, **library}.items() if name in names}


def _unpin(module: Module, pins: int) -> None:
    """Moves variables to registers whose uses all lie within their lives: each may show the uses of others."""
    left = set(range(pins))
    for _ in range(ROUNDS):
        free = left & free_pins(str(module)) if left else ()
        if not free:
            return
        left.difference_update(free)
        module.always_inline(f"{PIN}{number}" for number in free)
        module.run(["AlwaysInliner", "SROA"])


def _link(module: Module, runtime: Callable[[], Runtime | None], context: Context) -> Mapping[str, Definition]:
    """Adds what the module calls and only the runtime defines."""
    declared = {function.name: function for function in module.functions if function.is_declaration}
    missing = {name for name in declared if not name.startswith(("llvm.", NEVER))}
    known = runtime() if missing else None
    if known is None or missing.isdisjoint(known.names):
        return {}
    # The runtime's function f__with__g__or__h takes the place of f in a program that calls g or h.
    for name in known.names:
        replaced, _, triggers = name.partition("__with__")
        if replaced in declared and not declared.keys().isdisjoint(triggers.split("__or__")):
            declared[replaced].rename(name)
            missing.add(name)
    own = {function.name for function in module.functions if not function.is_declaration}
    part = known.part(missing.intersection(known.names), own.intersection(known.names))
    library = parse(part.code, "the runtime of porf", context)
    library.machine = module.machine
    try:
        module.link(library)
    except ValueError as error:
        raise ProgramError(f"the program cannot be linked with the runtime of porf: {error}") from None
    return part.definitions


def internalize(module: Module, roots: Collection[str]) -> None:
    """Only the roots are called from outside, so what these do not use can be removed."""
    for function in module.functions:
        if not function.is_declaration and function.name not in roots:
            function.linkage = INTERNAL


def names_of(code: bytes) -> tuple[str, ...]:
    """The functions that a module defines."""
    library = parse(code, "the runtime of porf", Context())
    return tuple(function.name for function in library.functions if not function.is_declaration)


def part_of(code: bytes, wanted: Collection[str], own: Collection[str]) -> Part:
    """What the functions of a module that are wanted need; those that the program has of its `own` count instead."""
    library = parse(code, "the runtime of porf", Context())
    for function in library.functions:
        if not function.is_declaration and function.name not in wanted:
            function.linkage = AVAILABLE_EXTERNALLY if function.name in own else INTERNAL
    library.run(["GlobalDCE"])
    text = str(library)
    return Part(library.bitcode(), definitions(text))
