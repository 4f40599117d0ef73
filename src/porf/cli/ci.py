"""`porf ci`: the annotated sources of folders, explored and compared with what they expect."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from porf.cli.output import Output
from porf.cli.parser import add_memory, add_output, add_reports, add_seconds, allowed, memory_bytes, positive
from porf.errors import PorfError, UsageError, check_options
from porf.record import replace
from porf.result import Exit

if TYPE_CHECKING:
    from porf.annotated.annotation import Annotation
    from porf.annotated.checked import Checked

DESCRIPTION = """Explores the sources of folders that carry an annotation, and prints a table of what is not as it says.
An annotation is a comment alone in a line: // porf: model=rc11,sc expect=unsafe:data-race unroll=3 -DN=2 in C, C++ and
litmus tests, # porf: … in Python, (* porf: … *) in litmus tests; several lines are several explorations. See
docs/ci.md. Exit codes: 0 all as expected, 1 something is not, 2 wrong input, 3 undecided."""


def add_arguments(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("targets", nargs="+", metavar="FOLDER", help="folders, or sources: C, C++, Python, litmus tests")
    said = "explore N sources at once, each in a process of its own"
    verb.add_argument("--jobs", "-j", type=positive(int), default=1, metavar="N", help=said)
    said = "that no source has an annotation is no error: for hooks, which give the files of a change"
    verb.add_argument("--if-any", action="store_true", help=said)
    add_seconds(verb, "give up on an exploration after S seconds, unless its annotation says: undecided")
    add_memory(verb)
    add_output(verb)
    add_reports(verb)


def run(options: argparse.Namespace, out: Output) -> None:
    from porf.annotated.folder import annotated
    from porf.exploration.together import together

    check_options(jobs=options.jobs)
    todo: list[Annotation] = []
    for found in annotated(options.targets, needed=not options.if_any):
        if isinstance(found, PorfError):
            out.fail(found)
        else:
            todo.append(found)
    if not todo:
        return

    def work(at: int) -> list[Checked | PorfError]:
        return _explored(options, todo[at])

    names = [f"{one.file}:{one.line}" for one in todo]
    answers = together(names, work, options.jobs, out.progress.tests)
    rows: list[tuple[str, ...]] = []
    count = 0
    try:
        for _ in out.each(names):
            answer = next(answers)
            for one in [answer] if isinstance(answer, PorfError) else answer:
                if isinstance(one, PorfError):
                    out.fail(one)
                elif options.json:
                    out.show(one)
                else:
                    count += 1
                    out.keep(one)
                    rows += [one.row] if one.exit_code != Exit.HOLDS else []
    except KeyboardInterrupt:
        out.interrupt()
    finally:
        answers.close()
    if rows:
        out.tell(_table(rows))
    if count and not options.summary:
        out.say(f"{count} exploration{'' if count == 1 else 's'}, {len(rows)} not as expected")


def _explored(options: argparse.Namespace, one: Annotation) -> list[Checked | PorfError]:
    """All programs of an annotated source under all models."""
    from porf.allowance import most_of_memory
    from porf.annotated.checked import checked
    from porf.exploration import explore
    from porf.exploration.replay import command_of
    from porf.programs.form import Program
    from porf.programs.read import Settings, read_programs

    seconds = one.seconds or options.seconds
    target = f"{one.file}:{one.program}" if one.program else one.file
    settings = Settings(one.macros, one.parts, one.nondet, one.volatile, one.allow, "sandbox" in one.flags)
    allowance = allowed(target, seconds, memory_bytes(options))
    try:
        with allowance:
            programs = read_programs(target, settings)
    except PorfError as error:
        return [_placed(error, one)]
    again = ["--unroll", str(one.unroll)] if one.unroll else []
    again += [f"--{flag}" for flag in ("liveness", "leaks", "no-spurious") if flag in one.flags]
    found: list[Checked | PorfError] = []
    for program in programs:
        for model in one.models:
            try:
                with allowance.without_ticks():
                    explored = explore(
                        program,
                        model,
                        unroll=one.unroll,
                        limit=one.limit,
                        seconds=seconds,
                        memory=(memory_bytes(options) or most_of_memory()) // options.jobs,
                        liveness="liveness" in one.flags,
                        leaks="leaks" in one.flags,
                        spurious="no-spurious" not in one.flags,
                        keep_going=":" in one.expect,
                    )
                call = (program if isinstance(program, Program) else program.program).call
                found.append(checked(one, replace(explored, again=command_of(call, model, again))))
            except PorfError as error:
                found.append(_placed(error, one))
            finally:
                allowance = allowed(target, seconds, memory_bytes(options))
    return found


def _placed(error: PorfError, one: Annotation) -> PorfError:
    """An error of a call is one of the annotation that asks for it."""
    if error.source is None and isinstance(error, UsageError):
        error.source, error.line = one.file, one.line
    return error


def _table(rows: Sequence[tuple[str, ...]]) -> str:
    lines = [("annotation", "program", "model", "expected", "found"), *rows]
    widths = [max(len(row[n]) for row in lines) for n in range(len(lines[0]))]
    return "\n".join("  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in lines)
