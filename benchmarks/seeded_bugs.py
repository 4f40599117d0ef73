"""Thirty seeded bugs, as a person would make them: a line of a correct program is changed, and `porf explore` is asked
what is wrong.

Each row has the events of the counterexample that is shown, and of the smallest one that there is: the lightest of
*all* executions with a bug, which are explored without a limit and without leaving out symmetric ones. `beyond` is the
CPU time of the search for a light execution, of what is said of it and of the repair. A repair is *right* if the source
is safe when it is changed as the repair says, line by line; for a mistake of logic, if it says that no order helps.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from pathlib import Path

import porf
from porf._core import BugReport, Unique
from porf.exploration.lighter import identity
from porf.exploration.repair import Repair
from porf.exploration.request import request_of
from porf.exploration.run import Plan, run
from porf.models.registry import find_model
from porf.programs.form import Program
from porf.synthesis.repairs import repairs

HERE = Path(__file__).parent
ACQ, REL, BOTH, RLX, SC = (f"memory_order_{word}" for word in ("acquire", "release", "acq_rel", "relaxed", "seq_cst"))
TWO = {"N": 2}
MS = {"BOTH": 2}
NO_ORDER = "no order helps"

# The program, its parameters, and the text of the mistake: what stands there, and what is written instead.
BUGS: tuple[tuple[str, dict[str, int], str, str], ...] = (
    ("programs/ttas-lock.c", TWO, f"exchange_explicit(&word, 1, {ACQ})", f"exchange_explicit(&word, 1, {RLX})"),
    ("programs/ttas-lock.c", TWO, f"&word, 0, {REL}", f"&word, 0, {RLX}"),
    ("programs/spinlock.c", TWO, f"&word, 0, {REL}", f"&word, 0, {RLX}"),
    ("programs/spinlock.c", TWO, f"&word, &expected, 1, {ACQ}", f"&word, &expected, 1, {RLX}"),
    ("programs/ticket-mutex.c", TWO, f"&now_serving, {ACQ}", f"&now_serving, {RLX}"),
    ("programs/ticket-mutex.c", TWO, f"ticket + 1, {REL}", f"ticket + 1, {RLX}"),
    ("programs/mcs-lock.c", TWO, f"&mine->waits, {ACQ}", f"&mine->waits, {RLX}"),
    ("programs/mcs-lock.c", TWO, f"&after->waits, 0, {REL}", f"&after->waits, 0, {RLX}"),
    ("programs/clh.c", TWO, f"&before[me]->busy, {ACQ}", f"&before[me]->busy, {RLX}"),
    ("programs/mutex.c", TWO, f"FREE, {REL}", f"FREE, {RLX}"),
    ("programs/linux-rwlocks.c", TWO, f"&left, ALL, {REL}", f"&left, ALL, {RLX}"),
    ("programs/treiber-stack.c", MS, f"&mine->next, mine, {BOTH}", f"&mine->next, mine, {RLX}"),
    ("programs/ms-queue.c", MS, f"from, to, {BOTH}", f"from, to, {RLX}"),
    ("programs/chase-lev.c", TWO, f"FENCE() atomic_thread_fence({SC})", f"FENCE() atomic_thread_fence({BOTH})"),
    ("programs/barrier.c", TWO, f"&step, 1, {BOTH}", f"&step, 1, {RLX}"),
    ("seeded/publish.c", {}, f"made, {REL}", f"made, {RLX}"),
    ("seeded/publish.c", {}, f"&published, {ACQ}", f"&published, {RLX}"),
    ("seeded/fences.c", {}, f"  atomic_thread_fence({REL});", ""),
    ("seeded/fences.c", {}, f"  atomic_thread_fence({ACQ});", ""),
    ("seeded/once.c", {}, f"&ready, {ACQ}", f"&ready, {RLX}"),
    ("seeded/once.c", {}, f"&ready, 1, {REL}", f"&ready, 1, {RLX}"),
    ("seeded/hazard.c", {}, f"p, {RLX});\n  atomic_thread_fence({SC});", f"p, {RLX});\n"),
    ("seeded/rcu.c", {}, f"1, {RLX});\n  atomic_thread_fence({SC});", f"1, {RLX});\n"),
    ("seeded/rcu.c", {}, f"&inside, 0, {REL}", f"&inside, 0, {RLX}"),
    ("seeded/refcount.c", {}, f"1, {BOTH}", f"1, {REL}"),
    ("seeded/refcount.c", {}, f"1, {BOTH}", f"1, {RLX}"),
    ("seeded/accounts.c", {}, "lock(&first);\n  pthread_mutex_lock(&second);\n  b",
     "lock(&second);\n  pthread_mutex_lock(&first);\n  b"),
    ("seeded/ring.c", {}, f"&tail, {ACQ}", f"&tail, {RLX}"),
    ("seeded/seqlock.c", {}, f"  atomic_thread_fence({ACQ});", ""),
    ("seeded/seqlock.c", {}, f"  atomic_thread_fence({REL});", ""),
)  # fmt: skip


def changed(text: str, repair: Repair) -> str:
    """The source with a repair, as its lines say."""
    lines = text.splitlines(keepends=True)
    for change in sorted(repair.changes, key=lambda c: (c.line, c.column), reverse=True):
        at = change.line - 1
        if not change.before:
            lines[at] = f"{change.after}; {lines[at]}"
            continue
        failure = change.before.startswith("failure ")
        before = change.before.removeprefix("failure ")
        if before not in lines[at]:  # what is written there is a macro
            at = next(n for n, line in enumerate(lines) if line.startswith("#define") and before in line)
        start = lines[at].rindex(before) if failure else lines[at].index(before)
        lines[at] = lines[at][:start] + change.after + lines[at][start + len(before) :]
    return "".join(lines)


def loaded(file: Path, defines: dict[str, int]) -> Program:
    program = porf.load_program(str(file), defines=defines)
    assert isinstance(program, Program)
    return program


def smallest(program: Program, model: str, shown: BugReport) -> int:
    """The events of the lightest execution with the same bug, among all executions."""
    request = request_of(
        program,
        find_model(model),
        keep_going=True,
        lightest=True,
        symmetry=False,
        commuting=False,
        stop_at_cut=False,
        guess_woken=False,
        guess_unique=Unique.NONE,
    )
    found = run(request, Plan(keep_going=True, bytes=1 << 31))
    assert not found.remaining
    same = [bug for bug in found.findings.bugs if identity(bug) == identity(shown)]
    return min(report.weight.events for report in same)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="cpp20")
    parser.add_argument("--why", action="store_true", help="print what is said of each bug, too")
    options = parser.parse_args()
    right, small, slowest, worst = 0, 0, 0.0, 0.0
    print(f"{'program':16} {'bug':18} {'events':>6} {'least':>5} {'beyond':>6}  repair")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copy(HERE / "programs/common.h", folder)
        for path, defines, old, new in BUGS:
            text = (HERE / path).read_text()
            assert old in text, f"{path} has no {old!r}"
            file = folder / Path(path).name
            file.write_text(text.replace(old, new, 1))
            program = loaded(file, defines)
            started = time.process_time()
            porf.explore(program, options.model, first=True)
            first = time.process_time()
            found = porf.explore(program, options.model)
            assert found.bugs, f"{path}: {old!r} -> {new!r} is no bug"
            repair = repairs(program, options.model, found)
            beyond = max(0.0, (time.process_time() - first) - (first - started))
            bug = found.bugs[0]
            assert bug.report is not None
            least, shown = smallest(program, options.model, bug.report), bug.report.weight.events
            if repair.changes:
                file.write_text(changed(file.read_text(), repair))
                good = porf.explore(loaded(file, defines), options.model).verdict == "safe"
            else:
                good = path.endswith("accounts.c") and repair.why.startswith(NO_ORDER)
            right += good
            small += shown <= 1.2 * least
            slowest, worst = max(slowest, beyond), max(worst, shown / least)
            said = "; ".join(f"{c.line}: {c.before or '+'} -> {c.after}" for c in repair.changes) or repair.why
            mark = "right" if good else "WRONG"
            print(f"{file.stem:16} {bug.kind:18} {shown:6} {least:5} {beyond:6.2f}  {mark}: {said}", flush=True)
            if options.why and bug.why is not None:
                print(*(f"      {line}" for line in bug.why.words), sep="\n")
    print(
        f"{small} of {len(BUGS)} at most 1.2 times the smallest (worst {worst:.2f}), {right} repaired, "
        f"at most {slowest:.2f} s beyond"
    )


if __name__ == "__main__":
    main()
