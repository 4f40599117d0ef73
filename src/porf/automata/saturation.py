"""The right side of an inclusion, enlarged by the theory: every path that implies one of its own is added."""

from collections.abc import Callable
from dataclasses import dataclass, field

from porf.automata import expression as x
from porf.automata.atoms import Atoms
from porf.automata.closure import Closures, Same
from porf.automata.guarded import Guarded, automaton_of
from porf.automata.insertion import Inserter
from porf.automata.reduction import reduced
from porf.automata.theory import Theory
from porf.record import Record

_MOST_STEPS = 30_000


class Component(Record):
    """One alternative of the right side; `rotate`: its cycles count from wherever they begin."""

    body: x.Regular
    rotate: bool = False


@dataclass
class Saturated:
    automata: list[Guarded] = field(default_factory=list)
    rotate: list[bool] = field(default_factory=list)
    cut: list[str] = field(default_factory=list)  # what was not followed to its end, for people

    def parts(self) -> list[tuple[Guarded, bool]]:
        return list(zip(self.automata, self.rotate, strict=True))

    def add(self, automaton: Guarded, rotate: bool) -> None:
        self.automata.append(automaton)
        self.rotate.append(rotate)


def saturate(
    components: list[Component],
    theory: Theory,
    atoms: Atoms,
    alphabet: frozenset[x.Step],
    loops: bool,
    same: Same,
    over: Callable[[], bool],
) -> Saturated:
    """Automata whose union holds every path over the alphabet that the theory turns into one of the components'."""
    closures = Closures(theory, _walked(theory, alphabet), same)
    out = Saturated()
    out.cut += [f"what `{name}` may stand for" for name in sorted(closures.cut)]
    around = _nowhere(theory, closures, out)
    schemes = [scheme for scheme in theory.insertions if closures.matched(scheme.step)]
    everything = list(components)
    anywhere = x.star(x.union(sorted(alphabet, key=repr)))
    for impossible in theory.impossible:
        everything.append(Component(x.sequence((anywhere, impossible, anywhere)), loops))
    if loops:
        everything += [Component(cycle, True) for cycle in theory.irreflexive]
    for component in everything:
        closed = closures.of(component.body)
        if around != x.IDENTITY:
            closed = x.sequence((around, _with(closed, around)))
        if closed == x.NOTHING:
            continue
        if x.size_of(closed) > _MOST_STEPS:
            out.cut.append("an alternative of the right side that grew too large")
            continue
        automaton = reduced(automaton_of(closed, atoms), len(atoms))
        if schemes:
            steps = {scheme.step: closures[scheme.step] for scheme in schemes}
            if around != x.IDENTITY:
                steps = {step: _with(path, around) for step, path in steps.items()}
            inserter = Inserter(automaton, theory, atoms, steps, over)
            inserter.run(schemes)
            if inserter.cut:
                out.cut.append("the compilation schemes")
        out.add(automaton, component.rotate)
    return out


def _walked(theory: Theory, alphabet: frozenset[x.Step]) -> frozenset[x.Step]:
    """The steps that can be walked: those of the alphabet, of total orders, and of the paths that schemes insert."""
    walked = set(alphabet) | {x.Step(name) for name in theory.total}
    size = -1
    while size != len(walked):
        size = len(walked)
        above = {upper for step in walked for upper in theory.above(step)}
        for scheme in theory.insertions:
            turned = x.Step(scheme.step.name, not scheme.step.back)
            if scheme.step in above or turned in above:
                walked.update(scheme.path)
    return frozenset(walked)


def _nowhere(theory: Theory, closures: Closures, out: Saturated) -> x.Regular:
    """What may be walked at any event without leaving it; nested once."""
    paths = [path for path in map(closures.of, theory.nowhere) if path != x.NOTHING]
    if not paths:
        return x.IDENTITY
    around = x.star(x.union(paths))
    if any(not isinstance(path, x.Step) for path in paths):
        out.cut.append("assumptions `e <= id` inside each other")
        around = x.star(x.union(_with(path, around) for path in paths))
    return around


def _with(node: x.Regular, around: x.Regular) -> x.Regular:
    return x.rebuild(node, lambda leaf: x.sequence((leaf, around)) if isinstance(leaf, x.Step) else leaf)
