"""`porf generate`: executions to test with, one sub-verb for each kind."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from porf.cli.output import Output
from porf.cli.parser import add_seconds, allowed, positive, seed, whole
from porf.errors import UsageError
from porf.formats import BOTH

if TYPE_CHECKING:
    from porf.execution import Execution

DESCRIPTION = """Makes executions: a random interleaving (sequentially consistent), a weak one (consistent under
release-acquire, with stale reads), a broken one (one rf edge of a history changed), a run of a cache-coherence
protocol, a history that is inconsistent iff a graph has a triangle, or one that is consistent iff a formula is
satisfiable. The same seed makes the same history. Also litmus tests, from cycles of edges."""


def run(options: argparse.Namespace, out: Output) -> None:
    if options.make is None:
        with allowed("the tests", options.seconds):
            _litmus(options, out)
        return
    from porf.formats import save

    for target in out.each([options.history]):
        with allowed(target, options.seconds):
            made = options.make(options)
            if getattr(options, "values", None) is not None:
                from porf.generate import pooled

                made = pooled(made, options.values, options.seed)
            save(made, target, options.to)


def add_arguments(verb: argparse.ArgumentParser) -> None:
    kinds = verb.add_subparsers(required=True, metavar="KIND", parser_class=type(verb))
    interleaving = kinds.add_parser("interleaving", help="a random sequential interleaving")
    _add_mix(interleaving, orders="rlx")
    interleaving.set_defaults(make=_interleaving)
    weak = kinds.add_parser("weak", help="consistent under release-acquire, with stale reads")
    _add_mix(weak, orders="ra")
    weak.add_argument("--window", type=whole, default=8, help="how many writes back a stale read may go")
    weak.set_defaults(make=_weak)
    broken = kinds.add_parser("broken", help="a history with one rf edge changed")
    broken.add_argument(
        "file", metavar="FILE", nargs="?", help="the history to break; by default a random interleaving"
    )
    _add_mix(broken, orders="rlx")
    broken.set_defaults(make=_broken)
    triangle = kinds.add_parser("triangle", help="inconsistent iff a graph has a triangle")
    triangle.add_argument("--graph", metavar="FILE", help="one edge per line: two node numbers")
    triangle.add_argument("--nodes", type=whole, help="of a random graph")
    triangle.add_argument("--probability", type=float, help="of each edge of a random graph")
    triangle.add_argument("--bipartite", action="store_true", help="a random graph without triangles")
    triangle.set_defaults(make=_triangle)
    coherence = _add_coherence(kinds)
    sat = kinds.add_parser("sat", help="consistent iff a formula is satisfiable")
    sat.add_argument("file", metavar="FILE", help="a formula in DIMACS form")
    sat.add_argument("--model", choices=("sc", "tso", "pso"), default="sc", help="for which this holds (default sc)")
    sat.add_argument("--shared", action="store_true", help=_SHARED)
    sat.set_defaults(make=_sat)
    _add_litmus(kinds)
    for kind in (interleaving, weak, broken, coherence):
        kind.add_argument("--values", type=positive(int), metavar="N", help=_VALUES)
    for kind in (interleaving, weak, broken, triangle, coherence, sat):
        add_seconds(kind, _SECONDS)
        kind.add_argument("--seed", type=seed, default=0)
        kind.add_argument("--output", "-o", dest="history", default="-", metavar="FILE", help=_OUTPUT)
        kind.add_argument("--to", choices=BOTH, metavar="FORMAT", help=f"of the output: {', '.join(BOTH)}")


_VALUES = "store random values from 1 to N, so that values repeat and only they say who is read"
_SECONDS = "give up after S seconds: exit code 3, and nothing is written"
_OUTPUT = "its suffix decides the format; standard output by default"
_SHARED = "one location per literal: fewer writes, but a satisfiable formula may become inconsistent"

_COHERENCE = """Random clients on a simulated machine: caches that evict and write back, a directory,
messages in flight. The history is what a tester records, cpu by cpu, without any order in time. It is consistent
under sc, or with --memory tso under tso, unless a fault is named:

  lost-invalidation  a sharer acknowledges an invalidation and keeps its copy (mesi, moesi)
  early-store-hit    a store completes before all invalidations are acknowledged (mesi, moesi)
  stale-data         memory answers although an owner has newer data
  reordered-ack      an invalidation overtakes data sent before it, and is acknowledged first (mesi, moesi)
  lost-writeback     the data of an evicted line does not reach memory
  stale-forward      an owner that gave its data to a reader still writes as if alone (moesi)
  buffer-bypass      a load does not look into its cpu's store buffer (--memory tso)
  buffer-reorder     a store leaves the buffer before an older one of another line (--memory tso)
"""


def _add_coherence(kinds: argparse._SubParsersAction[Any]) -> argparse.ArgumentParser:
    kind: argparse.ArgumentParser = kinds.add_parser(
        "coherence",
        help="a run of a cache-coherence protocol, sound or faulty",
        description=_COHERENCE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    kind.add_argument("--protocol", default="mesi", help="mi, mesi or moesi (default mesi)")
    kind.add_argument("--cpus", "-k", type=whole, default=4, metavar="K", help="at most 64 (default 4)")
    kind.add_argument("--ops", "-n", type=whole, default=100, metavar="N", help="loads and stores (default 100)")
    kind.add_argument("--addresses", "-d", type=whole, default=16, metavar="A", help="(default 16)")
    kind.add_argument("--lines", type=whole, metavar="L", help="lines that a cache holds (default A·3/4, up to 64)")
    kind.add_argument("--reads", type=float, default=0.7, metavar="SHARE", help="share of loads (default 0.7)")
    kind.add_argument("--memory", default="sc", help="sc, or tso: with store buffers (default sc)")
    kind.add_argument("--fault", metavar="NAME", help="a bug of the protocol, from the list above")
    kind.add_argument("--fault-rate", type=float, metavar="P", help="how often it occurs where it can")
    kind.set_defaults(make=_coherence)
    return kind


_LITMUS = """Litmus tests from cycles of edges, in the words of diy: the test of one cycle; the tests of all critical
cycles of some edges; with --between those that one model allows and the other forbids, so that they tell the two apart.

  porf generate litmus "DMB.SYdWW Rfe DpAddrdR Fre" --arch aarch64
  porf generate litmus --arch ppc --edges "Rfe Fre Coe Pod** LwSyncd**" --size 6 -o tests/
  porf generate litmus --between aarch64 sc -o tests/

Edges: Rfe Rfi Fre Fri Coe Coi; PodRW PosWW Pod**; a fence between (DMB.SYdWW, SyncdWR, MFencedWR, Fence.rw.rwdRR,
FenceScdWR); a dependency (DpAddrdR, DpDatadW, DpCtrldW, DpCtrlIsbdR); an update (Rmw, Amo.Swp, LxSx, Exch). Two orders
may follow, of both ends: PodWWPL, RfeLA, PodRRAcqRlx.
"""


def _add_litmus(kinds: argparse._SubParsersAction[Any]) -> None:
    kind: argparse.ArgumentParser = kinds.add_parser(
        "litmus",
        help="litmus tests, from cycles of edges",
        description=_LITMUS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    kind.add_argument("cycle", metavar="CYCLE", nargs="?", help="edges with spaces between; without it, all cycles")
    kind.add_argument("--arch", metavar="A", help="the language of the tests: c (default), x86, aarch64, ppc or riscv")
    kind.add_argument("--name", help="of the test of one cycle, which is otherwise named as diy does")
    kind.add_argument("--edges", metavar="EDGES", help="make all critical cycles of these (default: the usual ones)")
    said = "edges of a cycle, at most (default 4: two threads)"
    kind.add_argument("--size", type=positive(int), metavar="N", help=said)
    said = "only tests that one of two models allows and the other forbids"
    kind.add_argument("--between", nargs=2, metavar=("A", "B"), help=said)
    said = "the file of one test, or the folder of several, with their names in @all; by default they are listed"
    kind.add_argument("--output", "-o", dest="history", metavar="FILE", help=said)
    add_seconds(kind, _SECONDS)
    kind.set_defaults(make=None)


def _litmus(options: argparse.Namespace, out: Output) -> None:
    from porf.formats import write_text
    from porf.generate import litmus, litmus_tests, save_tests

    if options.cycle is not None:
        for option in ("edges", "size", "between"):
            if getattr(options, option) is not None:
                raise UsageError(f"--{option} is for all cycles of some edges", hint="leave out CYCLE")
        write_text(options.history, litmus(options.cycle, options.arch or "c", options.name))
        return
    if options.name is not None:
        raise UsageError("--name is for the test of one cycle", hint="porf generate litmus 'PodWW Rfe PodRR Fre'")
    if options.edges is None and options.size is None and options.between is None:
        raise UsageError("no cycle is given", hint="CYCLE, or --edges EDGES, --size N, --between A B for many tests")
    out.progress.unit = "cycles"
    size = {} if options.size is None else {"size": options.size}
    arch = options.arch if options.arch is not None or options.between is not None else "c"
    tests = litmus_tests(arch, edges=options.edges, between=options.between, progress=out.progress, **size)
    if options.history is not None:
        out.say(f"{options.history}: {save_tests(tests, options.history)} tests")
        return
    for test in tests:
        allowed_by = [f"  {model} {observation}" for model, observation in test.observations]
        out.say(f"{test.name}  {test.cycle}{''.join(allowed_by)}")


def _add_mix(kind: argparse.ArgumentParser, orders: str) -> None:
    kind.add_argument("--events", "-n", type=whole, default=20)
    kind.add_argument("--threads", "-k", type=whole, default=4)
    kind.add_argument("--locations", "-d", type=whole, default=4)
    kind.add_argument("--reads", type=float, default=0.5, help="share of reads (default 0.5)")
    kind.add_argument("--updates", type=float, default=0.1, help="share of updates (default 0.1)")
    kind.add_argument("--fences", type=float, default=0.0, help="share of fences (default 0)")
    kind.add_argument("--orders", default=orders, help=f"rlx, ra, sc or mixed (default {orders})")
    kind.add_argument("--group-by-thread", action="store_true", help="list the rows thread by thread")


def _interleaving(options: argparse.Namespace) -> Execution:
    from porf.generate import interleaving

    return interleaving(**_mix(options))


def _weak(options: argparse.Namespace) -> Execution:
    from porf.generate import weak

    return weak(**_mix(options), window=options.window)


def _broken(options: argparse.Namespace) -> Execution:
    from porf.generate import broken, interleaving

    if options.file is None:
        return broken(interleaving(**_mix(options)), options.seed)
    from porf.formats import load

    return broken(load(options.file), options.seed)


def _triangle(options: argparse.Namespace) -> Execution:
    from porf.generate import read_graph, triangle

    if options.graph is not None:
        return triangle(read_graph(options.graph))
    if options.nodes is None or options.probability is None:
        raise UsageError("no graph is given", hint="--graph FILE, or --nodes N --probability P")
    return triangle(
        nodes=options.nodes, probability=options.probability, bipartite=options.bipartite, seed=options.seed
    )


def _coherence(options: argparse.Namespace) -> Execution:
    from porf.generate import coherence

    names = ("protocol", "memory", "fault", "fault_rate", "reads", "lines", "seed")
    return coherence(options.ops, options.cpus, options.addresses, **{name: getattr(options, name) for name in names})


def _sat(options: argparse.Namespace) -> Execution:
    from porf.generate import read_formula, sat

    return sat(read_formula(options.file), options.model, shared=options.shared)


def _mix(options: argparse.Namespace) -> dict[str, Any]:
    names = ("events", "threads", "locations", "reads", "updates", "fences", "orders", "group_by_thread", "seed")
    return {name: getattr(options, name) for name in names}
