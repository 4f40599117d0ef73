"""The compiler of a whole program: a template for each function that a thread runs, on arguments of each kind."""

from collections.abc import Sequence

from porf.programs.assemble import signed
from porf.programs.form import Program, Start, Template
from porf.programs.python.calls import call
from porf.programs.python.elements import element
from porf.programs.python.expressions import type_of
from porf.programs.python.frame import Frame, Parts, Unit, refuse_strangers
from porf.programs.python.function import ThreadFunction
from porf.programs.python.operations import attribute
from porf.programs.python.shared import Declaration, Mutex, SharedInt
from porf.programs.python.source import Source
from porf.programs.python.statements import block
from porf.programs.python.values import Known, Value, is_passed


class Compiler:
    """Makes the program form. Threads are compiled in the order of their handles."""

    def __init__(self, declarations: Sequence[Declaration], threads: Sequence[ThreadFunction]) -> None:
        self.declarations = declarations
        self._threads = threads
        self._handles: dict[ThreadFunction, list[int]] = {}
        for function in threads:
            first = sum(map(len, self._handles.values()))
            self._handles[function] = list(range(first, first + len(function.starts or ())))
        self._messages: dict[str, int] = {}
        self._templates: list[Template | None] = []
        self._keys: dict[object, int] = {}
        self._names: set[str] = set()

    def program(self, name: str, source: str, final: ThreadFunction | None) -> Program:
        """The form. The final function runs when all threads have ended."""
        starts = [
            self._start(function, arguments, label)
            for function in self._threads
            for arguments, label in zip(function.starts or (), function.names(), strict=True)
        ]
        if final is not None:
            template = self._compile(final, [], wait_for=len(starts))
            self._templates.append(template)
            starts.append(Start(len(self._templates) - 1, (), self._unique(final.__name__)))
        return Program(
            name=name,
            objects=tuple(d.form() for d in self.declarations),
            templates=tuple(t for t in self._templates if t is not None),
            starts=tuple(starts),
            messages=tuple(self._messages),
            source=source,
        )

    def message(self, text: str) -> int:
        return self._messages.setdefault(text, len(self._messages))

    def started(self, function: ThreadFunction) -> Sequence[int]:
        return self._handles.get(function, [])

    def template(self, function: ThreadFunction, arguments: Sequence[Value]) -> int:
        key = (function, *(kind(a) for a in arguments))
        if key not in self._keys:
            self._keys[key] = number = len(self._templates)
            self._templates.append(None)  # its place, while it is compiled: it may spawn itself
            self._templates[number] = self._compile(function, arguments)
        return self._keys[key]

    def _start(self, function: ThreadFunction, arguments: Sequence[object], label: str) -> Start:
        values: list[Value] = [Known(a) for a in arguments]
        parameters, defaults = function.parameters, function.defaults
        if not len(parameters) - len(defaults) <= len(values) <= len(parameters):
            source = Source(function.function)
            raise source.error(
                source.tree,
                f"thread '{source.name}' takes {len(parameters)} arguments, and {len(values)} are given",
                "write @p.thread(args=[(0,), (1,)]): one tuple for each thread",
            )
        values += [Known(defaults[p]) for p in parameters[len(values) :]]
        template = self.template(function, values)
        passed = [v for v in values if is_passed(v) and isinstance(v, Known)]
        return Start(template, tuple(self._word(function, v) for v in passed), self._unique(label))

    def _word(self, function: ThreadFunction, argument: Known) -> int:
        """An argument as the 64-bit number that a thread gets."""
        if isinstance(argument.value, SharedInt | Mutex):
            source = Source(function.function)
            refuse_strangers(self.declarations, argument.value, source, source.tree)
            return argument.value.pointer
        return signed(argument.integer or 0)

    def _unique(self, label: str) -> str:
        while label in self._names:
            label += "'"
        self._names.add(label)
        return label

    def _compile(self, function: ThreadFunction, arguments: Sequence[Value], wait_for: int = 0) -> Template:
        pairs = list(zip(function.parameters, arguments, strict=True))
        passed = [(p, a) for p, a in pairs if is_passed(a)]
        unit = Unit(self, function.__name__, [p for p, _ in passed], Parts(call, attribute, element))
        frame = Frame(unit, function)
        for (parameter, argument), register in zip(passed, unit.asm.parameters, strict=True):
            unit.adopt(frame.source, parameter, register)
            frame.set_type(frame.source.tree, parameter, type_of(frame, frame.source.tree, argument)[0])
            frame.mark_set(parameter)
        frame.bound = {p: a for p, a in pairs if not is_passed(a)}
        frame.at(frame.source.tree)
        for handle in range(wait_for):
            with unit.asm.statement():
                unit.asm.join(unit.asm.constant(handle))
        block(frame, frame.source.tree.body)
        return unit.asm.template()


def kind(argument: Value) -> object:
    """What the code of a thread knows of an argument."""
    if not is_passed(argument):
        return id(argument.value) if isinstance(argument, Known) else argument
    if isinstance(argument, Known):
        return argument.value.declaration.type if isinstance(argument.value, SharedInt | Mutex) else int
    return getattr(argument, "type", type(argument))
