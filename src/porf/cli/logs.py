"""The options that say how a log is to be read, and the reading of histories that may be logs."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from porf.cli.output import Output
from porf.cli.parser import whole
from porf.cli.streams import complain
from porf.errors import UsageError

if TYPE_CHECKING:
    from porf.execution import Execution
    from porf.formats.logs.mapping import Mapping

_ABOUT = "CSV and its like, lines of words, JSON Lines with any keys, and lines of free form; see docs/formats.md"


def add_log_options(verb: argparse.ArgumentParser) -> None:
    group = verb.add_argument_group("logs", _ABOUT)
    say = group.add_argument
    say("--mapping", metavar="FILE", help="a file in TOML that says all of this")
    say("--columns", metavar="WHAT=COLUMN,…", help="thread=core,op=kind,location=addr,value=val,time=ts,src=pc, …")
    say("--ops", metavar="WORD=OP,…", help="words for operations: LD=r,ST=w:rel,CAS=u,MF=f:mfence,NOP=- (no event)")
    say("--orders", metavar="WORD=ORDER,…", help="words for memory orders: strong=sc,weak=rlx")
    say(
        "--init", metavar="LOCATION=VALUE,…", help="what locations start with, if not with 0: x=7,*=_ (_: nobody knows)"
    )
    line = "how a line is written: 'r=cpu{thread}: {*} mem {location} {value}'; several are tried in their order"
    say("--line", action="append", metavar="TEMPLATE", help=line)
    say("--others", action="store_true", default=None, help="leave out lines that no template fits")
    say("--values", metavar="HOW", help="auto; hex: numbers also without 0x; words: texts as they are")
    say("--missing", metavar="WORD,…", help="texts for a value that was not recorded")
    say("--separator", metavar="C", help="between columns: a character, tab, or blanks")
    say("--header", action=argparse.BooleanOptionalAction, help="whether the first line names the columns")
    say("--skip", type=whole, metavar="N", help="so many lines at the beginning say nothing")
    say("--comment", metavar="WORD", help="what lines begin with that say nothing (default #)")
    say("--sort", action="store_true", default=None, help="put the events in the order of their times")
    say("--skip-bad", type=whole, metavar="N", default=0, help="leave out up to N wrong lines, and count them")


def mapping_of(options: argparse.Namespace) -> Mapping | None:
    """The mapping that a call gives, if it gives one."""
    from porf.formats.logs.mapping import Mapping, pairs, read_mapping, with_words

    given: dict[str, Any] = {name: getattr(options, name) for name in _PLAIN}
    given["lines"] = tuple(options.line) if options.line else None
    given["missing"] = ("", "_", *options.missing.split(",")) if options.missing is not None else None
    for table in ("columns", "ops", "orders", "init"):
        said = getattr(options, table)
        given[table] = None if said is None else pairs(said, f"--{table}")
    if options.mapping is None and all(said is None for said in given.values()):
        return None
    return with_words(Mapping() if options.mapping is None else read_mapping(options.mapping), **given)


_PLAIN = ("others", "values", "separator", "header", "skip", "comment", "sort")


def read_history(path: str, options: argparse.Namespace, out: Output) -> Execution:
    """A history from a file, or from a log as the options say; what was left out of it is said."""
    from porf.formats import import_log, load

    mapping = mapping_of(options)
    if options.skip_bad < 0:
        raise UsageError("--skip-bad is a number of lines", hint="--skip-bad 10")
    if mapping is None and not options.skip_bad:
        return load(path, options.format)
    if options.format not in (None, "log"):
        raise UsageError(f"a mapping is for logs, not for {options.format}", hint="leave --format out, or the mapping")
    found = import_log(path, mapping, options.skip_bad)
    remark = found.remark()
    if remark is not None:
        out.progress.clear()
        complain(remark)
    return found.execution
