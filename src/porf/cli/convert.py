"""`porf convert`: a history from one format to another, logs included, and a litmus test in C to one of a machine."""

import argparse

from porf.cli.logs import add_log_options, mapping_of, read_history
from porf.cli.output import Output
from porf.cli.parser import add_input, add_memory, add_seconds, allowed, memory_bytes
from porf.formats import WRITTEN
from porf.formats.litmus import LANGUAGES

DESCRIPTION = """Converts a history between text, JSON Lines and npz without loss, reads logs of programs (CSV and
others), or writes a litmus test: in C, in the assembly of the machine whose words it has, or (--to aarch64) compiled
from C to a machine by the standard mapping. A litmus test in C is compiled to a machine in the same way."""


def add_arguments(verb: argparse.ArgumentParser) -> None:
    kinds = (*WRITTEN, *LANGUAGES)
    verb.add_argument("input", metavar="IN")
    verb.add_argument("history", metavar="OUT", nargs="?", help="its suffix decides the format; - is standard output")
    said = f"of OUT: {', '.join(WRITTEN)}; of a litmus test also {', '.join(LANGUAGES)}"
    verb.add_argument("--to", choices=kinds, metavar="FORMAT", help=said)
    guess = "guess how a log is to be read, and write the mapping to OUT (FILE.toml, or - by default) for correction"
    verb.add_argument("--guess", action="store_true", help=guess)
    add_input(verb)
    add_log_options(verb)
    add_seconds(verb, "give up after S seconds: exit code 3, and OUT is as it was")
    add_memory(verb)


def run(options: argparse.Namespace, out: Output) -> None:
    from porf.errors import UsageError
    from porf.formats import save, write_text
    from porf.formats.litmus import litmus_test

    if options.history is None and not options.guess:
        raise UsageError("it is not said where to write", hint="porf convert IN OUT; - is standard output")
    for target in out.each([options.history or "-"]):
        with allowed(options.input, options.seconds, memory_bytes(options)):
            if options.guess:
                _guess(options, target)
            elif options.input.endswith(".litmus"):
                write_text(target, _compiled(options))
            elif options.to in LANGUAGES:
                write_text(target, litmus_test(read_history(options.input, options, out), language=options.to))
            else:
                save(read_history(options.input, options, out), target, options.to)


def _guess(options: argparse.Namespace, target: str) -> None:
    from porf.errors import UsageError
    from porf.formats import guess_mapping, write_text

    if target != "-" and not target.endswith(".toml"):
        raise UsageError(
            "--guess writes a mapping",
            source=target,
            hint=f"FILE.toml; then {_then(options.input, target)}",
        )
    if mapping_of(options) is not None:
        raise UsageError("--guess takes no mapping", hint="write the guess to a file, and correct it there")
    write_text(target, guess_mapping(options.input))


def _then(log: str, target: str) -> str:
    return f"porf convert {log} {target} --mapping FILE.toml"


def _compiled(options: argparse.Namespace) -> str:
    """A test in C as one of a machine."""
    from porf.errors import UsageError
    from porf.programs.litmus import LitmusTest
    from porf.programs.litmus.compiled import compiled
    from porf.programs.read import Settings, read_programs

    if options.to not in LANGUAGES:
        machines = [name for name in LANGUAGES if name != "c"]
        raise UsageError(
            "a litmus test is compiled to a machine", source=options.input, hint=f"--to {', '.join(machines)}"
        )
    (test,) = read_programs(options.input, Settings())
    assert isinstance(test, LitmusTest)
    return compiled(test, options.to)
