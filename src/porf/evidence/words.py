"""A violation in words, for people: the cycle edge by edge, then the reason for each inferred edge."""

from porf.evidence.data import Core, Edge, Proof, Witness
from porf.evidence.derived import Derived
from porf.evidence.layout import shorten
from porf.evidence.reasons import INITIAL_FIRST, Cite, Frame, claim, ground, is_split, marked, needed, reason, shape
from porf.execution import UNKNOWN, Execution, Int32
from porf.record import Record
from porf.said import natural_order

DEEPEST = 6  # further cases are not indented further
LONGEST_REMARK = 100
LONGEST_CYCLE = 60  # edges shown before the middle of a cycle is counted instead


def explain(execution: Execution, proof: Proof, model_name: str, limit: int = 40) -> str:
    """The verdict, its cycle and up to `limit` reasons; steps that the cycle does not need are left out."""
    root = Frame(proof)
    lines = _outline(execution, root)
    reasons = [line.frame for line in lines if line.opens]
    number = {frame: at for at, frame in enumerate(reasons[:limit], 1)}

    def cite(frame: Frame) -> str:
        return f" [{number[frame]}]" if frame in number else " […]"

    derived = Derived(execution, proof)
    out = [f"this {shape(proof)} breaks the axiom {proof.axiom} of {model_name}:", ""]
    out += _cycle_table(execution, root, cite, derived)
    if lines or derived.all:
        out.append("")
    out += _derivations(derived, limit)
    for line in lines:
        if line.opens and line.frame not in number:
            break
        out.append(_sentence(execution, line, number, cite))
    left = len(reasons) - len(number)
    if left:
        out.append(f"  … and {left} more step{'s' if left > 1 else ''} (see --json)")
    return "\n".join(out)


def describe_witness(execution: Execution, witness: Witness, limit: int = 12) -> str:
    """The modification order, one line per location, for as many locations and writes as a person will read."""
    written = [loc for loc in range(execution.locations) if len(witness.of(loc))]
    out = [] if witness.interleaving is None else [_interleaving(execution, witness.interleaving, limit)]
    for loc in natural_order(execution.loc_names, written)[:limit]:
        rows = witness.of(loc)
        names = [execution.name(int(row)) for row in rows[:limit]]
        more = f" < … {len(rows) - limit} more" if len(rows) > limit else ""
        out.append(f"mo {execution.loc_names[loc]}: {' < '.join(names)}{more}")
    if len(written) > limit:
        out.append(f"… and {len(written) - limit} more locations (see --json)")
    return "\n".join(out)


def _interleaving(execution: Execution, rows: Int32, limit: int) -> str:
    if bool((rows[1:] > rows[:-1]).all()):
        return "the rows are a sequential interleaving"
    names = " ".join(execution.name(int(row)) for row in rows[:limit])
    more = f" … {len(rows) - limit} more" if len(rows) > limit else ""
    return f"a sequential interleaving: {names}{more}"


def describe_core(execution: Execution, core: Core, limit: int = 60) -> str:
    """The minimal part, one line per event, and what its reads force."""
    out = [f"these {len(core.rows)} events are inconsistent by themselves{_no_part(core)}:", ""]
    rows = [(*_event(execution, row), _source(execution, row)) for row in core.rows[:limit]]
    widths = [max(len(row[column]) for row in rows) for column in range(2)]
    out += [f"  {name.ljust(widths[0])}  {what.ljust(widths[1])}  {source}".rstrip() for name, what, source in rows]
    if len(core.rows) > limit:
        out.append(f"  … and {len(core.rows) - limit} more (see --json)")
    if core.forced:
        pairs = [f"{execution.name(a)} < {execution.name(b)}" for a, b in core.forced[:limit]]
        out += ["", "forced in mo: " + ", ".join(pairs) + (" …" if len(core.forced) > limit else "")]
    return "\n".join(out)


def _no_part(core: Core) -> str:
    return ", and no part of them is" if core.minimal else ""


def _source(execution: Execution, row: int) -> str:
    known = execution.reads(row) and execution.rf[row] != UNKNOWN
    return f"reads {execution.name(execution.writer(row))}" if known else ""


class _Line(Record):
    frame: Frame  # the refutation of the step that the line is about
    depth: int
    opens: bool  # the step's own line; otherwise the line that closes its case


def _outline(execution: Execution, root: Frame) -> list[_Line]:
    """The steps in the order of telling; those inside a case stand between its first and its last line."""
    steps: dict[Frame, list[Frame]] = {}
    for frame in needed(execution, root):
        if frame.parent is not None:
            steps.setdefault(frame.parent, []).append(frame)
    out: list[_Line] = []
    stack = [_Line(frame, 0, True) for frame in reversed(steps.get(root, []))]
    while stack:
        line = stack.pop()
        out.append(line)
        if line.opens and line.frame in steps:
            stack.append(_Line(line.frame, line.depth + 1, False))
            stack += [_Line(frame, line.depth + 1, True) for frame in reversed(steps[line.frame])]
    return out


def _sentence(execution: Execution, line: _Line, number: dict[Frame, int], cite: Cite) -> str:
    indent = "  " + "    " * min(line.depth, DEEPEST)
    frame, proof = line.frame, line.frame.proof
    if not line.opens:
        return f"{indent}and this {shape(proof)} breaks {proof.axiom}: {marked(execution, frame, proof.cycle, cite)}"
    start = f"{indent}[{number[frame]}] {claim(execution, frame)}"
    if is_split(execution, frame):
        after, before = execution.name(frame.step.after), execution.name(frame.step.before)
        return f"{start}; suppose instead {after} before {before}: then"
    return f"{start}, because {reason(execution, frame, cite)}"


def _derivations(derived: Derived, limit: int) -> list[str]:
    """A line for each inferred edge of the causal criteria, after those that it stands on."""
    out = [f"  [{at + 1}] {derived.sentence(at, _numbered)}" for at in range(min(limit, len(derived.all)))]
    left = len(derived.all) - len(out)
    if left:
        out.append(f"  … and {left} more step{'s' if left > 1 else ''} (see --json)")
    return out


def _numbered(at: int) -> str:
    return f" [{at + 1}]"


def _cycle_table(execution: Execution, root: Frame, cite: Cite, derived: Derived) -> list[str]:
    """One line an edge: the relation, the event it leads to, and what an inferred edge rests on."""
    cycle = root.proof.cycle
    if not cycle:
        return ["  (no single cycle shows it)"]
    cut = LONGEST_CYCLE if len(cycle) > LONGEST_CYCLE else len(cycle)
    shown = [*cycle[: cut - 1], cycle[-1]]
    rows = [("", *_event(execution, cycle[0].source), "")]
    for edge in shown:
        where, what = _event(execution, edge.target)
        at = derived.find(edge)
        basis = _basis(execution, root, edge, cite) if at is None else _numbered(at).strip()
        rows.append((f"-{edge.relation}->", where, what, basis))
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    lines = []
    for row in rows:
        cells = [text.ljust(width) for text, width in zip(row[:3], widths, strict=True)]
        lines.append("  " + "  ".join([*cells, row[3]]).rstrip())
    if cut < len(cycle):
        lines.insert(cut, f"  … {len(cycle) - cut} more edges …")
    return lines


def _event(execution: Execution, ref: int) -> tuple[str, str]:
    if ref < 0:
        return execution.name(ref), execution.describe(ref)
    thread = execution.thread_names[int(execution.thread[ref])]
    remarks = shorten(execution.remarks(ref), LONGEST_REMARK)
    return execution.name(ref), f"{thread} {execution.describe(ref)}{'  ' + remarks if remarks else ''}"


def _basis(execution: Execution, frame: Frame, edge: Edge, cite: Cite) -> str:
    """The note beside an edge of the table."""
    under = ground(execution, frame, edge)
    if edge.relation == "rt" and execution.times is not None:
        return f"{execution.times.ended(edge.source)} is before {execution.times.began(edge.target)}"
    if edge.relation == "mo":
        if under.kind == "step" and under.frame is not None:
            return cite(under.frame).strip()
        return INITIAL_FIRST if under.kind == "initial" else ""
    if under.kind == "initial":
        writer = execution.name(execution.writer(edge.source))
        return f"{execution.name(edge.source)} reads {writer}, and {INITIAL_FIRST}"
    if under.kind == "step" and under.frame is not None:
        writer = execution.name(execution.writer(edge.source))
        source, target = execution.name(edge.source), execution.name(edge.target)
        return f"{source} reads {writer}, which is before {target}{cite(under.frame)}"
    return ""
