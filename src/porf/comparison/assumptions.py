"""Assumptions of a kat file as axioms: what the executions that count must satisfy, whatever the model."""

from collections.abc import Iterator
from pathlib import Path

from porf.comparison.vocabulary import Lens
from porf.errors import ModelError
from porf.language import syntax as s
from porf.language.model_file import ModelFile, model_of_tree, read_tree
from porf.record import replace


def assumptions_of(path: str | Path) -> ModelFile | None:
    """The file as a model whose axioms are its assumptions; None where an execution alone does not decide them.

    That is so where one speaks of the modification order, which is the model's to choose, or of a total relation.
    """
    path = Path(path)
    if path.suffix != ".kat":
        raise ModelError("assumptions are read from a .kat file", source=str(path), hint="assume left <= right")
    tree = read_tree(path)
    kept = [statement for statement in tree.statements if not isinstance(statement, s.Test)]
    claims = [claim for claim in tree.statements if isinstance(claim, s.Claim) and claim.kind == "assume"]
    if not claims:
        raise ModelError("this file assumes nothing", source=str(path), hint="assume left <= right")
    tests = [test for claim in claims if claim.constraint for test in _tests(claim.place, claim.constraint)]
    model = model_of_tree(replace(tree, statements=(*kept, *tests)), path.stem, path)
    decided = all(claim.constraint for claim in claims) and not any(axiom.uses_mo for axiom in model.axioms)
    return model if decided else None


def constrained(lens: Lens, assumed: ModelFile) -> Lens:
    """The model on executions that satisfy the assumptions: it allows no others."""
    return replace(lens, assumed=assumed)


def _tests(place: s.Place, constraint: s.Constraint) -> Iterator[s.Test]:
    """An assumption as the emptiness of what would break it."""
    pairs = [(constraint.left, constraint.right)]
    if constraint.relation == "=":
        pairs.append((constraint.right, constraint.left))
    operator = "intersection" if constraint.same_ends else "sequence"
    for less, more in pairs:
        sides = [s.Binary(side.place, operator, s.Name(side.place, "id"), side) for side in (less, more)]
        yield s.Test(place, "empty", False, s.Binary(place, "difference", *sides), None)
