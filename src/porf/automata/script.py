"""A kat file as a theory and its claims: what it declares, defines and assumes is sorted into the theory."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from porf.automata import expression as x
from porf.automata.atoms import TooManyAtomsError
from porf.automata.elaborate import Elaborator
from porf.automata.theory import Relation, Theory, UnusableError, base_theory
from porf.language import formula as f
from porf.language import syntax as s
from porf.language.header import read_text
from porf.language.model_file import Includes
from porf.language.parse import parse
from porf.language.resolve import Claimed, Declared, Defined, Disjoint, Mentioned, Resolved, Resolver, Tested
from porf.record import Record

THEORIES = Path(__file__).parent / "theories"


class Claim(Record):
    """An assertion: `left <= right`, or both ways."""

    place: s.Place
    left: x.Regular
    right: x.Regular
    both_ways: bool

    @property
    def line(self) -> int:
        return self.place.source.locate(self.place.start)[0]

    @property
    def statement(self) -> str:
        return " ".join(self.place.text.split())


@dataclass
class Script:
    theory: Theory
    claims: list[Claim] = field(default_factory=list)


class _Pending:
    """An assumption of no usable shape: no harm if it follows from the others."""

    def __init__(self, place: s.Place, left: x.Regular, right: x.Regular, error: UnusableError) -> None:
        self.place, self.left, self.right, self.error = place, left, right, error


Follows = Callable[[Theory, x.Regular, x.Regular], bool]


class Reader:
    """Turns the statements of one file and its includes into one theory."""

    def __init__(self, theory: Theory, elaborator: Elaborator) -> None:
        self.script = Script(theory)
        self._elaborator = elaborator
        self._pending: list[_Pending] = []

    def read(self, statements: Iterable[Resolved], follows: Follows) -> Script:
        for statement in statements:
            self._statement(statement)
        for waiting in self._pending:
            if not follows(self.script.theory, waiting.left, waiting.right):
                waiting.place.fail(waiting.error.why, waiting.error.hint)
        return self.script

    def _statement(self, statement: Resolved) -> None:
        if isinstance(statement, Declared):
            return self._declare(statement)
        self._elaborator.statement = statement
        match statement:
            case Defined(node):
                self._elaborator.value(node)  # what is not regular is an error even if nobody uses it
            case Disjoint(nodes):
                formulas = [self._elaborator.formula(node) for node in nodes]
                for at, one in enumerate(formulas):
                    for other in formulas[at + 1 :]:
                        self._assume(statement.place, x.Check(f.conjunction(one, other)), x.NOTHING)
            case Tested(node=node):
                self._elaborator.relation(node)
            case Mentioned(nodes):
                for node in nodes:
                    self._elaborator.relation(node)
            case Claimed():
                self._claim(statement)

    def _declare(self, statement: Declared) -> None:
        theory, (name, *located) = self.script.theory, statement.names
        if statement.kind == "set":
            theory.predicates.add(name)
            return
        theory.relations[name] = Relation()
        for one in located:
            theory.relations[one] = Relation()
            theory.include(x.Step(one), x.Step(name))
            theory.include(x.Step(one), x.Step("loc"))

    def _claim(self, claimed: Claimed) -> None:
        claim, constraint = claimed.claim, claimed.claim.constraint
        left, right = self._elaborator.relation(claimed.left), self._elaborator.relation(claimed.right)
        if constraint is None:
            return self._total(claim, left)
        for node, side in ((left, constraint.left), (right, constraint.right)):
            self._outside(node, side, side is constraint.right or constraint.relation == "=")
        if constraint.same_ends:
            left = x.Loops(left)
        if claim.kind == "assert":
            self.script.claims.append(Claim(constraint.place, left, right, constraint.relation == "="))
            return
        self._assume(constraint.place, left, right)
        if constraint.relation == "=":
            self._assume(constraint.place, right, left)

    def _outside(self, node: x.Regular, side: s.Expression, at_right: bool) -> None:
        """What stands at the outside may not stand inside another of its kind; `\\` not on the right."""
        for part in node.parts if isinstance(node, x.Union) else (node,):
            body = part
            if isinstance(body, x.Loops):
                body = body.body
            if isinstance(body, x.Rotations):
                body = body.body
            if isinstance(part, x.Minus) and not at_right:
                body = part.body.body if isinstance(part.body, x.Loops | x.Rotations) else part.body
                body = x.union((body, part.without))
            if any(map(x.is_outer, x.walk(body))):
                side.place.unwrapped().fail(
                    "this mixture of `&`, `\\` and `rot` is not a regular operation",
                    "`A & id`, `rot A` and, on the left, `A \\ B` can be outermost on a side",
                )

    def _assume(self, place: s.Place, left: x.Regular, right: x.Regular) -> None:
        try:
            self.script.theory.assume(left, right)
        except UnusableError as error:
            self._pending.append(_Pending(place, left, right, error))
        except TooManyAtomsError:
            place.fail("this says too much of events at once", "say it in several statements")

    def _total(self, claim: s.Claim, step: x.Regular) -> None:
        if claim.kind == "assert":
            claim.place.fail("totality can be assumed, not asserted", "assume total r")
        if not isinstance(step, x.Step) or step.back:
            assert claim.total is not None
            claim.total.place.fail("`total` is for a primitive relation", "declare it with `relation`")
        theory = self.script.theory
        theory.total.add(step.name)
        theory.assume(x.sequence((step, step)), step)
        theory.irreflexive.append(step)


def read_script(path: Path, follows: Follows, theory: Theory | None = None) -> Script:
    """Reads a kat file; raises ModelError with a place if something is wrong with it."""
    return read_source(s.Source(str(path), read_text(path), "kat"), path, follows, theory)


def read_source(source: s.Source, path: Path | None, follows: Follows, theory: Theory | None = None) -> Script:
    theory = (theory or base_theory("two")).copy()
    tree = parse(source)
    resolver = Resolver("kat", Includes(tree, path).open, for_proofs=True)
    resolver.run(tree, path.stem if path is not None else "text")
    return _read(resolver, theory, "two", follows)


def read_theory(view: str) -> Theory:
    """A base theory: what it declares are built-in names."""
    path = THEORIES / f"{view}.kat"
    resolver = Resolver("kat", lambda include: None, for_proofs=True)
    resolver.run(parse(s.Source(str(path), read_text(path), "kat")))
    return _read(resolver, Theory(), view, lambda *_: False).theory


def _read(resolver: Resolver, theory: Theory, view: str, follows: Follows) -> Script:
    elaborator = Elaborator(theory, view, bindings=resolver.meanings.bindings)
    return Reader(theory, elaborator).read(resolver.statements, follows)
