"""Checks chosen writers, and that lemmas leave no choice. What each read may read is found again, value by value."""

from porf.allowance import look
from porf.errors import EvidenceError
from porf.evidence.choices import is_open, with_choices
from porf.evidence.data import Choice, Lemma, Refusal
from porf.evidence.verify import verify
from porf.execution import INITIAL, NO_VALUE, UNKNOWN, Execution
from porf.models.registry import Model


def verify_chosen(execution: Execution, chosen: Execution) -> None:
    """The same history, in which each open read takes a write of its location and value, and locations start once."""
    starts: dict[int, int] = {}
    for row in range(len(execution)):
        if not execution.reads(row):
            continue
        writer = int(chosen.rf[row])
        if int(execution.rf[row]) != UNKNOWN:
            if writer != int(execution.rf[row]):
                raise EvidenceError(f"{execution.name(row)} says whom it reads")
        elif not _may_read(execution, row, writer):
            raise EvidenceError(f"{execution.name(row)} cannot read what was chosen")
        value = _value(execution, row)
        loc = int(execution.loc[row])
        unknown = writer == INITIAL and execution.init_value[loc] == NO_VALUE != value
        if unknown and starts.setdefault(loc, value) != value:
            raise EvidenceError(f"{execution.loc_names[loc]} cannot start with two values")
    same = ("thread", "op", "loc", "order", "init_value", "read_value", "written_value", "tag", "dependencies")
    if any(getattr(execution, name) is not getattr(chosen, name) for name in same):
        raise EvidenceError("the writers were chosen for another history")


def verify_refusal(execution: Execution, model: Model, refusal: Refusal) -> None:
    """Each lemma is proved, and together they leave no choice to the reads."""
    from pysat.solvers import Minisat22  # not the solver that found them

    for lemma in refusal.lemmas:
        look()
        _verify_lemma(execution, model, lemma)
    variables: dict[Choice, int] = {}
    with Minisat22() as solver:
        for row in refusal.reads:
            if not is_open(execution, row):
                raise EvidenceError(f"{execution.name(row)} is no open read")
            offers = [(row, writer) for writer in _offered(execution, row)]
            solver.add_clause([variables.setdefault(choice, len(variables) + 1) for choice in offers])
        for lemma in refusal.lemmas:
            solver.add_clause([-variables.setdefault(choice, len(variables) + 1) for choice in lemma.choices])
        if solver.solve():
            raise EvidenceError("the lemmas leave a choice of writers")


def _verify_lemma(execution: Execution, model: Model, lemma: Lemma) -> None:
    if lemma.proof is None and lemma.core is None:
        return _verify_starts(execution, lemma)
    for row, writer in lemma.choices:
        if not is_open(execution, row) or not _may_read(execution, row, writer):
            raise EvidenceError(f"{execution.name(row)} cannot read what a lemma supposes")
    chosen = with_choices(execution, lemma)
    mentioned = set(lemma.proof.events()) if lemma.proof is not None else set()
    mentioned |= set(lemma.core.rows) if lemma.core is not None else set()
    if any(is_open(chosen, ref) for ref in mentioned):
        raise EvidenceError("a lemma rests on a read that it supposes nothing of")
    axioms = {axiom.name: axiom for axiom in model.file.axioms}
    whole = lemma.proof is not None and not axioms[lemma.proof.axiom].restrictable
    if whole and any(is_open(chosen, row) for row in range(len(chosen))):
        raise EvidenceError("an axiom that needs the whole history is broken in a part")
    verify(chosen, model, "inconsistent", None, lemma.proof, lemma.core)


def _verify_starts(execution: Execution, lemma: Lemma) -> None:
    """Two reads of one start that read different values."""
    rows = [row for row, writer in lemma.choices if writer == INITIAL and is_open(execution, row)]
    values = {_value(execution, row) for row in rows} - {NO_VALUE}
    locs = {int(execution.loc[row]) for row in rows}
    unknown = len(locs) == 1 and execution.init_value[min(locs)] == NO_VALUE
    if len(lemma.choices) != 2 or len(rows) != 2 or len(values) != 2 or not unknown:
        raise EvidenceError("a lemma without a proof")


def _value(execution: Execution, row: int) -> int:
    return NO_VALUE if execution.read_value is None else int(execution.read_value[row])


def _offered(execution: Execution, row: int) -> list[int]:
    return [writer for writer in range(INITIAL, len(execution)) if _may_read(execution, row, writer)]


def _may_read(execution: Execution, row: int, writer: int) -> bool:
    value, loc = _value(execution, row), int(execution.loc[row])
    if writer == INITIAL:
        start = int(execution.init_value[loc])
        return value in (NO_VALUE, start) or (start == NO_VALUE and _may_start(execution, loc, value))
    if not execution.writes(writer) or int(execution.loc[writer]) != loc or writer == row:
        return False
    return value == NO_VALUE or (execution.written_value is not None and int(execution.written_value[writer]) == value)


def _may_start(execution: Execution, loc: int, value: int) -> bool:
    """Whether no read that is known to read the start of the location has read another value."""
    shown = {
        _value(execution, row)
        for row in (execution.loc == loc).nonzero()[0].tolist()
        if execution.reads(row) and int(execution.rf[row]) == INITIAL
    }
    return shown <= {value, NO_VALUE}
