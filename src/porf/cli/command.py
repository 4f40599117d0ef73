"""`porf VERB …`: finds the verb, runs it, and turns whatever happens into an exit code."""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Collection, Sequence
from importlib import import_module
from shlex import quote

# porf does no linear algebra; numpy starts in half the time when it need not prepare threads for any.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from porf.cli import streams
from porf.cli.output import Output
from porf.cli.parser import Parser
from porf.errors import EvidenceError, PorfError, SpentError
from porf.result import Exit

VERBS = {  # each a module here, imported when it is called
    "check": "does a history satisfy a model?",
    "explore": "explore every execution of a program and find its bugs",
    "orders": "find the weakest memory orders that a program needs",
    "robust": "are all executions of a program sequentially consistent?",
    "test": "run a program at random, and find bugs where there is too much to explore",
    "shrink": "make an inconsistent history as small as it can be",
    "ci": "explore the annotated sources of folders, as their annotations say",
    "show": "draw a history and the evidence of a verdict",
    "models": "list the models, what decides each, and how they relate",
    "compare": "which of two models is stronger?",
    "prove": "is a statement true of all executions?",
    "generate": "make histories and litmus tests to test with",
    "stress": "test this machine's own cores",
    "convert": "convert histories between text, JSON Lines and npz, from logs, and to litmus tests of C and machines",
    "completion": "print a completion script for your shell",
}
ALLOCATIONS = 500_000  # before Python looks for garbage; most calls need fewer, and end with all of it


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one verb. Returns 0 if the answer is yes, 1 if it is no, 2 for wrong input or usage, 3 if undecided. Without
    arguments, those of this process are meant, and it ends: nothing needs to be tidied up that goes anyway."""
    if arguments is not None:
        return _main(arguments)
    gc.set_threshold(ALLOCATIONS)
    streams.prepare()
    try:
        code = _main(sys.argv[1:])
    except SystemExit as stop:  # of the parser: help, or a wrong call
        code = stop.code if isinstance(stop.code, int) else Exit.HOLDS
    except OSError as error:  # of help
        code = streams.lost(error)
    os._exit(streams.finish(code))


def _main(arguments: Sequence[str]) -> int:
    streams.show_codes()
    own, compiler = for_compiler(arguments)
    parser = parser_of(own[:1])
    options, unknown = parser.parse_known_args(own or ["--help"])
    if unknown:  # argparse would send people to the help that lists verbs
        parser.error(f"unknown argument '{unknown[0]}'", f"porf {own[0]} --help")
    options.compiler = compiler
    out = Output(*(getattr(options, name, False) for name in ("json", "quiet", "summary", "github")))
    try:
        _hear_the_end()
        try:
            _run(options, out)
        except OSError as error:  # inputs are read with care elsewhere: this is standard output
            out.write()  # the file has what was found, whoever has seen it
            return streams.lost(error)
        return out.close()
    except (KeyboardInterrupt, SpentError) as ended:  # where nobody could say what that leaves undecided
        streams.complain(str(ended) or "interrupted")
        return Exit.UNDECIDED
    except EvidenceError as error:
        return _confess(f"evidence does not verify: {error.message}")
    except MemoryError:  # left alone, it would end with the exit code of inconsistent
        streams.complain(
            "error: out of memory\n  hint: --memory MIB gives up before that; npz is the most compact format"
        )
        return Exit.UNDECIDED
    except PorfError as error:  # the file of the results
        streams.complain(f"error: {error}")
        return Exit.WRONG_INPUT
    except Exception as error:
        return _confess(f"{type(error).__name__}: {error}")


def _hear_the_end() -> None:
    """The end of this process or of its terminal is heard as Ctrl-C is, unless whoever started it asked for silence."""
    import signal

    for name in ("SIGTERM", "SIGHUP"):
        ending = getattr(signal, name, None)
        if ending is not None and signal.getsignal(ending) == signal.SIG_DFL:
            signal.signal(ending, signal.default_int_handler)


def _run(options: argparse.Namespace, out: Output) -> None:
    try:
        for name, suffix in (("output", None), ("sarif", ".sarif"), ("junit", ".xml")):
            out.write_to(getattr(options, name, None), suffix)
        options.run(options, out)
    except EvidenceError:
        raise
    except PorfError as error:
        out.fail(error)
    except KeyboardInterrupt:
        out.interrupt()


def for_compiler(arguments: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """The arguments of a call, and those after -- which are for a compiler. Only verbs for programs have such."""
    if not arguments or arguments[0] not in ("explore", "orders", "robust", "test") or "--" not in arguments:
        return arguments, ()
    at = arguments.index("--")
    return arguments[:at], arguments[at + 1 :]


def parser_of(called: Collection[str] = tuple(VERBS)) -> Parser:
    """The parser, with the options of the verbs that are called: importing only these makes a call start at once."""
    parser = Parser(
        prog="porf",
        description="Does this execution satisfy this memory model, and what is the evidence?",
        epilog="Exit codes: 0 yes, 1 no, 2 invalid input or usage, 3 undecided or interrupted. Programs in "
        "Python are run as modules, C and C++ are given to a compiler, and other inputs are only read.",
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version")
    parser.add_argument("--include-dir", action=_Include, nargs=0, help="print where porf.h is, which records threads")
    verbs = parser.add_subparsers(required=True, metavar="VERB", parser_class=Parser)
    for name, said in VERBS.items():
        if name in called:
            module = import_module(f"porf.cli.{name}")
            verb = verbs.add_parser(name, help=said, description=module.DESCRIPTION)
            module.add_arguments(verb)
            verb.set_defaults(run=module.run)
        else:
            verbs.add_parser(name, help=said)
    return parser


class _Version(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        import porf

        print(f"porf {porf.__version__}")
        parser.exit()


class _Include(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from porf.recorder import include

        print(include())
        parser.exit()


def _confess(what: str) -> int:
    """A mistake of ours, with what is needed to see it again."""
    command = " ".join(["porf", *map(quote, sys.argv[1:])])
    streams.complain(f"error: this is a bug in porf: {what}\n  to see it again: {command}")
    return Exit.BUG
