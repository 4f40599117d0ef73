"""Errors in programs in Python: each names the place, says what is wrong, and hints at what to write instead."""

from __future__ import annotations

from pathlib import Path

import pytest

import porf
from porf.programs.python import load_programs

HEADER = """import porf
from porf.programs.python import *
p = porf.program("wrong")
other_program = porf.program("other")
x = p.int("x")
stranger = other_program.int("s")
strangers = other_program.array("ss", 2)
d = p.plain("d")
a = p.array("a", 3)
m = p.mutex("m")
LOCKS = [m, m]
N = 1
def undecorated(n): return n
@p.function
def f(n): return g(n)
@p.function
def g(n): return f(n)
@p.function
def itself(n): return itself(n - 1) if n else 0
@p.function
def nothing(n): x.store(n)
@p.function
def maybe(n):
    if n > 0: return 1
@p.function
def one(n): return n + 1
@other_program.thread
def elsewhere(): pass
@p.thread
def started(): pass
@p.thread
def thread():
"""
FIRST = HEADER.count("\n") + 1  # the line where the bodies below begin

# The body of a thread with what is wrong in brackets; what the message says; what the hint says.
CASES = [
    ("y = «[1]»", "lists are not supported", "p.array"),
    ("y = «{}»", "dictionaries are not supported", "p.array"),
    ("y = «1.5»", "of type float", "integers only"),
    ("y = «'text'»", "of type str", "integers only"),
    ("y = «None»", "nothing (None)", "integers only"),
    ('y = «f"{1}"»', "f-strings are not supported", "integers"),
    ("y = «lambda: 0»", "lambdas are not supported", "@p.function"),
    ("y = «[i for i in range(3)]»", "list comprehensions are not supported", "'for' loop"),
    ("«try:»\n    pass\nfinally:\n    pass", "'try' is not supported", "'if'"),
    ("«raise ValueError»", "'raise' is not supported", "assert False"),
    ("«match x.load():»\n    case 1:\n        pass", "'match' is not supported", "elif"),
    ("«import os»", "'import' is not supported", "outside"),
    ("«def inner():»\n    pass", "nested functions are not supported", "@p.function"),
    ("«global x»", "'global' is not supported", "p.int"),
    ("«del q»\nq = 1", "'del' is not supported", "no harm"),
    ("«yield 1»", "'yield' is not supported", "plain functions"),
    ("y = «x.load() / 2»", "'/' is not supported", "//"),
    ("y = «x.load() ** 2»", "'**'", "<<"),
    ("y = «1 // 0»", "zero", None),
    ("y = «2**70»", "does not fit", None),
    ("y = «x.load() is N»", "'is' compares objects", "=="),
    ("if x.load():\n    y = 1\nz = «y»", "'y' is used before it is set", "y = 0"),
    ("while x.load():\n    y = 1\nz = «y»", "'y' is used before it is set", "y = 0"),
    ("for i in range(x.load()):\n    y = 1\nz = «y»", "'y' is used before it is set", None),
    ("while True:\n    if x.load():\n        break\n    y = 1\nz = «y»", "'y' is used before it is set", None),
    ("y = x.load() and (z := 1)\ny = «z»", "'z' is used before it is set", None),
    ("«y» += 1", "'y' is used before it is set", None),
    ("x.load(«release»)", "a load cannot be release", "relaxed, acquire, seq_cst"),
    ("x.load(«acq_rel»)", "a load cannot be acq_rel", "relaxed, acquire, seq_cst"),
    ("x.store(1, «acquire»)", "a store cannot be acquire", "relaxed, release, seq_cst"),
    ("x.store(1, order=«acq_rel»)", "a store cannot be acq_rel", "relaxed, release, seq_cst"),
    ("x.compare_exchange(0, 1, acq_rel, «release»)", "that fails cannot be release", "acquire"),
    ("fence(«relaxed»)", "a fence cannot be relaxed", "do nothing"),
    ("x.fetch_add(1, «5»)", "'5' is not an order", "acq_rel"),
    ("x.store(1, «x.load()»)", "is not an order", "release"),
    ("x.store(«release», release)", "'release' is not an integer", None),
    ("«x.stroe»(1)", "'x' has no 'stroe'", "'store'"),
    ("«m.load»()", "'m' has no 'load'", "'lock'"),
    ("y = «xx».load()", "unknown name 'xx'", "'x'"),
    ("«asume»(1)", "unknown name 'asume'", "'assume'"),
    ("«x.store()»", "'store' takes 1 to 2 arguments (value, order), not 0", None),
    ("«x.store(1, release, 2)»", "'store' takes 1 to 2 arguments", None),
    ("x.store(1, «ordre=release»)", "no parameter 'ordre'", "'order'"),
    ("x.store(1, «value=2»)", "'value' is given twice", None),
    ("x.store(«*a»)", "starred arguments", "one by one"),
    ("y = «one()»", "'one' takes 1 argument (n), not 0", None),
    ("t = «spawn(one)»", "'one' takes 1 argument (n), not 0", None),
    ("«x» = 1", "'x' is a shared object and cannot be set", "x.store"),
    ("«x» += 1", "'x' is a shared object and cannot be set", "x.store"),
    ("for «x» in range(3):\n    pass", "'x' is a shared object and cannot be set", None),
    ("«a[0]» = 1", "'a[0]' cannot be set", "a[0].store"),
    ("«a[0]» += 1", "'a[0]' cannot be set", "a[0].store"),
    ("«a».store(1)", "'a' is an array", "a[i].store"),
    ("y = «a[7]».load()", "the array has 3 elements", None),
    ("y = «a[1.5]».load()", "cannot be interpreted as an integer", None),
    ("y = a[«1:2»]", "an index is one number", None),
    ("y = «x» + 1", "'x' is a shared object, not a number", "x.load(order)"),
    ("q = a[x.load()]\ny = «q» + 1", "'q' is a shared object, not a number", "q.load(order)"),
    ("if «x»:\n    pass", "'x' is a shared object, not a number", "x.load(order)"),
    ("if «a»:\n    pass", "'a' is a shared array, not a number", "a[0]"),
    ("while «x.load»:\n    pass", "'load' is not called", "x.load(…)"),
    ("if «one»:\n    pass", "'one' is a function", "call it"),
    ("«d.fetch_add»(1)", "'d' is plain", "p.int"),
    ("«d.load(acquire)»", "'load' takes 0 arguments", "plain access has no order"),
    ("y = «x.value»", "'x' is atomic", "x.load(order)"),
    ("«x.value» = 1", "'x' is atomic", "x.load(order)"),
    ("with «x»:\n    pass", "'with' needs a mutex", "p.mutex"),
    ("with m as «k»:\n    pass", "'with … as'", "with m:"),
    ("y = 1\n«y».load()", "'y' is a number and has no 'load'", None),
    ("y = «nothing(1)»", "'nothing(1)' has no value", "statement"),
    ("y = «maybe(x.load())»", "'maybe(x.load())' has no value", None),
    ("y = «undecorated»(1)", "not a function that threads can call", "@p.function"),
    ("«print(1)»", "cannot print", "assert"),
    ("«started()»", "'started' is a thread", "@p.function"),
    ("«spawn(started)»", "starts by itself", "@p.function"),
    ("«spawn(1)»", "'spawn' needs a function", "spawn(worker, 1)"),
    ("t = spawn(one, 1)\ny = «t» + 1", "'t' is a thread, not a number", "join()"),
    ("«join(one)»", "no thread of 'one' starts by itself", "spawn"),
    ("join(«5»)", "waits for a thread", None),
    ("for i in «x»:\n    pass", "'x' cannot be looped over", "range"),
    ("for i in range(0, 3, «x.load()»):\n    pass", "step of a range", None),
    ("for i in reversed(«range(x.load())»):\n    pass", "reversed range", "count down"),
    ("assert 1, «x.load()»", "message of an assertion", None),
    ("q = a[0]\n«q» = 1", "'q' is a shared atomic integer elsewhere", "two variables"),
    ("y, z = «x.load()»", "is one value, not several", None),
    ("y, z = «1, 2, 3»", "3 values for 2 variables", None),
    ("«*y», z = 1, 2", "starred expressions are not supported", None),
    ("y = «LOCKS»", "of type list", None),
    ("«stranger».store(1)", "'s' belongs to another program", "declare it"),
    ("«strangers»[x.load()].store(1)", "'ss' belongs to another program", "declare it"),
    ("at(5, «'float'»).load()", "not a type", "int64"),
    ("address(«5»)", "not a shared object", "address(x)"),
    ("ä = 1; «x.stroe»(ä)", "'x' has no 'stroe'", "'store'"),
]


def compile_body(folder: Path, body: str) -> None:
    path = folder / "wrong.py"
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    path.write_text(HEADER + lines, encoding="utf-8")
    load_programs(str(path), ["p"])


@pytest.mark.parametrize(("marked", "message", "hint"), CASES, ids=[c[0].split("\n")[-1] for c in CASES])
def test_what_threads_cannot_do(tmp_path: Path, marked: str, message: str, hint: str | None) -> None:
    before, part, _ = (marked.replace("»", "«")).split("«")
    with pytest.raises(porf.ProgramError) as caught:
        compile_body(tmp_path, marked.replace("«", "").replace("»", ""))
    error = caught.value
    assert message in error.message
    assert hint is None or hint in (error.hint or "")
    assert error.source == str(tmp_path / "wrong.py")
    assert error.line == FIRST + before.count("\n")
    assert error.column == 5 + len(before.split("\n")[-1])
    assert error.width == len(part)
    assert str(error).splitlines()[2] == " " * (error.column + 1) + "^" * len(part)


@pytest.mark.parametrize(("call", "line"), [("f(1)", "def g(n): return f(n)"), ("itself(x.load())", "def itself(n)")])
def test_recursion_is_refused(tmp_path: Path, call: str, line: str) -> None:
    with pytest.raises(
        porf.ProgramError, match=f"recursion without bound: '{call.split('(')[0]}' calls itself"
    ) as caught:
        compile_body(tmp_path, call)
    assert caught.value.text is not None
    assert caught.value.text.startswith(line)


@pytest.mark.parametrize(
    "body",
    [
        "for i in range(2):\n    y = i\nx.store(y)",
        "while True:\n    y = 1\n    if x.load():\n        break\nx.store(y)",
        "if x.load():\n    return\nelse:\n    y = 1\nx.store(y)",
        "if x.load():\n    assert False\nelse:\n    y = 1\nx.store(y)",
        "while (y := x.load()) == 0:\n    pass\nx.store(y)",
        "if LOCKS:\n    y = 1\nx.store(y)",
    ],
)
def test_variables_that_are_surely_set(tmp_path: Path, body: str) -> None:
    compile_body(tmp_path, body)


DECLARATIONS = [
    ('p.int("x")\np.int("x")', 2, "'x' is declared twice", None),
    ('p.int("x", type="i23")', 1, "unknown type 'i23'", "did you mean"),
    ('p.int("x", 300, type="u8")', 1, "'x' cannot be 300 initially", "from 0 to 255"),
    ('p.int("x", 1.5)', 1, "'x' cannot be 1.5 initially", None),
    ('p.int("a b")', 1, "cannot be the name", "no blanks"),
    ('p.array("a", 0)', 1, "'a' cannot have 0 elements", None),
    ('p.array("a", 2, initial=[1])', 1, "2 elements, and 1 initial values", None),
    ("p.thread(1)", 1, "1 is not a function", "def"),
    ("p.thread(copies=2, args=[1])", 1, "copies or args", None),
    ("p.thread(copies=-1)", 1, "number of copies", None),
    ("@p.thread\nasync def f(): pass", 1, "asynchronous", "def"),
    ("@p.thread\ndef f(*many): pass", 1, "starred parameter 'many'", None),
    ("x = p.int('x')\nx.load()", 2, "load was called by Python itself", "@p.thread"),
    ("@p.function\ndef f(): pass\nf()", 3, "'f' was called by Python itself", "@p.thread"),
    ("@p.final\ndef f(): pass\n@p.final\ndef g(): pass", 3, "'f' is final already", None),
    ("pass", None, "program 'wrong' has no threads", "@p.thread"),
    ("@p.thread(copies=0)\ndef f(): pass", None, "program 'wrong' has no threads", "@p.thread"),
    ("@p.thread\ndef f(n): pass", 2, "takes 1 arguments, and 0 are given", "args="),
    ("@p.thread(args=[(1, 2)])\ndef f(n): pass", 2, "takes 1 arguments, and 2 are given", "args="),
]


@pytest.mark.parametrize(
    ("text", "line", "message", "hint"), DECLARATIONS, ids=[d[0].split("\n")[-1] for d in DECLARATIONS]
)
def test_declarations(tmp_path: Path, text: str, line: int | None, message: str, hint: str | None) -> None:
    path = tmp_path / "wrong.py"
    path.write_text(f'import porf\np = porf.program("wrong")\n{text}\n', encoding="utf-8")
    with pytest.raises(porf.PorfError) as caught:
        load_programs(str(path))
    assert message in caught.value.message
    assert hint is None or hint in (caught.value.hint or "")
    assert caught.value.source == str(path)
    assert caught.value.line == (2 if line is None else line + 2)
