"""An execution as a litmus test: a program for herd and other tools, and the outcome that singles the execution out.

Written only. A history without words of a machine is a test in C, or compiled from C to a machine by the standard
mapping; one with such words is a test in that machine's assembly. Each language is a module, and what they share is
`outline.py`.
"""

from collections.abc import Sequence
from importlib import import_module

from porf.architectures import ARCHITECTURES
from porf.errors import UsageError, nearest
from porf.execution import Execution
from porf.formats.litmus.outline import Outline

# The languages of tests, each with the module that writes it: C, and the architectures whose assembly is known.
LANGUAGES = {
    "c": "porf.formats.litmus.c",
    "x86": "porf.formats.litmus.x86",
    "aarch64": "porf.formats.litmus.aarch64",
    "ppc": "porf.formats.litmus.ppc",
    "riscv": "porf.formats.litmus.riscv",
}

SMALL = range(1 << 11)  # what an instruction of every machine can hold, in all bits of a register


def write(execution: Execution) -> bytes:
    return litmus_test(execution).encode()


def litmus_test(
    execution: Execution,
    name: str | None = None,
    mo: Sequence[Sequence[int]] | None = None,
    language: str | None = None,
    title: str = "",
) -> str:
    """The test as text. With a modification order (rows, a location), the outcome also has the final values. Without a
    language it is in that of the history's words; `title` is the line below its name."""
    language = find_language(language) if language else language_of(execution)
    outline = Outline(execution, mo, None if language == "c" else SMALL)
    text: str = import_module(LANGUAGES[language]).text(outline, name or outline.name, title)
    return text


def find_language(name: str) -> str:
    """A language by its name, or by the word that its tests begin with."""
    known = name.lower()
    known = next((a.name for a in ARCHITECTURES.values() if known in map(str.lower, a.headings)), known)
    if known not in LANGUAGES:
        hint = nearest(known, LANGUAGES) or f"tests are written in {', '.join(LANGUAGES)}"
        raise UsageError(f"no litmus tests are written in '{name}'", hint=hint)
    return known


def language_of(execution: Execution) -> str:
    """C if no event says anything of a machine, else the one language whose words are said."""
    if execution.tag is None and "lxsx" not in execution.dependencies:
        return "c"
    fitting = [name for name in execution.fitting if name in LANGUAGES]
    if len(fitting) == 1:
        return fitting[0]
    if not fitting:
        known = " and ".join(ARCHITECTURES[name].title for name in execution.fitting) or "no one machine"
        raise UsageError(
            f"what this history says is of {known}, and no litmus tests are written for that",
            hint=f"they are written for {', '.join(LANGUAGES)}",
        )
    raise UsageError(
        f"this history may be of {' or '.join(ARCHITECTURES[name].title for name in fitting)}",
        hint=f"say which is meant: --to {fitting[0]}",
    )
