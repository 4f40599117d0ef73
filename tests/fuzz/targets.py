"""What is fuzzed: for each reader and verb, how an input is made and called. The same number makes the same input."""

from __future__ import annotations

import bz2
import gzip
import lzma
import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from porf.generate.edges import vocabulary
from porf.models import MODELS
from tests.fuzz import calls, corpus, forged, saved
from tests.fuzz.damage import damaged
from tests.fuzz.logs import LOGS, MAPPINGS

KERNELS = (
    "sra",
    "ra",
    "wra",
    "rc20",
    "relaxed",
    "sc",
    "tso",
    "pso",
    "rmo",
    "cc",
    "ccv",
    "cm",
    "rc11",
    "x86",
    "aarch64",
)
ALGORITHMS = (
    *("auto",) * 4,
    *("row-order", "kernel", "generic", "subsets", "frontier", "gradual", "gradual-sat", "sat"),
)
BUDGET = ("--seconds", "1", "--memory", "1000")


@dataclass(frozen=True)
class Call:
    """The arguments of a call of porf, and its standard input."""

    arguments: list[str]
    given: bytes = b""


@dataclass(frozen=True)
class Target:
    make: Callable[[random.Random, Path], Call]
    share: float = 1.0  # of the time
    first: int = 10  # inputs that every change must pass


_LOGS = (
    """{:process 0, :type :invoke, :f :write, :value 3}
{:process 1, :type :invoke, :f :cas, :value [3 4]}
{:process 0, :type :ok, :f :write, :value 3}
{:process 1, :type :info, :f :cas, :value [3 4]}
{:process 2, :type :invoke, :f :read, :value nil}
{:process 2, :type :ok, :f :read, :value 3}
""",
    """{"process": 0, "type": "invoke", "f": "append", "key": "k", "value": "a"}
{"process": 0, "type": "ok", "f": "append", "key": "k", "value": "a"}
{"process": 1, "type": "invoke", "f": "get", "key": "k", "value": null}
{"process": 1, "type": "ok", "f": "get", "key": "k", "value": "a"}
""",
    "0\t:invoke\t:write\t3\n0\t:ok\t:write\t3\n1\t:invoke\t:cas\t[3 4]\n1\t:fail\t:cas\t[3 4]\n",
)


def call_of(target: str, seed: int, number: int, folder: Path) -> Call:
    """The call of one input; its files are put into the folder."""
    return TARGETS[target].make(random.Random(f"{target} {seed} {number}"), folder)


def _model(draw: random.Random) -> str:
    return draw.choice(KERNELS if draw.random() < 0.8 else sorted(MODELS))


def _file(folder: Path, name: str, data: bytes) -> str:
    path = folder / name
    path.write_bytes(data)
    return str(path)


def _history(draw: random.Random, folder: Path, kind: str) -> str:
    known = corpus.files("history") if kind == "txt" else corpus.written(kind)
    return _file(folder, f"h.{kind}", damaged(draw.choice(known), draw, known))


def _used(draw: random.Random, path: str, folder: Path) -> Call:
    """A history is checked, followed, drawn or converted."""
    way = draw.random()
    if way < 0.6:
        more = draw.choice(([], ["--verify"], ["--json"], ["--json", "--verify"]))
        algorithm = draw.choice(ALGORITHMS)
        return Call(["check", path, "-m", _model(draw), "--algorithm", algorithm, *BUDGET, *more])
    if way < 0.75:
        return Call(["check", path, "--follow", "-m", draw.choice(("ra", "sra", "wra", "rc20", "relaxed"))])
    if way < 0.85:
        return Call(["show", path, *draw.choice(([], ["-m", _model(draw), *BUDGET]))])
    if way < 0.9:
        return Call(["generate", "broken", path, "--seed", str(draw.randrange(9))])
    return Call(["convert", path, str(folder / f"out.{draw.choice(('txt', 'jsonl', 'npz', 'litmus'))}")])


def _text(draw: random.Random, folder: Path) -> Call:
    return _used(draw, _history(draw, folder, "txt"), folder)


def _jsonl(draw: random.Random, folder: Path) -> Call:
    return _used(draw, _history(draw, folder, "jsonl"), folder)


def _jepsen(draw: random.Random, folder: Path) -> Call:
    data = damaged(draw.choice(_LOGS).encode(), draw, [log.encode() for log in _LOGS])
    path = _file(folder, draw.choice(("h.edn", "h.json", "h.log")), data)
    return Call(["check", path, "--model", "lin", "--verify", "--seconds", "5"])


def _npz(draw: random.Random, folder: Path) -> Call:
    known = corpus.written("npz")
    data = draw.choice(known)
    data = damaged(data, draw, known) if draw.random() < 0.3 else forged.npz(data, draw)
    return _used(draw, _file(folder, "h.npz", data), folder)


def _log(draw: random.Random, folder: Path) -> Call:
    """A log or its mapping, damaged: checked, converted or guessed."""
    kind = draw.choice(sorted(LOGS))
    data = damaged(draw.choice(LOGS[kind]), draw, LOGS[kind])
    if draw.random() < 0.2:
        packed = draw.choice((gzip.compress, bz2.compress, lzma.compress))(data)
        data = damaged(packed, draw, [packed]) if draw.random() < 0.5 else packed
    log = _file(folder, draw.choice(("h.csv", "h.log", "h.jsonl")), data)
    mapping = damaged(draw.choice(MAPPINGS), draw, MAPPINGS) if draw.random() < 0.5 else draw.choice(MAPPINGS)
    given = {
        "csv": ["--columns", "thread=2,op=3,location=4,value=5,time=1"],
        "json": ["--columns", "thread=tid,op=op,location=m.a,value=v,time=t"],
        "lines": ["--line", "w={time}: {thread} -> [{location}] := {value} {*}", "--others"],
    }[kind]
    file = ["--mapping", _file(folder, "m.toml", mapping)]
    more = draw.choice(([], ["--skip-bad", "9"], ["--sort"], ["--values", draw.choice(("hex", "words"))]))
    if draw.random() < 0.2:
        return Call(["convert", log, "--guess"])
    if draw.random() < 0.5:
        out = str(folder / f"out.{draw.choice(('txt', 'jsonl', 'npz'))}")
        return Call(["convert", log, out, *draw.choice(([], given, file, file)), *more])
    return Call(["check", log, "-m", _model(draw), *draw.choice(([], given, file, file)), *more, *BUDGET])


def _stream(draw: random.Random, folder: Path) -> Call:
    known = corpus.files("history") if draw.random() < 0.5 else corpus.written("jsonl")
    given = damaged(draw.choice(known), draw, known)
    if draw.random() < 0.5:
        return Call(["check", "-", "--follow", "-m", draw.choice(("ra", "sra", "wra", "rc20", "relaxed"))], given)
    return Call(["check", "-", "-m", _model(draw), *BUDGET], given)


def _model_file(draw: random.Random, folder: Path) -> Call:
    kind = draw.choice(("cat", "kat"))
    known = corpus.files(kind)
    path = _file(folder, f"m.{kind}", damaged(draw.choice(known), draw, known))
    history = _file(folder, "h.txt", draw.choice(corpus.files("history")))
    test = _file(folder, "t.litmus", draw.choice(corpus.files("litmus")))
    return Call(
        draw.choice(
            (
                ["check", history, "-m", path, *BUDGET],
                ["check", history, "-m", path, "--json", *BUDGET],
                ["compare", path, _model(draw), "--seconds", "1", "--events", "3"],
                ["models", "--check", path, "--seconds", "1", "--events", "2"],
                ["models", path],
                ["explore", test, "-m", path, *BUDGET],
            )
        )
    )


def _statements(draw: random.Random, folder: Path) -> Call:
    known = corpus.files("kat")
    path = _file(folder, "s.kat", damaged(draw.choice(known), draw, known))
    return Call(["prove", path, *BUDGET, *draw.choice(([], ["--json"]))])


def _explored(draw: random.Random, path: str) -> Call:
    if draw.random() < 0.25:
        model = draw.choice(("sc", "tso", "ra", "wra", "rc20", "relaxed", "rc11", "cpp20"))
        return Call(["test", path, "-m", model, "--runs", "200", *BUDGET])
    model = draw.choice(("cpp20", "sc", "tso", "x86", "ra", "sra", "wra", "rc20", "relaxed", "rc11", "pso", "arm8"))
    more = draw.choice(
        ([], ["--json"], ["--keep-going"], ["--strategy", "tracer"], ["--equivalence", "mo"], ["--unroll", "3"])
    )
    return Call(["explore", path, "-m", model, "--limit", "500", *BUDGET, *more])


def _litmus(draw: random.Random, folder: Path) -> Call:
    known = corpus.files("litmus")
    path = _file(folder, "t.litmus", damaged(draw.choice(known), draw, known))
    if draw.random() < 0.2:
        return Call(
            ["convert", path, str(folder / "out.litmus"), "--to", draw.choice(("x86", "aarch64", "ppc", "riscv"))]
        )
    return _explored(draw, path)


def _kernel(draw: random.Random, folder: Path) -> Call:
    known = corpus.files("kernel")
    path = _file(folder, "k.litmus", damaged(draw.choice(known), draw, known))
    return Call(["explore", path, "-m", draw.choice(("lkmm", "lkmm", "rc11")), *BUDGET])


def _configuration(draw: random.Random, folder: Path) -> Call:
    """A model that a configuration of herd names, with its bell file; one of the three is damaged."""
    said = {
        "m.cfg": draw.choice(corpus.files("configuration")),
        "accesses.bell": draw.choice(corpus.files("bell")),
        "m.cat": draw.choice((b"acyclic po | rf | co | fr\n", b"empty rb & Mb\n", *corpus.files("cat"))),
    }
    name = draw.choice(sorted(said))
    known = corpus.files({"m.cfg": "configuration", "accesses.bell": "bell", "m.cat": "cat"}[name])
    said[name] = damaged(said[name], draw, known)
    for file, data in said.items():
        _file(folder, file, data)
    test = _file(folder, "k.litmus", draw.choice(corpus.files("kernel")))
    path = str(folder / draw.choice(("m.cfg", "m.cfg", "m.cat")))
    return Call(
        draw.choice((["explore", test, "-m", path, *BUDGET], ["models", path], ["compare", path, "sc", *BUDGET[:2]]))
    )


def _table(draw: random.Random, folder: Path) -> Call:
    known = corpus.files("table")
    path = _file(folder, "t.tsv", damaged(draw.choice(known), draw, known))
    tests = [_file(folder, f"{n}.litmus", draw.choice(corpus.files("litmus"))) for n in range(2)]
    return Call(["explore", *tests, "-m", "rc11,sc", "--expect", path, "--limit", "500", *BUDGET])


def _list(draw: random.Random, folder: Path) -> Call:
    _file(folder, "a.litmus", draw.choice(corpus.files("litmus")))
    _file(folder, "inner", b"a.litmus\n@list\n")
    given = [b"# tests\na.litmus\n@inner\n", b"a.litmus\n\n./a.litmus\n", b"@/dev/null\n.\n-x.c\n@x\n"]
    _file(folder, "list", damaged(draw.choice(given), draw, given))
    return Call(["explore", f"@{folder / 'list'}", "-m", "sc", "--limit", "500", *BUDGET])


def _stress(draw: random.Random, folder: Path) -> Call:
    """A test is run on this machine's cores, few times."""
    known = corpus.files("litmus")
    path = _file(folder, "t.litmus", damaged(draw.choice(known), draw, known))
    return Call(["stress", path, "--runs", "100", "--seconds", "1", "-m", draw.choice(("sc", "rc11", "x86"))])


def _sandbox(draw: random.Random, folder: Path) -> Call:
    """Options for the compiler of a program in C that nobody vouches for."""
    path = _file(folder, "p.c", draw.choice(corpus.files("c")))
    words = (
        *("-DN=2", "-D", "-U", "-I", "-I.", "-I/", "-include", "p.c", "-O2", "-std=c11", "-std=", "-Wall", "-fwrapv"),
        *("-fplugin=x", "-x", "-Wp,-H", "@x", "-o", "out", "-", "", "-Xclang", "é", "\udc80", "/etc/passwd", ".."),
    )
    given = [draw.choice(words) for _ in range(draw.choice((0, 1, 2, 3)))]
    return Call([draw.choice(("explore", "test")), path, "--sandbox", "--seconds", "1", "--", *given])


def _python(draw: random.Random, folder: Path) -> Call:
    known = corpus.files("py")
    data = damaged(draw.choice(known), draw, known)
    # A module is run, and how often its own loops run is its own affair.
    data = re.sub(rb"\d{5,}", b"77", data)
    return _explored(draw, _file(folder, "p.py", data))


def _c(draw: random.Random, folder: Path) -> Call:
    known = corpus.files("c")
    return _explored(draw, _file(folder, "p.c", damaged(draw.choice(known), draw, known)))


def _llvm_text(draw: random.Random, folder: Path) -> Call:
    known = corpus.files("ll")
    return _explored(draw, _file(folder, "p.ll", damaged(draw.choice(known), draw, known)))


def _bitcode(draw: random.Random, folder: Path) -> Call:
    known = corpus.bitcode()
    return _explored(draw, _file(folder, "p.bc", damaged(draw.choice(known), draw, known)))


def _formula(draw: random.Random, folder: Path) -> Call:
    known = corpus.files("cnf")
    path = _file(folder, "f.cnf", damaged(draw.choice(known), draw, known))
    return Call(["generate", "sat", path, "--model", draw.choice(("sc", "tso", "pso"))])


def _graph(draw: random.Random, folder: Path) -> Call:
    known = corpus.files("graph")
    return Call(["generate", "triangle", "--graph", _file(folder, "g.graph", damaged(draw.choice(known), draw, known))])


def _cycle(draw: random.Random, folder: Path) -> Call:
    """Edges of all languages, drawn and damaged."""
    language = draw.choice(("c", "x86", "aarch64", "ppc", "riscv"))
    words = [
        *vocabulary(draw.choice((language, language, "c"))).words,
        "L",
        "Acq",
        "PodWWPL",
        "RfeLA",
        "Rfe",
        "Fre",
        "Coe",
    ]
    chosen = [draw.choice(words) for _ in range(draw.randint(0, 9))]
    text = (
        damaged(" ".join(chosen).encode(), draw, [b"Rfe PodRR Fre"])
        if draw.random() < 0.3
        else " ".join(chosen).encode()
    )
    return Call(["generate", "litmus", text.decode(errors="replace").replace("\0", ""), "--arch", language])


def _token(draw: random.Random, folder: Path) -> Call:
    return Call(saved.with_token(draw, folder))


def _checkpoint(draw: random.Random, folder: Path) -> Call:
    return Call(saved.with_checkpoint(draw, folder))


def _call(draw: random.Random, folder: Path) -> Call:
    return Call(calls.arguments(draw, folder))


TARGETS = {
    "text": Target(_text, first=60),
    "jsonl": Target(_jsonl, first=60),
    "jepsen": Target(_jepsen, first=60),
    "npz": Target(_npz, first=60),
    "stream": Target(_stream, first=40),
    "logs": Target(_log, share=2, first=60),
    "models": Target(_model_file, share=2, first=12),
    "statements": Target(_statements, first=12),
    "litmus": Target(_litmus, first=50),
    "kernel": Target(_kernel, first=20),
    "configurations": Target(_configuration, first=10),
    "tables": Target(_table, share=0.5, first=20),
    "lists": Target(_list, share=0.3, first=20),
    "stress": Target(_stress, share=0.3, first=2),
    "python": Target(_python, first=25),
    "c": Target(_c, share=0.5, first=2),
    "sandbox": Target(_sandbox, share=0.5, first=4),
    "ll": Target(_llvm_text, share=2, first=8),
    "bc": Target(_bitcode, share=2, first=8),
    "formulas": Target(_formula, share=0.5, first=40),
    "graphs": Target(_graph, share=0.3, first=40),
    "cycles": Target(_cycle, share=0.3, first=40),
    "tokens": Target(_token, first=20),
    "checkpoints": Target(_checkpoint, first=20),
    "calls": Target(_call, share=2, first=40),
}
