"""The parser of arguments, and the options that verbs share."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any, NoReturn

from porf.cli.streams import complain
from porf.errors import LARGEST, LONGEST, SEEDS, UsageError, nearest
from porf.result import Exit

if TYPE_CHECKING:
    from porf.allowance import Allowance


class Parser(argparse.ArgumentParser):
    def __init__(self, *given: Any, **named: Any) -> None:
        self._width: int | None = 80  # of help, before there is any
        super().__init__(*given, **named)
        self.later: dict[argparse.Action, Callable[[], str]] = {}  # what is said of options, if anybody asks

    def explain(self) -> None:
        """Works out what is said of options, where that takes time."""
        for action, said in self.later.items():
            action.help = said()

    def format_help(self) -> str:
        self.explain()
        self._width = None
        return super().format_help()

    def _get_formatter(self) -> argparse.HelpFormatter:
        """argparse makes one for every option that is added, and asks for the terminal's width each time."""
        shape = self.formatter_class
        assert isinstance(shape, type) and issubclass(shape, argparse.HelpFormatter)
        return shape(self.prog, width=self._width)

    def error(self, message: str, hint: str | None = None) -> NoReturn:
        complain(f"error: {message}\n  hint: {hint or f'{self.prog} --help'}")
        raise SystemExit(int(Exit.WRONG_INPUT))

    def _print_message(self, message: str, file: Any = None) -> None:
        """argparse hides that help could not be written."""
        print(message, end="", file=file)

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        """argparse takes `--` for no value at all where it is the value of an option."""
        if action.option_strings and arg_strings == ["--"]:
            self.error(f"argument {'/'.join(action.option_strings)}: '--' is no value")
        return super()._get_values(action, arg_strings)

    def _check_value(self, action: argparse.Action, value: object) -> None:
        """argparse lists what could be chosen; people also want to know what they nearly wrote."""
        if action.choices is None or value in action.choices:
            return
        known = [str(choice) for choice in action.choices]
        what = str(action.metavar or action.option_strings[0].lstrip("-")).lower()
        self.error(f"unknown {what} '{value}'", nearest(str(value), known) or "one of " + ", ".join(known))


def given(verb: argparse.ArgumentParser, options: argparse.Namespace, without: Collection[str]) -> list[str]:
    """The options of a call, as arguments; not those that have their default values, or one of these names."""
    out = []
    for action in verb._actions:
        value = getattr(options, action.dest, action.default)
        if not action.option_strings or action.dest in without or value == action.default:
            continue
        name = max(action.option_strings, key=len)
        if action.nargs == 0:
            out.append(name)
            continue
        for item in value if isinstance(value, list) else [value]:
            text = ",".join(sorted(map(str, item))) if isinstance(item, set | frozenset | tuple) else str(item)
            out += [f"{name}={text}"] if text.startswith("-") else [name, text]
    return out


def positive(kind: Callable[[str], float], most: float | None = None) -> Callable[[str], float]:
    """The type of an option that takes a number above zero; by default there are as many as the core can count."""
    if most is None:
        most = LARGEST if kind is int else LONGEST

    def parse(text: str) -> float:
        try:
            value = kind(text)
        except (ValueError, OverflowError):
            value = 0
        if not 0 < value < float("inf"):
            whole = "whole " if kind is int else ""
            raise argparse.ArgumentTypeError(f"'{text[:60]}' is not a positive {whole}number")
        if value > most:
            raise argparse.ArgumentTypeError(f"{text[:60]} is too large; {most:.0f} is the most")
        return value

    return parse


def whole(text: str) -> int:
    """The type of an option that takes a whole number, which whoever uses it looks at."""
    try:
        value = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text[:60]}' is not a whole number") from None
    if not -LARGEST <= value <= LARGEST:
        raise argparse.ArgumentTypeError(f"{text[:60]} is too large; {LARGEST} is the most")
    return value


def seed(text: str) -> int:
    """The type of --seed."""
    try:
        value = int(text)
    except ValueError:
        value = -1
    if not 0 <= value < SEEDS:
        raise argparse.ArgumentTypeError(f"'{text[:60]}' is no seed: a whole number from 0 to {SEEDS - 1}")
    return value


def add_model(verb: argparse.ArgumentParser, default: str | None = None) -> None:
    said = "names (see porf models) or model files" + (f"; default: {default}" if default else "")
    verb.add_argument("--model", "-m", required=default is None, default=default, metavar="M[,M…]", help=said)


def model_names(options: argparse.Namespace) -> list[str]:
    names = [name for name in options.model.split(",") if name]
    if not names:
        raise UsageError("no model is named", hint="--model ra, or --model sc,tso,ra")
    return names


def add_input(verb: argparse.ArgumentParser) -> None:
    from porf.formats import READ

    verb.add_argument("--format", choices=READ, help="of the input; by default its name or its content decides")


def add_output(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("--json", action="store_true", help="print one JSON object per line")
    add_file(verb)


def add_reports(verb: argparse.ArgumentParser) -> None:
    """What CI services ask for; `NO_ANSWER` names these options."""
    said = "also write what is wrong to FILE as SARIF 2.1.0, for code scanning and editors"
    verb.add_argument("--sarif", metavar="FILE", help=said)
    verb.add_argument("--junit", metavar="FILE", help="also write the results to FILE as JUnit's XML, for CI services")
    verb.add_argument("--github", action="store_true", help="also print what is wrong as annotations of GitHub")
    verb.add_argument("--quiet", "-q", action="store_true", help="print only what is not well, and a summary line")
    verb.add_argument("--summary", action="store_true", help="print a summary line at the end")


NO_ANSWER = {"json", "output", "sarif", "junit", "github", "quiet", "summary"}  # options that change no answer


def add_file(verb: argparse.ArgumentParser) -> None:
    action = verb.add_argument("--output", "-o", metavar="FILE")
    if isinstance(verb, Parser):
        verb.later[action] = _forms


def _forms() -> str:
    from porf.output import forms

    return f"also write the results to FILE, in the form of its suffix: {', '.join(forms())}"


def add_language(verb: argparse.ArgumentParser) -> None:
    from porf.formats.litmus import LANGUAGES

    said = f"the language of litmus tests: {', '.join(LANGUAGES)} (default c; others by the standard mapping)"
    verb.add_argument("--to", choices=tuple(LANGUAGES), metavar="LANGUAGE", help=said)


def add_seconds(verb: argparse.ArgumentParser, said: str = "give up after S seconds: undecided, exit code 3") -> None:
    verb.add_argument("--seconds", type=positive(float), metavar="S", help=said)


def add_memory(verb: argparse.ArgumentParser) -> None:
    verb.add_argument(
        "--memory", type=positive(int, LARGEST >> 20), metavar="MIB", help="give up rather than use more than MIB MiB"
    )


def allowed(what: str, seconds: float | None = None, memory: int | None = None) -> Allowance:
    """What a call allows for something, from now on. The memory is that of the whole process, and most of the machine's
    unless the call says."""
    from porf.allowance import Allowance, most_of_memory

    return Allowance(seconds, memory or most_of_memory(), whole=True, what=what)


def memory_bytes(options: argparse.Namespace) -> int | None:
    return options.memory << 20 if options.memory else None


def add_compiling(verb: argparse.ArgumentParser) -> None:
    """What programs are read with: parameters, and what C means."""
    said = "a parameter of a Python factory, or a macro of a C program"
    verb.add_argument("-D", dest="parameters", action="append", default=[], metavar="NAME=N", help=said)
    verb.add_argument("--nondet", type=choices, metavar="LO..HI", help="range of a C program's unknown values (0..1)")
    said = "what accesses of volatile variables in C are: plain (the default), or relaxed atomic accesses"
    verb.add_argument("--volatile", choices=("plain", "relaxed"), help=said)
    said = "kinds of undefined behaviour of C that are not reported: overflow, shift, ..."
    verb.add_argument("--allow", type=kinds, default=[], metavar="KIND[,KIND…]", help=said)
    said = "for C that you do not trust: the compiler reads only the program's folder and system headers"
    verb.add_argument("--sandbox", action="store_true", help=said)


def choices(text: str) -> tuple[int, int]:
    low, dots, high = text.partition("..")
    try:
        found = int(low, 0), int(high if dots else low, 0)
    except ValueError:
        found = (1, 0)
    if found[0] > found[1] or max(map(abs, found)) >> 63:
        raise argparse.ArgumentTypeError(f"'{text}' is not a range of numbers such as 0..3 or -1..1")
    return found


def kinds(text: str) -> list[str]:
    return [name for name in text.split(",") if name]
