"""Chosen writers and starts, or why no choice works: in words, as JSON, and what a picture shows of it."""

from dataclasses import replace
from typing import Any

import numpy as np

from porf.evidence.data import Core, Lemma, Proof, Refusal, Witness
from porf.evidence.record import core_record, cycle_record
from porf.evidence.words import describe_core, explain
from porf.execution import INITIAL, NO_VALUE, UNKNOWN, Execution, Op, initial_write
from porf.said import Written

_MOST = 12  # reads, candidates and lemmas that a person will read
_MOST_IN_A_RECORD = 1000


def with_choices(execution: Execution, lemma: Lemma) -> Execution:
    """The history in which the choices of a lemma are made, and no others."""
    rf = execution.rf.copy()
    for row, writer in lemma.choices:
        rf[row] = writer
    return replace(execution, rf=rf)


def starts(execution: Execution) -> dict[str, Written]:
    """The values that reads have read of starts that nobody knows."""
    if execution.read_value is None or not bool((execution.init_value == NO_VALUE).any()):
        return {}
    first = (execution.rf == INITIAL) & np.isin(execution.op, (int(Op.READ), int(Op.UPDATE)))
    rows = np.flatnonzero(first & (execution.read_value != NO_VALUE))
    out: dict[str, Written] = {}
    for row in rows[execution.init_value[execution.loc[rows]] == NO_VALUE].tolist():
        value = execution.values(row)[0]
        assert value is not None
        out.setdefault(execution.loc_names[int(execution.loc[row])], value)
    return out


def describe_choices(execution: Execution, chosen: Execution) -> str:
    """Whom the open reads read, as far as a person will read it."""
    rows = execution.open_reads.rows.tolist()
    if not rows:
        return ""
    said = [_choice(chosen, row) for row in rows[:_MOST]]
    more = f", … {len(rows) - _MOST} more (see --json)" if len(rows) > _MOST else ""
    return f"with these writers: {', '.join(said)}{more}"


def _choice(chosen: Execution, row: int) -> str:
    if int(chosen.rf[row]) == UNKNOWN:  # an update without an end that nobody reads
        return f"{chosen.name(row)} had no effect"
    return f"{chosen.name(row)} reads {chosen.name(chosen.writer(row))}"


def describe_starts(chosen: Execution) -> str:
    found = starts(chosen)
    said = [f"{name} = {value}" for name, value in list(found.items())[:_MOST]]
    more = f", … {len(found) - _MOST} more (see --json)" if len(found) > _MOST else ""
    return f"and these starts: {', '.join(said)}{more}" if said else ""


def explain_refusal(execution: Execution, refusal: Refusal, model_name: str) -> str:
    """The reads, their candidates, and why each cannot be."""
    number = {lemma: at for at, lemma in enumerate(refusal.lemmas[:_MOST], 1)}
    out = [_headline(refusal, model_name), ""]
    for row in refusal.reads[:_MOST]:
        thread = execution.thread_names[int(execution.thread[row])]
        out.append(f"  {execution.name(row)}  {thread} {execution.describe(row)}  may read")
        writers = execution.open_reads.of_row(row).tolist()
        for writer in writers[:_MOST]:
            against = [lemma for lemma in refusal.lemmas if (row, writer) in lemma.choices]
            marks = " ".join(f"[{number[lemma]}]" for lemma in against if lemma in number) or "[…]"
            out.append(f"    {_writer(execution, row, writer)}: no, {marks}")
        if len(writers) > _MOST:
            out.append(f"    … {len(writers) - _MOST} more")
    if len(refusal.reads) > _MOST:
        out.append(f"  … and {len(refusal.reads) - _MOST} more reads (see --json)")
    for lemma, at in number.items():
        out += ["", f"[{at}] {_supposed(execution, lemma)}"]
        out += [f"    {line}".rstrip() for line in _why(execution, lemma, model_name)]
    if len(refusal.lemmas) > _MOST:
        out += ["", f"… and {len(refusal.lemmas) - _MOST} more (see --json)"]
    return "\n".join(out)


def _headline(refusal: Refusal, model_name: str) -> str:
    if len(refusal.reads) == 1:
        return f"whichever write this read takes, {model_name} does not allow it:"
    return f"whichever writes these {len(refusal.reads)} reads take, {model_name} does not allow it:"


def _writer(execution: Execution, row: int, writer: int) -> str:
    ref = initial_write(int(execution.loc[row])) if writer == INITIAL else writer
    thread = "" if ref < 0 else f"{execution.thread_names[int(execution.thread[ref])]} "
    return f"{execution.name(ref)}  {thread}{execution.describe(ref)}"


def _supposed(execution: Execution, lemma: Lemma) -> str:
    chosen = with_choices(execution, lemma)
    said = [f"{chosen.name(row)} reads {chosen.name(chosen.writer(row))}" for row, _ in lemma.choices]
    shown = ", ".join(said[:_MOST]) + (f", … {len(said) - _MOST} more" if len(said) > _MOST else "")
    return f"if {shown}:" if said else "in any case:"


def _why(execution: Execution, lemma: Lemma, model_name: str) -> list[str]:
    chosen = with_choices(execution, lemma)
    if lemma.proof is not None:
        return explain(chosen, lemma.proof, model_name).splitlines()
    if lemma.core is not None:
        return describe_core(chosen, lemma.core).splitlines()
    return ["they read different values, and a location starts with one"] if len(lemma.choices) == 2 else []


def drawn(execution: Execution, refusal: Refusal) -> tuple[Execution, Proof | None, Witness | None, Core | None]:
    """What a picture shows: the first of the lemmas that has a proof, with its choices made."""
    for lemma in refusal.lemmas:
        if lemma.proof is not None or lemma.core is not None:
            return with_choices(execution, lemma), lemma.proof, None, lemma.core
    return execution, None, None, None


def chosen_record(execution: Execution, chosen: Execution) -> dict[str, Any]:
    """The writers and starts that were chosen, where some were open."""
    out: dict[str, Any] = {}
    rows = execution.open_reads.rows.tolist()
    if rows:
        effective = [row for row in rows if int(chosen.rf[row]) != UNKNOWN]
        out["writers"] = {chosen.name(row): chosen.name(chosen.writer(row)) for row in effective}
    found = starts(chosen)
    if found:
        out["starts"] = found
    return out


def refusal_record(execution: Execution, refusal: Refusal) -> dict[str, Any]:
    """Reads with their candidates, and the lemmas that leave them none."""

    def name(row: int, writer: int) -> str:
        return execution.name(initial_write(int(execution.loc[row])) if writer == INITIAL else writer)

    lemmas = []
    for lemma in refusal.lemmas[:_MOST_IN_A_RECORD]:
        chosen = with_choices(execution, lemma)
        said: dict[str, Any] = {"if": {execution.name(row): name(row, writer) for row, writer in lemma.choices}}
        if lemma.proof is not None:
            said |= {"axiom": lemma.proof.axiom, "cycle": cycle_record(chosen, lemma.proof)}
        elif lemma.core is not None:
            said["core"] = core_record(chosen, lemma.core)
        lemmas.append(said)
    candidates = {
        execution.name(row): [name(row, writer) for writer in execution.open_reads.of_row(row).tolist()]
        for row in refusal.reads[:_MOST_IN_A_RECORD]
    }
    return {"candidates": candidates, "lemmas": lemmas}


def is_open(execution: Execution, ref: int) -> bool:
    """Whether nobody knows whom an event reads."""
    return execution.reads(ref) and int(execution.rf[ref]) == UNKNOWN
