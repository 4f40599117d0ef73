"""`porf stress`: random programs on this machine's own cores, against models."""

import argparse

from porf.cli.output import Output
from porf.cli.parser import add_model, add_output, model_names

DESCRIPTION = """Runs random programs on the cores of this machine and checks what their reads saw. Threads, each on its
own core, read and write a few locations; the values show which write was read. Each model is checked until its
first violation, which is printed with its cycle. Exit codes: 1 if a model is violated (sc is, on nearly every
machine), 0 if none is, 3 if a round was undecided."""


def add_arguments(verb: argparse.ArgumentParser) -> None:
    add_model(verb, default="sc,tso")
    verb.add_argument("--seconds", type=float, metavar="S", help="stop after S seconds (5, unless --rounds is given)")
    verb.add_argument("--rounds", type=int, metavar="N", help="stop after N rounds")
    verb.add_argument("--threads", "-k", type=int, default=2, metavar="K", help="default: 2")
    verb.add_argument(
        "--ops", "-n", type=int, default=10_000, metavar="N", help="all threads' operations per round (10000)"
    )
    verb.add_argument("--locations", "-d", type=int, default=4, metavar="D", help="default: 4")
    verb.add_argument("--mix", metavar="WEIGHTS", help="of reads, writes, updates, fences: r=47,w=47,u=3,f=3")
    verb.add_argument(
        "--burst", type=int, default=32, metavar="N", help="threads start together every N operations (32)"
    )
    verb.add_argument(
        "--layout", default="both", help="each location in its own cache line (spread), all in one (packed), or both"
    )
    verb.add_argument("--seed", type=int, default=0, metavar="N", help="decides what the threads do, not what they see")
    verb.add_argument("--count", action="store_true", help="continue after a model's first violation, and count them")
    verb.add_argument("--history", metavar="FILE", help="save the history of the last violation, or of the last round")
    add_output(verb)


def run(options: argparse.Namespace, out: Output) -> None:
    from porf.formats import refuse_unwritable, save
    from porf.stress import Hunt, Plan, parse_mix
    from porf.stress.report import Summary, Violation, opening, progress, speed

    mix = {} if options.mix is None else {"mix": parse_mix(options.mix)}
    plan = Plan(options.threads, options.ops, options.locations, burst=options.burst, layout=options.layout, **mix)
    if options.history is not None:
        refuse_unwritable(options.history)  # before the hunt, not after it
    limits = {"rounds": options.rounds, "seconds": options.seconds}
    hunt = Hunt(plan, model_names(options), **limits, seed=options.seed, count=options.count)
    out.say(opening(hunt))
    try:
        hunt.run(lambda tally: out.show(Violation.of(tally)), lambda hunt: out.progress.say(progress(hunt)))
    except KeyboardInterrupt:
        out.interrupt()
    for tally in hunt.tallies:
        out.show(Summary(hunt, tally))
    out.say(speed(hunt))
    history = hunt.history
    if options.history is not None and history is not None:
        save(history, options.history)
        out.say(f"{history.source} saved in {options.history}")
