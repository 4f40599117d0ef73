"""Parses a module: structures, globals, aliases, functions. What is not needed is not read."""

from collections.abc import Callable, Sequence

from porf.programs.c import ir
from porf.programs.c.text.debug import TypeTable
from porf.programs.c.text.functions import Functions
from porf.programs.c.text.metadata import Metadata
from porf.programs.c.text.operands import Operands
from porf.programs.c.text.tokens import Cursor, TextError, plain, tokens
from porf.record import replace

_NOT_NEEDED = ("source_filename", "target triple", "attributes", "$", ";", "^", "uselistorder")
_DEFAULT_PRIORITY = 65535


def parse_module(
    text: str, main: str = "", foreign: Sequence[str] = (), known: Callable[[str], bool] = lambda _: True
) -> ir.Module:
    """`main` is the path of the source as the user gave it; files in `foreign` folders are not the user's own, and of
    those that are not `known`, no line is shown."""
    try:
        return _Module(Metadata(main, foreign, known)).parse(text)
    except RecursionError:
        raise TextError("unsupported: constants or types that are nested too deeply") from None


class _Module:
    def __init__(self, metadata: Metadata) -> None:
        self._operands = Operands()
        self._metadata = metadata
        self._types = TypeTable(self._metadata)
        self._structs: dict[str, ir.Struct] = {}
        self._functions = Functions(self._operands, self._structs, self._metadata, self._types)
        self._globals: list[str] = []
        self._heads: list[str] = []
        self._bodies: list[tuple[str, list[str]]] = []

    def parse(self, text: str) -> ir.Module:
        self._sort(text.split("\n"))
        globals_: dict[str, ir.Global] = {}
        constructors: tuple[str, ...] = ()
        for line in self._globals:
            found = self._global(line)
            if found.name == "llvm.global_ctors":
                constructors = _constructors(found)
            elif found.name == "llvm.global_dtors":
                raise TextError("unsupported: functions that run after main (the attribute 'destructor')")
            elif not found.name.startswith("llvm."):
                globals_[found.name] = found
        functions = [self._functions.declared(line) for line in self._heads]
        functions += [self._functions.defined(head, body) for head, body in self._bodies]
        named = {function.name: function for function in functions}
        return ir.Module(self._structs, globals_, named, self._types, constructors)

    def _sort(self, lines: list[str]) -> None:
        """Sorts the lines. Types and aliases are parsed at once, because others need them."""
        aliases: list[str] = []
        at = 0
        while at < len(lines):
            line = lines[at]
            at += 1
            if line.startswith("!"):
                self._metadata.add(line)
            elif line.startswith("@"):
                (aliases if " alias " in line and _is_alias(line) else self._globals).append(line)
            elif line.startswith("define "):
                try:
                    end = lines.index("}", at)
                except ValueError:
                    raise TextError("unsupported: a function without an end") from None
                self._bodies.append((line, lines[at:end]))
                at = end + 1
            elif line.startswith("declare "):
                self._heads.append(line)
            elif line.startswith("%"):
                self._struct(line)
            elif line.startswith("target datalayout"):
                _check_layout(line)
            elif line and not line.startswith(_NOT_NEEDED):
                raise TextError(f"unsupported: {' '.join(line.split()[:2])}")
        for line in aliases:
            self._alias(line)

    def _struct(self, line: str) -> None:
        cursor = Cursor(tokens(line))
        name = plain(cursor.next())
        cursor.expect("=")
        cursor.expect("type")
        found = self._operands.type(cursor)
        if isinstance(found, ir.Struct):
            self._structs[name] = replace(found, name=name)

    def _alias(self, line: str) -> None:
        cursor = Cursor(tokens(line))
        name = plain(cursor.next())
        while cursor.next() != "alias":
            pass
        self._operands.type(cursor)
        if cursor.here == "(":
            cursor.skip_group()  # of a function: the types of its parameters
        cursor.expect(",")
        self._operands.aliases[name] = self._operands.typed(cursor)

    def _global(self, line: str) -> ir.Global:
        cursor = Cursor(tokens(line))
        name = plain(cursor.next())
        cursor.expect("=")
        words = []
        while (word := cursor.next()) not in ("global", "constant"):
            if word == "ifunc":
                raise TextError(f"unsupported: '{name}' is chosen when the program is loaded (ifunc)")
            words.append(word)
            if cursor.here == "(":
                cursor.skip_group()
        kind = self._operands.type(cursor)
        declared = "external" in words or "extern_weak" in words
        return ir.Global(
            name,
            kind,
            None if declared else self._operands.operand(cursor, kind),
            word == "constant",
            "thread_local" in words,
            self._variable(cursor),
            "extern_weak" in words,
        )

    def _variable(self, cursor: Cursor) -> ir.Variable | None:
        words = cursor.words
        for at in range(cursor.at, len(words) - 1):
            if words[at] == "!dbg" and words[at + 1][1:].isdecimal():
                return self._types.variable(int(words[at + 1][1:]))
        return None


def _is_alias(line: str) -> bool:
    words = tokens(line)
    return "alias" in words and not {"global", "constant"} & set(words[: words.index("alias")])


def _constructors(table: ir.Global) -> tuple[str, ...]:
    """The functions of llvm.global_ctors, by priority; those of equal priority in order."""
    found: list[tuple[int, str]] = []
    for entry in table.initial.elements if isinstance(table.initial, ir.Aggregate) else ():
        parts = entry.elements if isinstance(entry, ir.Aggregate) else ()
        if len(parts) < 2 or not isinstance(parts[0], ir.Number) or not isinstance(parts[1], ir.Symbol):
            raise TextError("unsupported: a table of constructors that is not plain")
        found.append((parts[0].value & _DEFAULT_PRIORITY, parts[1].name))
    return tuple(name for _, name in sorted(found, key=lambda pair: pair[0]))


def _check_layout(line: str) -> None:
    """The program form has pointers of 8 bytes, and is little-endian."""
    parts = line.partition('"')[2].rstrip('"').split("-")
    if "E" in parts or any(part.startswith(("p:32", "p0:32", "p:16")) for part in parts):
        raise TextError(
            "unsupported: a machine that is big-endian, or whose pointers do not have 64 bits",
            hint="compile for a machine such as x86-64 or AArch64, without -m32 and the like",
        )
