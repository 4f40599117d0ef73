"""Several modules of LLVM as one: what two of them define is an error that names both places."""

import re
from collections.abc import Sequence

from porf.errors import ProgramError
from porf.programs.c.bitcode import ROOTS, TEXT, parse
from porf.programs.c.llvm import DLL_EXPORT, EXTERNAL, Context, Module

STRONG = (EXTERNAL, DLL_EXPORT)  # definitions that may not be repeated


def linked(parts: Sequence[tuple[str, bytes]]) -> bytes:
    """The bitcode of the whole, of the paths and the bitcode of its parts."""
    context = Context()
    modules: list[tuple[str, Module]] = []
    try:
        modules += ((path, parse(code, path, context)) for path, code in parts)
        _refuse_repetitions(modules)
        return _joined(modules)
    finally:  # at once, for an error holds on to them, and they must go before their context does
        for _, module in modules:
            module.close()


def _joined(modules: Sequence[tuple[str, Module]]) -> bytes:
    first, whole = modules[0]
    for path, module in modules[1:]:
        if module.machine[1] != whole.machine[1]:
            raise ProgramError(
                f"{path} and {first} were compiled for different machines", hint="compile both for the same one"
            )
        module.machine = whole.machine
        try:
            whole.link(module)
        except ValueError as error:
            raise ProgramError(f"{path} cannot be linked with {first}: {error}") from None
    return whole.bitcode()


def defines_main(path: str, code: bytes) -> bool:
    if code.startswith(TEXT):
        return re.search(rb"^define [^\n]*@(?:%s)\(" % "|".join(ROOTS).encode(), code, re.MULTILINE) is not None
    module = parse(code, path, Context())
    return any(function.name in ROOTS and not function.is_declaration for function in module.functions)


def _refuse_repetitions(modules: Sequence[tuple[str, Module]]) -> None:
    known: dict[str, tuple[str, Module]] = {}
    for path, module in modules:
        for item in (*module.functions, *module.variables):
            if item.is_declaration or item.linkage not in STRONG:
                continue
            if item.name in known:
                first, second = _place(*known[item.name], item.name), _place(path, module, item.name)
                raise ProgramError(
                    f"'{item.name}' is defined twice: {first} and {second}",
                    hint="make it static in one of them, or declare it there (extern); -- -fcommon makes one of two "
                    "variables without a value",
                )
            known[item.name] = (path, module)


def _place(path: str, module: Module, name: str) -> str:
    """Where a module defines something, as far as its debug information says."""
    text = str(module)
    definition = re.search(rf"^(?:define .*)?@\"?{re.escape(name)}\"?\b.*?!dbg !(\d+)", text, re.MULTILINE)
    number = definition[1] if definition else "-"
    for _ in range(2):  # a variable's node is behind another one
        line = re.search(rf"^!{number} = .*", text, re.MULTILINE)
        if line is None:
            return path
        if found := re.search(r"\bline: (\d+)", line[0]):
            return f"{path}:{found[1]}"
        inner = re.search(r"\bvar: !(\d+)", line[0])
        number = inner[1] if inner else "-"
    return path
