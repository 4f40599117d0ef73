"""The verbs of the command line. Each reads its arguments, calls the library and prints; no logic of its own."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from io import TextIOWrapper
from shlex import quote
from typing import TYPE_CHECKING, NoReturn

# porf does no linear algebra; numpy starts in half the time when it need not prepare threads for any.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from porf.cli_explore import for_compiler
from porf.cli_models import add_compare, add_model_options, asks_more, run_models
from porf.errors import EvidenceError, PorfError, UsageError, nearest

if TYPE_CHECKING:
    from porf.checking.verdict import Verdict
    from porf.execution import Execution
    from porf.models import Model

    _Verbs = argparse._SubParsersAction["_Parser"]

EXIT_HOLDS, EXIT_FAILS, EXIT_WRONG_INPUT, EXIT_UNDECIDED = 0, 1, 2, 3
EXIT_BUG = 70  # "internal software error", as mailers have it: a bug must not read as a verdict
EXIT_INTERRUPTED, EXIT_BROKEN_PIPE = 130, 141  # 128 and the signal, as shells have it


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one verb; returns 0 it holds, 1 it does not, 2 wrong input or call, 3 undecided."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # A terminal that lacks a letter shows its code: a traceback's exit code would read as a verdict.
            stream.reconfigure(errors="backslashreplace")
    own, compiler = for_compiler(sys.argv[1:] if arguments is None else arguments)
    options = _parser().parse_args(own)
    options.compiler = compiler
    try:
        run: Callable[[argparse.Namespace], int] = options.run
        return run(options)
    except EvidenceError as error:
        return _confess(f"evidence does not verify: {error.message}")
    except PorfError as error:
        complain(error)
        return EXIT_WRONG_INPUT
    except MemoryError:  # left alone, it would end with the exit code of inconsistent
        print("error: out of memory\n  hint: --memory MIB gives up in time; npz is the smallest form", file=sys.stderr)
        return EXIT_UNDECIDED
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # Whoever read us has gone, and may not have seen the verdict: no exit code of a verdict is right.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_BROKEN_PIPE
    except OSError as error:  # files are opened with care elsewhere: this is the output, on a full disk
        print(f"error: cannot write: {error.strerror or error}", file=sys.stderr)
        return EXIT_WRONG_INPUT
    except Exception as error:
        return _confess(f"{type(error).__name__}: {error}")


def _confess(what: str) -> int:
    """A mistake of ours, with what is needed to see it again."""
    command = " ".join(["porf", *map(quote, sys.argv[1:])])
    print(f"error: this is a bug in porf: {what}\n  to see it again: {command}", file=sys.stderr)
    return EXIT_BUG


def complain(error: PorfError) -> None:
    print(f"error: {error}", file=sys.stderr)


class _Parser(argparse.ArgumentParser):
    def error(self, message: str, hint: str | None = None) -> NoReturn:
        print(f"error: {message}\n  hint: {hint or f'{self.prog} --help'}", file=sys.stderr)
        raise SystemExit(EXIT_WRONG_INPUT)

    def _check_value(self, action: argparse.Action, value: object) -> None:
        """argparse lists what could be chosen; people also want to know what they nearly wrote."""
        if action.choices is None or value in action.choices:
            return
        known = [str(choice) for choice in action.choices]
        what = (action.option_strings or [str(action.metavar)])[0].lstrip("-").lower()
        self.error(f"unknown {what} '{value}'", nearest(str(value), known) or "one of " + ", ".join(known))


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="porf",
        description="Does this execution satisfy this memory model, and what is the evidence?",
        epilog="Exit codes: 0 it holds, 1 it does not, 2 the input or the call is wrong, 3 undecided.",
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version")
    verbs = parser.add_subparsers(required=True, metavar="VERB", parser_class=_Parser)
    _add_check(verbs)
    _add_show(verbs)
    _add_convert(verbs)
    _add_models(verbs)
    _add_explore(verbs)
    _add_prove(verbs)
    add_compare(verbs, positive)
    _add_generate(verbs)
    _add_stress(verbs)
    return parser


class _Version(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        import porf

        print(f"porf {porf.__version__}")
        parser.exit()


def _add_input(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("--format", choices=("text", "jsonl", "npz"), help="of the input; else by its name or content")


def _add_budget(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("--algorithm", default="auto", help="auto (the default), or one of those that porf models lists")
    verb.add_argument("--seconds", type=positive(float), help="give up after so long: undecided, exit 3")
    verb.add_argument("--steps", type=positive(int), help="give up after so many steps")
    verb.add_argument("--memory", type=positive(int), metavar="MIB", help="give up rather than hold more than this")


def positive(kind: Callable[[str], float]) -> Callable[[str], float]:
    def parse(text: str) -> float:
        try:
            value = kind(text)
        except ValueError:
            value = 0
        if not 0 < value < float("inf"):
            whole = "whole " if kind is int else ""
            raise argparse.ArgumentTypeError(f"'{text}' is not a positive {whole}number")
        return value

    return parse


def _add_check(verbs: _Verbs) -> None:
    verb = verbs.add_parser("check", help="does a history satisfy a model?", description=_CHECK)
    verb.add_argument(
        "files", nargs="+", metavar="FILE", help="histories: text, JSON Lines or npz; - is standard input"
    )
    verb.add_argument("--model", "-m", required=True, metavar="M[,M…]", help="names (see porf models) or model files")
    verb.add_argument("--json", action="store_true", help="one JSON object a line")
    verb.add_argument("--verify", action="store_true", help="check the evidence independently before printing")
    verb.add_argument("--follow", action="store_true", help="check events as they come; stop at the first that breaks")
    _add_budget(verb)
    _add_input(verb)
    verb.set_defaults(run=_check)


_CHECK = """Checks recorded executions against memory models. Prints the verdict and its evidence: a modification
order for consistent, a cycle with the reason of every inferred edge for inconsistent."""


def _check(options: argparse.Namespace) -> int:
    from porf.models import MODELS, find_model

    names = [name for name in options.model.split(",") if name]
    if not names:
        raise UsageError("no model is named", hint="--model ra, or --model sc,tso,ra")
    models = [find_model(name) for name in names]
    if options.follow:
        return _follow(options, names)
    for model in models:
        if MODELS.get(model.name) is not model:
            _ = model.file  # a user's file is read before any history is
    from porf.formats import load

    codes = []
    progress = Progress()
    for file in options.files:
        # One bad file does not lose the others' verdicts, nor one model the others' on a file.
        try:
            execution = load(file, options.format)
        except PorfError as error:
            complain(error)
            codes.append(EXIT_WRONG_INPUT)
            continue
        for model in models:
            try:
                verdict = _verdict(execution, model, options, progress, verify=options.verify)
                codes.append(_report(verdict, options.json))
            except PorfError as error:
                complain(error)
                codes.append(EXIT_WRONG_INPUT)
            if progress.interrupted:
                return worst(codes)
    return worst(codes)


def _verdict(
    execution: Execution,
    model: str | Model,
    options: argparse.Namespace,
    progress: Progress,
    verify: bool = False,
) -> Verdict:
    from porf.checking import check

    return check(
        execution,
        model,
        algorithm=options.algorithm,
        seconds=options.seconds,
        steps=options.steps,
        memory=options.memory and options.memory << 20,
        progress=progress,
        verify=verify,
    )


def worst(codes: list[int]) -> int:
    """Wrong input before inconsistent before undecided."""
    for code in (EXIT_WRONG_INPUT, EXIT_FAILS, EXIT_UNDECIDED):
        if code in codes:
            return code
    return EXIT_HOLDS


def _report(verdict: Verdict, as_json: bool) -> int:
    if as_json:
        print(json.dumps(verdict.record(), ensure_ascii=False), flush=True)
    else:
        print(verdict.report(), flush=True)
    return _code(verdict)


def _code(verdict: Verdict) -> int:
    return {"consistent": EXIT_HOLDS, "inconsistent": EXIT_FAILS}.get(verdict.answer, EXIT_UNDECIDED)


def _follow(options: argparse.Namespace, names: list[str]) -> int:
    from porf.checking.follow import follow
    from porf.formats import format_of_name, open_lines

    if len(names) > 1 or len(options.files) > 1:
        raise UsageError("--follow takes one stream and one model", hint="run it once for each")
    if (options.format or format_of_name(options.files[0])) == "npz":
        raise UsageError("npz cannot be followed: it has no lines", hint="porf convert makes text or JSON Lines of it")
    if options.algorithm != "auto" or options.seconds or options.steps or options.memory:
        raise UsageError("--follow has its own algorithm and needs no budget", hint="each event takes a small step")
    source = options.files[0]
    with open_lines(source) as lines:
        verdict, event = follow(lines, names[0], "<stdin>" if source == "-" else source)
    if options.verify:
        verdict.verify()
    if event is not None and not options.json:
        print(f"{verdict.execution.source}:{event.line}: {verdict.execution.name(event.row)} breaks {names[0]}")
    return _report(verdict, options.json)


class Progress:
    """Steps so far on a terminal's last line, nothing where nobody watches; and whether Ctrl-C ended the work.

    The core sets `interrupted` instead of raising, so that the verdict can say how far it got.
    """

    def __init__(self, unit: str = "steps") -> None:
        self.interrupted = False
        self._unit = unit
        self._watched = sys.stderr.isatty()
        self._started = time.monotonic()

    def __call__(self, steps: int) -> None:
        seconds = time.monotonic() - self._started
        if self._watched and seconds > 1:
            print(f"\r{steps} {self._unit}, {seconds:.0f} s \x1b[K\r", end="", file=sys.stderr, flush=True)


def _add_show(verbs: _Verbs) -> None:
    verb = verbs.add_parser("show", help="draw a history and the evidence", description=_SHOW)
    verb.add_argument("file", metavar="FILE")
    verb.add_argument("--model", "-m", metavar="M", help="draw the evidence of this model's verdict")
    verb.add_argument("--output", "-o", metavar="OUT.svg", help="where to write; standard output if not said")
    verb.add_argument("--limit", type=positive(int), default=60, help="most events to draw without evidence")
    _add_budget(verb)
    _add_input(verb)
    verb.set_defaults(run=_show)


_SHOW = """Draws threads as columns and events as rows, with po, rf, mo and fr, as an SVG picture. With a model, the
violating cycle is highlighted, or the modification order that makes the history consistent is drawn."""


def _show(options: argparse.Namespace) -> int:
    from porf.evidence.svg import draw
    from porf.formats import load, write_text

    execution = load(options.file, options.format)
    if options.model is None:
        write_text(options.output, draw(execution, title=options.file, limit=options.limit))
        return EXIT_HOLDS
    if "," in options.model:
        raise UsageError("show draws the evidence of one model", hint=f"--model {options.model.split(',')[0]}")
    verdict = _verdict(execution, options.model, options, Progress())
    write_text(options.output, verdict.draw(limit=options.limit))
    if options.output not in (None, "-"):
        print(f"{options.file}: {verdict.headline()}; drawn in {options.output}")
    return _code(verdict)


def _add_convert(verbs: _Verbs) -> None:
    verb = verbs.add_parser("convert", help="between text, JSON Lines and npz, loss-free; also to C litmus")
    verb.add_argument("input", metavar="IN")
    verb.add_argument("output", metavar="OUT", help="its name says the format; - is standard output")
    verb.add_argument("--to", choices=("text", "jsonl", "npz", "litmus"), help="of the output; else by its name")
    _add_input(verb)
    verb.set_defaults(run=_convert)


def _convert(options: argparse.Namespace) -> int:
    from porf.formats import load, save

    save(load(options.input, options.format), options.output, options.to)
    return EXIT_HOLDS


def _add_models(verbs: _Verbs) -> None:
    verb = verbs.add_parser("models", help="the models: what decides each, at what cost, and from where")
    verb.add_argument("name", nargs="?", metavar="M", help="print this model's file")
    verb.add_argument("--json", action="store_true", help="one JSON object a line")
    add_model_options(verb, positive)
    verb.set_defaults(run=_models)


def _models(options: argparse.Namespace) -> int:
    if asks_more(options):
        return run_models(options)
    from porf.models import find_model
    from porf.models.table import model_records, model_table

    if options.json:
        for record in model_records(options.name):
            print(json.dumps(record, ensure_ascii=False))
    elif options.name is not None:
        print(find_model(options.name).text, end="")
    else:
        from porf.checking.choose import algorithm_table

        print(model_table(), algorithm_table(), sep="\n\n")
    return EXIT_HOLDS


def _add_explore(verbs: _Verbs) -> None:
    from porf.cli_explore import DESCRIPTION, add_arguments

    verb = verbs.add_parser("explore", help="every execution of a program, and its bugs", description=DESCRIPTION)
    add_arguments(verb, positive)


def _add_prove(verbs: _Verbs) -> None:
    from porf.cli_prove import add_arguments

    add_arguments(verbs.add_parser("prove", help="is a statement about all executions true?", description=_PROVE))


_PROVE = """Proves or refutes the assertions of a kat file: inclusions between relations, on every execution that
satisfies the base theory and the file's assumptions. A statement that fails is shown with a counterexample: a path,
and an execution that has it, as a history and as a C litmus test. Exit codes: 0 all hold, 1 some fail, 2 the file is
wrong, 3 some are unknown."""


def _add_generate(verbs: _Verbs) -> None:
    from porf.cli_generate import add_arguments

    verb = verbs.add_parser("generate", help="make executions to test with", description=_GENERATE)
    add_arguments(verb)
    verb.set_defaults(run=_generate)


_GENERATE = """Makes executions: a random interleaving (sequentially consistent), a weak one (consistent under
release-acquire, with stale reads), a broken one (one rf edge of a history changed), a run of a cache-coherence
protocol, a graph as a history that is inconsistent iff the graph has a triangle, or a formula as a history that is
consistent iff the formula is satisfiable. The seed makes each reproducible."""


def _generate(options: argparse.Namespace) -> int:
    from porf.formats import save

    save(options.make(options), options.output, options.to)
    return EXIT_HOLDS


def _add_stress(verbs: _Verbs) -> None:
    from porf.cli_stress import add_arguments

    add_arguments(verbs.add_parser("stress", help="test this machine's own cores", description=_STRESS))


_STRESS = """Runs random programs on the cores of this machine, and checks what their reads saw. Threads, each on a core
of its own, read and write a few locations; the values tell which write was read. A model is checked until its first
violation, which is printed with its cycle. Exit codes: 1 a model is violated (sc is, on nearly every machine), 0 none
was, 3 a round was undecided."""
