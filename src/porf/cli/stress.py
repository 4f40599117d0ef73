"""`porf stress`: litmus tests, or random programs, on this machine's own cores, against models."""

import argparse

from porf.cli.output import Output
from porf.cli.parser import add_output, given, model_names, positive, seed, whole
from porf.errors import PorfError, UsageError

DESCRIPTION = """Runs litmus tests as native code on the cores of this machine, and counts their final states beside the
states that each model allows; a state that a model forbids is printed with an execution that ends so. Tests are in C,
or in assembly of x86 (X86_64, X86) if the machine is an x86-64. Without a test,
runs random programs and checks what their reads saw: threads read and write a few locations, and the values show which
write was read. Each thread has a core of its own, if there are enough. Exit codes: 1 if a model is violated (sc is, on
nearly every machine), 0 if no violation was seen, 3 if something was undecided."""

HUNT_MODELS = "sc,tso"
# What only one of the two ways knows.
ONLY_RANDOM = frozenset({"rounds", "threads", "ops", "locations", "mix", "burst", "count"})
ONLY_TESTS = frozenset({"runs"})


def add_arguments(verb: argparse.ArgumentParser) -> None:
    said = "litmus tests in C, or in the assembly of x86; without any, random programs run"
    verb.add_argument("tests", nargs="*", metavar="TEST", help=said)
    said = "names or model files; default: sc,x86,rc11 for tests in C, x86tso in assembly, sc,tso for random programs"
    verb.add_argument("--model", "-m", metavar="M[,M…]", help=said)
    said = "stop after S seconds (5, unless --runs or --rounds is given); of each test"
    verb.add_argument("--seconds", type=positive(float), metavar="S", help=said)
    verb.add_argument("--runs", type=whole, metavar="N", help="run each test N times")
    verb.add_argument("--rounds", type=whole, metavar="N", help="stop after N rounds")
    verb.add_argument("--threads", "-k", type=whole, default=2, metavar="K", help="default: 2")
    verb.add_argument(
        "--ops", "-n", type=whole, default=10_000, metavar="N", help="all threads' operations per round (10000)"
    )
    verb.add_argument("--locations", "-d", type=whole, default=4, metavar="D", help="default: 4")
    verb.add_argument("--mix", metavar="WEIGHTS", help="of reads, writes, updates, fences: r=47,w=47,u=3,f=3")
    verb.add_argument(
        "--burst", type=whole, default=32, metavar="N", help="threads start together every N operations (32)"
    )
    verb.add_argument(
        "--layout", default="both", help="each location in its own cache line (spread), all in one (packed), or both"
    )
    said = "decides what random threads do, and the timing of tests, not what they see"
    verb.add_argument("--seed", type=seed, default=0, metavar="N", help=said)
    verb.add_argument("--count", action="store_true", help="continue after a model's first violation, and count them")
    said = "save the history of a test's first violation; without a test, of the last violation, or of the last round"
    verb.add_argument("--history", metavar="FILE", help=said)
    add_output(verb)
    verb.set_defaults(verb=verb)


def run(options: argparse.Namespace, out: Output) -> None:
    foreign = ONLY_RANDOM if options.tests else ONLY_TESTS
    known = {action.dest for action in options.verb._actions} - foreign
    wrong = given(options.verb, options, known)
    if wrong:
        name = wrong[0].partition("=")[0]
        what, hint = ("random programs", "without a test") if options.tests else ("litmus tests", "with a test")
        raise UsageError(f"{name} is for {what}", hint=f"leave it out, or call porf stress {hint}")
    if options.tests:
        _run_tests(options, out)
    else:
        options.model = HUNT_MODELS if options.model is None else options.model
        _hunt(options, out)


def _run_tests(options: argparse.Namespace, out: Output) -> None:
    from porf.formats import refuse_unwritable, save
    from porf.programs import given_program
    from porf.programs.form import Program
    from porf.stress.seen import stress_test

    models = None if options.model is None else model_names(options)
    if options.history is not None:
        refuse_unwritable(options.history)
    saved = False
    for path in out.each(options.tests):
        out.progress.begin()
        try:
            test = given_program(path)
            if isinstance(test, Program):
                raise UsageError(f"{path} is no litmus test", hint="porf test runs programs at random")
            found = stress_test(
                test,
                models,
                runs=options.runs,
                seconds=options.seconds,
                layout=options.layout,
                seed=options.seed,
                progress=lambda runs: out.progress.say(f"{runs:,} runs"),
            )
        except PorfError as error:
            out.fail(error)
            continue
        out.show(found)
        history = found.history
        if options.history is not None and history is not None and not saved:
            save(history.execution, options.history)
            saved = True
            out.say(f"the history is saved in {options.history}")
        if found.counts.interrupted:
            out.interrupt()


def _hunt(options: argparse.Namespace, out: Output) -> None:
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
