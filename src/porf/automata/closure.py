"""What a step may stand for: all paths that the theory's inclusions `e <= r` make into a step of r.

Where the rules for r are of the forms r;r, r;w and v;r, the paths are (v* r w*)+, a regular set. Rules that use each
other are followed until nothing new comes, or for a few rounds: then the closure is marked as cut.
"""

from collections.abc import Callable

from porf.automata import expression as x
from porf.automata.theory import Theory

_ROUNDS = 4
_MOST_STEPS = 300  # in what one step may stand for
Same = Callable[[x.Regular, x.Regular], bool]


class Closures:
    """Closures of steps, as far as the steps of an alphabet can take part in them."""

    def __init__(self, theory: Theory, alphabet: frozenset[x.Step], included: Same) -> None:
        self._theory = theory
        self._included = included
        self._matched = frozenset(upper for step in alphabet for upper in theory.above(step))
        self._rules: dict[str, list[x.Regular]] = {}
        self.cut: set[str] = set()
        key = (theory.version, alphabet)
        if key not in theory.closures:
            theory.closures[key] = self._solve(), self.cut
        self._known, self.cut = theory.closures[key]

    def __getitem__(self, step: x.Step) -> x.Regular:
        """The closure of a step; nothing where no step of the alphabet is any part of it."""
        if step.name == "any":
            return x.Star(x.Step("any"))
        if step.back:
            return x.inverse(self[x.Step(step.name)])
        return self._known.get(step.name) or self._alone(step.name)

    def of(self, node: x.Regular) -> x.Regular:
        return x.rebuild(node, lambda leaf: self[leaf] if isinstance(leaf, x.Step) else leaf)

    def matched(self, step: x.Step) -> bool:
        return step in self._matched or step.name == "any"

    def _alone(self, name: str) -> x.Regular:
        both = (x.Step(name), x.Step(name, True))
        return both[0] if any(map(self.matched, both)) else x.NOTHING

    def _solve(self) -> dict[str, x.Regular]:
        for upper in self._theory.stands_for:
            for step in self._theory.above(upper):
                if step.name != "any":  # every path stands for it
                    self._rules.setdefault(step.name, [])
        for name, rules in self._rules.items():
            rules.extend(self._applicable(name))
        known: dict[str, x.Regular] = {}
        for _ in range(_ROUNDS):
            grown = {name: self._close(name, known) for name in self._rules}
            large = {name for name, paths in grown.items() if x.size_of(paths) > _MOST_STEPS}
            if large:
                self.cut = large
                return known | {name: self._alone(name) for name in self._rules if name not in known}
            changed = {name for name, paths in grown.items() if paths != known.get(name)}
            changed = {name for name in changed if name not in known or not self._included(grown[name], known[name])}
            known |= {name: grown[name] for name in changed}
            if not changed:
                return known
        self.cut = changed
        return known

    def _applicable(self, name: str) -> list[x.Regular]:
        """The rules for a relation and for what is included in it, that the alphabet can take part in."""
        theory, target, out = self._theory, x.Step(name), []
        for step, paths in theory.stands_for.items():
            above = theory.above(step)
            for turned in (False, True):
                if x.Step(name, turned) not in above:
                    continue
                for path in paths:
                    path = x.inverse(path) if turned else path
                    pruned = x.rebuild(path, self._leaf)
                    if pruned != x.NOTHING and pruned != target:
                        out.append(pruned)
        transitive = any(_transitive(path, target) for path in out)
        kept = []
        for path in dict.fromkeys(out):
            within = all(target in theory.above(step) for step in x.steps_of(path)) and x.steps_of(path)
            if transitive and within and not _transitive(path, target) and not x.tests_of(path):
                continue  # r+ has it already
            kept.append(path)
        return kept

    def _leaf(self, leaf: x.Check | x.Step) -> x.Regular:
        if isinstance(leaf, x.Check) or self.matched(leaf) or leaf.name in self._rules:
            return leaf
        return x.NOTHING

    def _close(self, name: str, known: dict[str, x.Regular]) -> x.Regular:
        own = x.Step(name)
        alone, before, after = [self._alone(name)], [], []
        transitive = False

        def closed(node: x.Regular) -> x.Regular:
            def leaf(part: x.Check | x.Step) -> x.Regular:
                if isinstance(part, x.Check):
                    return part
                found = known.get(part.name) or self._alone(part.name)
                return x.inverse(found) if part.back else found

            return x.rebuild(node, leaf)

        for path in self._rules[name]:
            parts = path.parts if isinstance(path, x.Sequence) else (path,)
            if _transitive(path, own):
                transitive = True
            elif parts[0] == own and own not in x.steps_of(x.sequence(parts[1:])):
                after.append(closed(x.sequence(parts[1:])))
            elif parts[-1] == own and own not in x.steps_of(x.sequence(parts[:-1])):
                before.append(closed(x.sequence(parts[:-1])))
            else:
                alone.append(closed(path))
        whole = x.sequence((x.star(x.union(before)), x.union(alone), x.star(x.union(after))))
        return x.plus(whole) if transitive else whole


def _transitive(path: x.Regular, step: x.Step) -> bool:
    return path in (x.Sequence((step, step)), x.Plus(step), x.Sequence((step, x.Plus(step))))
