"""A counterexample, checked: the word, the graph on which the statement is false, and the execution if there is one."""

import textwrap

from porf.architectures import ARCHITECTURES
from porf.automata import expression as x
from porf.automata.chase import ContradictionError, completions, graph_of, satisfied
from porf.automata.graph import Graph, pairs
from porf.automata.inclusion import Word
from porf.automata.realize import NoExecutionError, Realized, event_ids, execution, observed, realizations, reordered
from porf.automata.theory import Theory
from porf.events import Event
from porf.execution import DEPENDENCIES, Execution
from porf.record import Record


class Counterexample(Record):
    """`real`: an execution refutes the statement; otherwise `note` says why none was found."""

    word: str
    events: tuple[str, ...]
    steps: tuple[tuple[int, str, int], ...]
    pair: tuple[int, int]  # in the left side and not in the right
    execution: Execution | None
    mo: tuple[tuple[str, ...], ...] = ()  # the ids of the writes of each location
    unobserved: Execution | None = None  # without the threads that only show the modification order
    note: str = ""
    language: str = "c"  # of its litmus test; a machine's by the standard mapping

    @property
    def real(self) -> bool:
        return self.execution is not None

    @property
    def history(self) -> str | None:
        """The execution in the text format, every field spelled out; modification orders as comments."""
        if self.execution is None:
            return None
        of = {event.name: event.location for event in self.execution}
        orders = [(of[line[0]], ", ".join(line)) for line in self.mo if len(line) > 1]
        lines = [f"# modification order of {location}: {line}" for location, line in orders]
        return "\n".join([*lines, *map(_line, self.execution)]) + "\n"

    def litmus(self) -> str | None:
        """The execution as a litmus test."""
        if self.execution is None:
            return None
        from porf.formats.litmus import litmus_test

        # A final value shows which of two writes is the last; with more, only reads can show the order.
        enough = self.unobserved is not None and all(len(line) <= 2 for line in self.mo)
        shown = self.unobserved if enough and self.unobserved is not None else self.execution
        rows = dict(zip(shown.id_names, map(int, shown.id_rows), strict=True))
        mo: list[list[int]] = [[] for _ in shown.loc_names]
        for line in self.mo:
            for name in line:
                mo[int(shown.loc[rows[name]])].append(rows[name])
        return litmus_test(shown, "counterexample", mo, self.language)

    def report(self) -> str:
        lines = [f"counterexample: {self.word}"]
        if self.history is None:
            return f"{lines[0]}\nnote: {self.note}"
        lines += ["an execution that contains it:", textwrap.indent(self.history.rstrip(), "  ")]
        if (litmus := self.litmus()) is not None:
            what = "C litmus test" if self.language == "c" else f"litmus test of {ARCHITECTURES[self.language].title}"
            lines += [f"the same execution as a {what}:", textwrap.indent(litmus.rstrip(), "  ")]
        return "\n".join(lines)

    def record(self) -> dict[str, object]:
        out: dict[str, object] = {
            "word": self.word,
            "events": list(self.events),
            "edges": [{"from": source, "relation": name, "to": target} for source, name, target in self.steps],
            "pair": list(self.pair),
            "execution": self.history,
            "litmus": self.litmus(),
        }
        if self.note:
            out["note"] = self.note
        return out


def refutation(word: Word, left: x.Regular, right: x.Regular, theory: Theory) -> Counterexample:
    """Raises ContradictionError if no graph that satisfies the theory confirms the word."""
    graph, pair = _refuting(word, left, right, theory)
    if any("::" in step.name for step in word.steps):
        real, bare, note = None, None, "its relations are declared in the file, so it is a graph, not an execution"
    else:
        real, bare, note = _real(graph, left, right, theory, word.tracked)
    steps = word.steps
    count = max(1, len(steps)) if word.loop else len(steps) + 1
    return Counterexample(
        word_text(word),
        tuple(event_text(held) for held in word.events[:count]),
        tuple((at, _step_text(step), (at + 1) % count) for at, step in enumerate(steps)),
        pair,
        None if real is None else execution(real),
        () if real is None else tuple(tuple(event_ids(real)[at] for at in line) for line in real.mo),
        None if bare is None else execution(bare),
        note,
    )


def _refuting(word: Word, left: x.Regular, right: x.Regular, theory: Theory) -> tuple[Graph, tuple[int, int]]:
    """A graph that has the word and satisfies the theory, and a pair of the left side that the right side lacks."""
    for choice in (0, -1) if theory.splits else (0,):
        whole = graph_of(word, theory, choice)
        for graph in completions(whole, theory, choice) if theory.total else (whole,):
            pair = refuted(graph, left, right)
            if pair is not None:
                return graph, pair
    raise ContradictionError("the theory puts the word that was found into the right side")


def refuted(graph: Graph, left: x.Regular, right: x.Regular) -> tuple[int, int] | None:
    """A pair of the left side that the right side lacks."""
    missing = zip(graph.evaluate(left), graph.evaluate(right), strict=True)
    found = pairs([one & ~other for one, other in missing])
    return found[0] if found else None


def _real(
    graph: Graph, left: x.Regular, right: x.Regular, theory: Theory, tracked: frozenset[str]
) -> tuple[Realized | None, Realized | None, str]:
    """An execution, the same without observers, and why there is none."""

    def refutes(candidate: Realized) -> bool:
        return refuted(candidate.graph, left, right) is not None and satisfied(candidate.graph, theory)

    note = "no execution was found"
    try:
        for candidate in realizations(graph, tracked):
            if refutes(candidate):
                if not all(map(refutes, reordered(candidate))) and refutes(watched := observed(candidate)):
                    return watched, candidate, ""  # the reads alone say which modification order is meant
                return candidate, candidate, ""
    except NoExecutionError as error:
        note = str(error)
    return None, None, f"{note}: the graph satisfies the theory, but no program has such a graph"


def _line(event: Event) -> str:
    value = "->".join(map(str, event.value)) if isinstance(event.value, tuple) else event.value
    words = [event.thread, event.op, event.location, value, event.order]
    keys = {"rf": event.rf, "id": event.name} | {kind: ",".join(getattr(event, kind)) for kind in DEPENDENCIES}
    fields = [str(word) for word in words if word is not None]
    return " ".join([*fields, *(f"{key}={said}" for key, said in keys.items() if said)])


def word_text(word: Word) -> str:
    """As Kater writes words: tests in brackets between the steps."""
    out = []
    for at, step in enumerate(word.steps):
        if word.events[at]:
            out.append(f"[{event_text(word.events[at])}]")
        out.append(_step_text(step))
    if word.events[-1] and not (word.loop and word.steps):
        out.append(f"[{event_text(word.events[-1])}]")
    return " ; ".join(out) or "id"


def event_text(held: frozenset[str]) -> str:
    """The predicates of an event, without those that others imply."""
    shown = set(held)
    if shown & {"R", "W", "ALLOC", "FREE"}:
        shown.discard("LOC")
    if shown & {"R", "ALLOC"}:
        shown.discard("DEP")
    if "SC" in shown:
        shown -= {"ACQ", "REL"}
    kinds = [name for name in ("R", "W", "F") if name in shown]
    return " ; ".join(kinds + sorted(name.rsplit("::", 1)[-1] for name in shown - set(kinds)))


def _step_text(step: x.Step) -> str:
    return x.text_of(step).rsplit("::", 1)[-1]
