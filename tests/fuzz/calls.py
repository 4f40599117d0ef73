"""Command lines: the verbs and their options as the parser knows them, with values that few people would give."""

from __future__ import annotations

import argparse
import random
from functools import cache
from pathlib import Path

from porf.cli.command import VERBS, parser_of
from tests.fuzz import corpus

VALUES = (
    *("", "0", "1", "2", "3", "-1", "-5", "0.5", "1e3", "1e400", "nan", "inf", "-inf", "9223372036854775807"),
    *("9223372036854775808", "18446744073709551615", "18446744073709551616", "99999999999999999999999", "9" * 5000),
    *("ra", "sc,tso", "sra,nosuch", ",", "x", "-", "--", "é", "\udc80", "\x1b[2J", "a" * 300, "/", "/dev/null", "."),
    *("nosuch/x.svg", "out.svg", "out.json", "out.txt", "out.npz", "h.txt", "t.litmus", "m.cat", "s.kat", "f.cnf"),
    *("0..3", "3..0", "r=1,w=1", "r=nan", "n=3", "trust", "tracer", "mesi", "sat", "uniform", "generic", "text", "npz"),
)
# What makes a call take long, and belongs to other tests: real cores, and the hierarchy of all models.
LEFT_OUT = ("stress", "completion")
NOT_GIVEN = ("--recompute", "--hierarchy", "--check")
LARGE = ("--events", "--ops", "--threads", "--locations", "--nodes", "--cpus", "--addresses", "--jobs", "--window")


@cache
def _parsers() -> dict[tuple[str, ...], argparse.ArgumentParser]:
    """The parsers by their verbs; those that have verbs of their own are left out."""
    found: dict[tuple[str, ...], argparse.ArgumentParser] = {}

    def visit(parser: argparse.ArgumentParser, names: tuple[str, ...]) -> None:
        below = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
        if not below:
            found[names] = parser
        for action in below:
            for name, inner in action.choices.items():
                if name not in LEFT_OUT:
                    visit(inner, (*names, name))

    visit(parser_of(tuple(VERBS)), ())
    return found


def arguments(draw: random.Random, folder: Path) -> list[str]:
    """A call; its files are in the folder."""
    known = {"h.txt": "history", "t.litmus": "litmus", "m.cat": "cat", "s.kat": "kat", "f.cnf": "cnf"}
    for name, kind in known.items():
        (folder / name).write_bytes(draw.choice(corpus.files(kind)))
    verb, parser = draw.choice(sorted(_parsers().items(), key=lambda item: item[0]))
    words = [*verb]
    for action in parser._actions:
        if action.option_strings:
            if action.required or draw.random() < 0.2:
                words += _option(action, draw, folder)
        elif draw.random() < 0.95:
            words += [_place(action, draw, folder, [*known])]
    if draw.random() < 0.1:
        words.insert(draw.randint(0, len(words)), draw.choice(VALUES))
    long = ("check", "explore", "orders", "robust", "test", "show", "prove", "compare")
    if verb[0] in long and not any("sec" in word for word in words):
        words += ["--seconds", "1"]
    return words


def _option(action: argparse.Action, draw: random.Random, folder: Path) -> list[str]:
    name = draw.choice(action.option_strings)
    if set(action.option_strings) & {*NOT_GIVEN, "--help"}:
        return []
    if action.nargs == 0:
        return [name]
    value = _value(action, draw, folder)
    if set(action.option_strings) & {*LARGE} and value.isdecimal() and 1000 < int(value[:19]) < 2**31:
        value = "1000"
    return [f"{name}={value}"] if draw.random() < 0.5 and name.startswith("--") else [name, value]


def _value(action: argparse.Action, draw: random.Random, folder: Path) -> str:
    if action.choices is not None and draw.random() < 0.8:
        return str(draw.choice([*action.choices]))
    if action.dest == "model" and draw.random() < 0.7:
        return draw.choice(("ra", "sc", "tso", "cpp20"))
    return _in(draw.choice(VALUES), folder)


def _place(action: argparse.Action, draw: random.Random, folder: Path, known: list[str]) -> str:
    if draw.random() < 0.15:
        return _in(draw.choice(VALUES), folder)
    names = {"programs": ["t.litmus"], "files": known, "file": known, "input": ["h.txt"], "history": ["out.txt"]}
    choices = names.get(action.dest, ["ra", "m.cat", "sc"])
    return _in(draw.choice(choices), folder)


def _in(value: str, folder: Path) -> str:
    return str(folder / value) if "." in value and not value.startswith((".", "/", "0", "1")) else value
