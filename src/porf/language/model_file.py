"""A model as people see it: a file with a title, a source and named axioms, ready to be evaluated."""

from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Literal

from porf import _core
from porf._core import RelationOpcode as Opcode
from porf.architectures import Architecture, by_heading, find_architecture
from porf.cache import kept, stamp, word
from porf.errors import ModelError
from porf.language import base
from porf.language import relation as r
from porf.language import syntax as s
from porf.language.compile import Compiler
from porf.language.header import Header, header_of, read_text
from porf.language.parse import parse
from porf.language.program import Program, Traits
from porf.language.resolve import Defined, Resolver, Tested
from porf.record import Record, field

BUNDLED = Path(__file__).parent.parent / "models"
LIBRARY = BUNDLED / "library"  # files that published models include
_DEPENDENCIES = ("lxsx", "ctrl", "addr", "data")
_MAX_INCLUDES = 500
_DEEPEST = 50  # files inside each other


class Axiom(Record):
    """One test of a model, in file order.

    `monotone`: what breaks it in a part of an execution breaks it in the whole. `restrictable`: moreover the
    cycle shown for it names every event of such a part. Other evidence needs the whole execution.
    """

    name: str
    check: _core.Check
    node: r.Node  # what the check forbids cycles of, or loops, or pairs
    register: int  # that holds the node
    negated: bool
    role: str  # axiom, or what only reports: flag (where it holds), undefined (where it fails)
    monotone: bool
    restrictable: bool
    final: bool  # what breaks it under some mo breaks it under every larger one
    uses_mo: bool
    monotone_mo: bool
    text: str

    @property
    def flagged(self) -> bool:
        return self.role != "axiom"


class ModelFile(Record, eq=False):
    name: str
    dialect: str
    title: str
    source: str | None  # where the model is published
    view: Literal["one", "two"]  # an update is one event, or a read and a write
    axioms: tuple[Axiom, ...]
    path: Path | None = None
    architecture: Architecture | None = None  # whose names it may use; None: those of C
    relations: dict[str, tuple[r.Kind, int]] = field(default_factory=dict)  # defined name -> (kind, register)
    compiled: Program = field(default_factory=Program)
    registers: dict[r.Node, int] = field(default_factory=dict)  # of the program that hold a node
    note: str | None = None  # what people should know of how the file was read

    @property
    def monotone(self) -> bool:
        """Whether every axiom that can reject is monotone."""
        return all(axiom.monotone for axiom in self.axioms if not axiom.flagged)

    @cached_property
    def program(self) -> _core.RelationProgram:
        """For executions without times, as programs have them."""
        if self.looks_at_time:
            message = f"{self.name} asks when operations ran, and programs do not say that"
            hint = "porf check decides it for histories with times (time=START..END)"
            raise ModelError(message, source=self._place, hint=hint)
        return self._program(self.compiled.rows())

    @property
    def _place(self) -> str | None:
        return None if self.path is None else str(self.path)

    @cached_property
    def looks_at_time(self) -> bool:
        """Whether real time is mentioned."""
        return any(op == Opcode.BASE_RELATION and a == base.REAL_TIME for op, a, *_ in self.compiled.code)

    @cached_property
    def timed_program(self) -> tuple[_core.RelationProgram, str]:
        """For recorded executions: with real time in the place of a dependency that the model does not look at, which
        is returned as well."""
        if self.view == "two":
            message = "`rt` is for models in which an update is one event"
            hint = "write `Events: one` in the opening comment"
            raise ModelError(message, source=self._place, hint=hint)
        used = {a for op, a, *_ in self.compiled.code if op == Opcode.BASE_RELATION}
        if base.RELATIONS["rmw"].core in used:
            used.add(base.RELATIONS["lxsx"].core)
        free = [kind for kind in _DEPENDENCIES if base.RELATIONS[kind].core not in used]
        if not free:
            message = f"a model that looks at real time cannot look at all of {', '.join(_DEPENDENCIES)}"
            raise ModelError(message, source=self._place, hint="leave one of them out")
        kept = int(base.RELATIONS[free[0]].core)
        rows = []
        for op, a, *rest in self.compiled.code:
            rows += [op, kept if op == Opcode.BASE_RELATION and a == base.REAL_TIME else a, *rest]
        return self._program(rows), free[0]

    def _program(self, code: list[int]) -> _core.RelationProgram:
        rows = [(a.register, a.check, a.negated, a.flagged, a.monotone_mo) for a in self.axioms]
        return _core.RelationProgram(code, list(chain.from_iterable(rows)))


def load_model_file(
    path: str | Path, architecture: str | None = None, bell: Path | None = None, folder: Path | None = None
) -> ModelFile:
    """Reads, parses and checks a model file; its extension decides the dialect. What its names mean depends on the
    architecture: the one that its header names, else the given one, else the orders of C. A bell file is read first; so
    is one that stands beside it by the same name. What it includes is in its folder, or in the one that is given."""
    path = Path(path)
    beside = path.with_suffix(".bell")
    bell = bell or (beside if beside.is_file() and not beside.is_symlink() else None)
    return model_of_tree(_parsed(_source(path)), path.stem, path, architecture, bell, folder)


def parse_model(text: str, name: str = "model", dialect: str = "cat", architecture: str | None = None) -> ModelFile:
    """A model from its text; includes are looked up among the bundled models."""
    return model_of_tree(parse(s.Source(f"<{name}>", text, dialect)), name, None, architecture)


def read_tree(path: str | Path) -> s.Tree:
    """The syntax tree of a model file alone: nothing included, nothing evaluated."""
    path = Path(path)
    return _parsed(_source(path))


def _parsed(source: s.Source) -> s.Tree:
    """The tree of a file, which is kept: to make the parser takes longer than to explore many a program."""
    tree: s.Tree = kept("trees", word(stamp(), source.name, source.dialect, source.text), lambda: parse(source))
    return tree


def _source(path: Path) -> s.Source:
    if path.suffix not in (".cat", ".kat"):
        raise ModelError(
            "a model file ends in .cat or .kat", source=str(path), hint="the extension decides the dialect"
        )
    return s.Source(str(path), read_text(path), path.suffix[1:])


class Includes:
    """Finds and parses included files, and notices a file that includes itself.

    A file from elsewhere is not trusted: what it includes must be in the folder of the file that was named, or below
    that, or a bundled model. Nothing else is opened, so no message shows what is in it.
    """

    def __init__(self, root: s.Tree, path: Path | None, folder: Path | None = None) -> None:
        self._opened = 0
        self._stack = [(root, path)]
        own = folder or (path.parent if path is not None else None)
        self._folders = [place.resolve() for place in (own, BUNDLED) if place is not None]

    def open(self, include: s.Include) -> s.Tree | None:
        if include.path in base.BUILT_IN_FILES:
            return None
        found = LIBRARY / include.path if include.path in base.REPLACED_FILES else self._find(include)
        if found is None:
            include.place.fail(
                f"cannot find the included file '{include.path}'",
                "included files are looked up beside this file, then among the bundled models",
            )
        while self._stack[-1][0].source is not include.place.source:
            self._stack.pop()
        if any(path is not None and path.samefile(found) for _, path in self._stack):
            include.place.fail(f"'{include.path}' includes itself", "remove one of the two includes")
        if len(self._stack) > _DEEPEST:
            include.place.fail("files include each other too deeply", f"at most {_DEEPEST} may be inside each other")
        self._opened += 1
        if self._opened > _MAX_INCLUDES:
            include.place.fail("this model includes too many files", "includes may double in size at every level")
        own = include.place.source.dialect
        tree = _parsed(s.Source(str(found), read_text(found), {".cat": "cat", ".kat": "kat"}.get(found.suffix, own)))
        self._stack.append((tree, found))
        return tree

    def _find(self, include: s.Include) -> Path | None:
        own = next((path for tree, path in self._stack if tree.source is include.place.source), None)
        outside = False
        for folder in ([own.parent] if own is not None else []) + [BUNDLED, LIBRARY]:
            try:
                path = folder / include.path
                if not any(path.resolve().is_relative_to(allowed) for allowed in self._folders):
                    outside = True
                elif path.is_file():
                    return path
            except (OSError, ValueError, RuntimeError):  # a name that no file system takes, or links without end
                continue
        if outside:
            include.place.fail(
                f"'{include.path}' is outside the folder of this model",
                "files are included from the folder of the model that was named, from folders in it, and from the "
                "bundled models; copy the file there",
            )
        return None


def model_of_tree(
    tree: s.Tree,
    name: str,
    path: Path | None,
    on: str | None = None,
    bell: Path | None = None,
    folder: Path | None = None,
) -> ModelFile:
    """Resolves and compiles a syntax tree; includes are beside the path, and in its folder or that one."""
    source = tree.source
    header = header_of(source.text, source.name)
    on = header.architecture or ("lkmm" if bell is not None else on)
    architecture = None if on is None else find_architecture(on)
    if bell is not None:
        first = parse(s.Source(str(bell), read_text(bell), "cat"))
        before = Resolver(source.dialect, Includes(first, bell).open, architecture=architecture)
        before.run(first)
    resolver = Resolver(source.dialect, Includes(tree, path, folder).open, architecture=architecture)
    if bell is not None:
        resolver.follow(before)
    elif architecture is not None and (path is None or path.parent != BUNDLED):
        if architecture.name == "lkmm":
            resolver.run(_parsed(_source(LIBRARY / "critical.cat")))
        elif _is_general(header):
            resolver.run(_parsed(_source(LIBRARY / "instructions.cat")))
    resolver.run(tree)
    compiler, axioms = Compiler(), []
    for statement in resolver.statements:
        if isinstance(statement, Defined):
            compiler.add(statement)
        elif isinstance(statement, Tested):
            register = compiler.add(statement)
            axioms.append(_axiom(statement, register, compiler.program.traits[register]))
    return ModelFile(
        name=name,
        dialect=source.dialect,
        title=header.title or tree.title or name,
        source=header.source,
        view=header.view if header.says_view or architecture is None else "two",
        axioms=tuple(axioms),
        path=path,
        architecture=architecture,
        relations={name: (node.kind, compiler.register(node)) for name, node in resolver.relations().items()},
        compiled=compiler.program,
        registers=compiler.registers,
        note=_fallbacks(resolver.meanings.missed, architecture),
    )


def _is_general(header: Header) -> bool:
    """Whether a user's file is of no architecture in particular, so that it means what it means in herd."""
    return header.architecture is None and not any(map(by_heading, (header.title or "").split()))


def _fallbacks(missed: dict[str, s.Place], architecture: Architecture | None) -> str | None:
    """Which names a file only tries, and does without; the bundled files may, for they are of several architectures."""
    names = [name for name, place in missed.items() if Path(place.source.name).parent != LIBRARY]
    if not names:
        return None
    here = "the orders of C" if architecture is None else architecture.title
    shown = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
    return f"{here} {'have' if architecture is None else 'has'} no {shown}: `try` takes what is written after `with`"


def _axiom(tested: Tested, register: int, traits: Traits) -> Axiom:
    test = tested.test
    monotone = traits.monotone and not test.negated
    text = " ".join(test.expression.place.unwrapped().text.split())
    return Axiom(
        name=test.name or f"{'~' if test.negated else ''}{test.kind} {text}",
        check=tested.shape.check,
        node=tested.node,
        register=register,
        negated=test.negated,
        role=test.role,
        monotone=monotone,
        restrictable=monotone and traits.whole,
        final=not traits.uses_mo or (traits.monotone_mo and not test.negated),
        uses_mo=traits.uses_mo,
        monotone_mo=traits.monotone_mo,
        text=text,
    )
