"""Logs of registers as Jepsen and Porcupine have them: read, and their linearizability by brute force."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest

import porf
from porf.checking import check
from porf.errors import FormatError, UsageError
from porf.execution import INITIAL, UNKNOWN
from porf.formats import dumps, loads
from tests.seeds import seeds

Event = tuple[int, str, str, Any]  # process, type, f, value


def random_log(rng: random.Random) -> list[Event]:
    """Clients of a register with few values that is right, mostly; outcomes get lost."""
    events: list[Event] = []
    holds: int | None = None
    running: dict[int, list[Any]] = {}
    for _ in range(rng.randint(6, 26)):
        process = rng.randrange(3) if rng.random() < 0.7 or not running else rng.choice(list(running))
        if process not in running:
            f = rng.choice(("read", "write", "write", "cas"))
            value = None if f == "read" else rng.randrange(3) if f == "write" else [rng.randrange(3), rng.randrange(3)]
            running[process] = [f, value, None]
            events.append((process, "invoke", f, value))
            continue
        f, value, done = running[process]
        if done is None:  # it takes effect
            if f == "read":
                done = ("ok", holds if rng.random() < 0.6 else rng.randrange(3))
            elif f == "write":
                holds, done = value, ("ok", value)
            elif holds == value[0]:
                holds, done = value[1], ("ok", value)
            else:
                done = ("fail", value)
            running[process][2] = done
            if rng.random() < 0.5:
                continue
        del running[process]
        if rng.random() < 0.1:
            events.append((process, "info", f, value))
        else:
            events.append((process, done[0], f, done[1]))
    return events


def edn(events: list[Event]) -> str:
    def word(value: Any) -> str:
        if isinstance(value, list):
            return "[" + " ".join(map(word, value)) + "]"
        return "nil" if value is None else str(value)

    lines = [f"{{:process {p}, :type :{t}, :f :{f}, :value {word(v)}}}" for p, t, f, v in events]
    return "\n".join(lines)


def linearizable(events: list[Event]) -> bool:
    """All orders of the operations, on the log itself."""
    operations: list[list[Any]] = []
    running: dict[int, int] = {}
    for at, (process, kind, f, value) in enumerate(events):
        if kind == "invoke":
            running[process] = len(operations)
            operations.append([at, None, f, value, None])
        elif kind != "info":
            operation = operations[running.pop(process)]
            operation[1], operation[3], operation[4] = at, value if f == "read" else operation[3], kind
    operations = [o for o in operations if not (o[2] == "read" and o[4] is None)]

    def extend(done: frozenset[int], holds: int | None) -> bool:
        left = [i for i in range(len(operations)) if i not in done]
        if all(operations[i][1] is None for i in left):
            return True
        for i in left:
            start, _, f, value, kind = operations[i]
            if any(operations[j][1] is not None and operations[j][1] < start for j in left if j != i):
                continue
            if f == "read":
                found, after = holds == value, holds
            elif f == "write":
                found, after = True, value
            else:
                found, after = (holds != value[0], holds) if kind == "fail" else (holds == value[0], value[1])
            if found and extend(done | {i}, after):
                return True
        return False

    return extend(frozenset(), None)


@pytest.mark.parametrize("seed", seeds(4, 16))
def test_random_logs(seed: int) -> None:
    rng = random.Random(seed)
    answers = []
    for _ in range(700):
        events = random_log(rng)
        try:
            execution = loads(edn(events), None)
        except FormatError:
            continue  # nothing in it has an outcome
        verdict = check(execution, "lin", verify=True)
        assert verdict.consistent == linearizable(events), edn(events)
        answers.append(verdict.consistent)
    assert 0.2 < sum(answers) / len(answers) < 0.95


LOG = """
{:process 0, :type :invoke, :f :write, :value 3}
{:process 1, :type :invoke, :f :read, :value nil}
{:process :nemesis, :type :info, :f :start, :value nil}
{:process 0, :type :ok, :f :write, :value 3}
{:process 1, :type :ok, :f :read, :value nil}
{:process 1, :type :invoke, :f :cas, :value [3 4]}
{:process 0, :type :invoke, :f :cas, :value [3 5]}
{:process 1, :type :ok, :f :cas, :value [3 4]}
{:process 0, :type :fail, :f :cas, :value [3 5]}
"""
LINES = """
INFO  jepsen.core - starting
INFO  jepsen.util - 0\t:invoke\t:write\t3
INFO  jepsen.util - 1\t:invoke\t:read\tnil
INFO  jepsen.util - 0\t:ok\t:write\t3
INFO  jepsen.util - 1\t:ok\t:read\tnil
INFO  jepsen.util - 1\t:invoke\t:cas\t[3 4]
INFO  jepsen.util - 0\t:invoke\t:cas\t[3 5]
INFO  jepsen.util - 1\t:ok\t:cas\t[3 4]
INFO  jepsen.util - 0\t:fail\t:cas\t[3 5]
"""
JSON = "\n".join(
    json.dumps({"process": process, "type": kind, "f": f, "value": value})
    for process, kind, f, value in (
        (0, "invoke", "write", 3),
        (1, "invoke", "read", None),
        (0, "ok", "write", 3),
        (1, "ok", "read", None),
        (1, "invoke", "cas", [3, 4]),
        (0, "invoke", "cas", [3, 5]),
        (1, "ok", "cas", [3, 4]),
        (0, "fail", "cas", [3, 5]),
    )
)


@pytest.mark.parametrize("text", [LOG, LINES, JSON, f"[{LOG}]", LOG.replace("\n{", "\n#jepsen.history.Op{")])
def test_notations_mean_the_same(text: str) -> None:
    execution = loads(text, None)
    described = [execution.describe(row) for row in range(len(execution))]
    assert described == ["w register 3", "r register nil", "u register 3->4", "r register !3"]
    assert execution.rf.tolist() == [INITIAL, INITIAL, 0, UNKNOWN]
    assert check(execution, "lin", verify=True).consistent


def test_independent_keys() -> None:
    execution = loads(
        """{:process 0 :type :invoke :f :write :value [7 3]}
        {:process 1 :type :invoke :f :cas :value [8 [nil 4]]}
        {:process 0 :type :ok :f :write :value [7 3]}
        {:process 1 :type :ok :f :cas :value [8 [nil 4]]}
        {:process 1 :type :invoke :f :read :value [7 nil]}
        {:process 1 :type :ok :f :read :value [7 3]}""",
        None,
    )
    assert [execution.describe(row) for row in range(3)] == ["w 7 3", "u 8 nil->4", "r 7 3"]
    assert check(execution, "lin", verify=True).consistent


def store(*gets: str) -> str:
    def event(process: int, kind: str, f: str, value: str) -> str:
        return f'{{:process {process}, :type :{kind}, :f :{f}, :key "0", :value {value}}}'

    lines = []
    for process, word in ((0, '"x 0 0 y"'), (1, '"x 1 0 y"'), (2, '"x 2 0 y"')):
        lines += [event(process, "invoke", "append", word), event(process, "ok", "append", word)]
    for text in gets:
        lines += [event(3, "invoke", "get", "nil"), event(3, "ok", "get", f'"{text}"')]
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("gets", "expected"),
    [
        (("x 0 0 yx 1 0 yx 2 0 y",), True),
        (("x 0 0 yx 1 0 y",), False),  # the last append had ended
        (("x 1 0 yx 0 0 yx 2 0 y",), False),  # the other way round
        (("x 0 0 yx 1 0 yx 2 0 y", ""), False),
        (("x 0 0 yx 1 0 yx 9 9 y",), False),  # nobody appends that
        ((), True),
    ],
)
def test_stores_with_append(gets: tuple[str, ...], expected: bool) -> None:
    assert check(loads(store(*gets), None), "lin", verify=True).consistent == expected


def test_times_are_those_of_the_log_where_they_tell_its_order() -> None:
    lines = [
        "{:process 0 :type :invoke :f :write :value 1 :time 100}",
        "{:process 0 :type :ok :f :write :value 1 :time 250}",
    ]
    execution = loads("\n".join(lines), None)
    assert execution.remarks(0) == "time=100..250"
    assert loads("\n".join(lines).replace("250", "100"), None).remarks(0) == "time=0..1"


@pytest.mark.parametrize(
    ("text", "said", "line", "column"),
    [
        ("{:process 0 :type :invoke :f :write :value 1}\n{:process 0 :type :invoke :f :read}", "already runs", 2, 1),
        ("{:process 0 :type :ok :f :write :value 1}", "runs no operation", 1, 1),
        ("{:process 0 :type :invoked :f :write :value 1}", "unknown type 'invoked'", 1, 19),
        ("{:process 0 :type :invoke :f :wriet :value 1}", "unknown operation 'wriet'", 1, 30),
        ("{:process 0 :type :invoke :f :cas :value 1}", "this is no pair", 1, 42),
        ("{:process 0 :type :invoke :f :write :value {:a 1}}", "no value of a register", 1, 44),
        ("{:process 0 :type :invoke :f :write :value 1", "never closed", 1, 1),
        ("{:process 0 :type :invoke :f :write :value]", "does not close", 1, 43),
        ("{:type :invoke :process 0}", "has no :f", 1, 1),
        (
            "{:process 0 :type :invoke :f :read :time 5}\n{:process 0 :type :ok :f :read :value 1 :time 4}",
            "time runs backwards: 4 after 5",
            2,
            1,
        ),
        (
            "{:process 0 :type :invoke :f :write :value 1}\n{:process 0 :type :ok :f :write :value 2}",
            "another value than that of the invocation",
            2,
            40,
        ),
        (
            "{:process 0 :type :invoke :f :write :value 1}\n{:process 0 :type :ok :f :read :value 1}",
            "does not run",
            2,
            1,
        ),
        ("{:process 0 :type :invoke :f :read :value nil}", "has an outcome", None, None),
        ('{"process": 0, "type": "invoke", "f": "read"}\n{"process"', "this is no JSON", 2, 11),
    ],
)
def test_bad_logs(text: str, said: str, line: int | None, column: int | None) -> None:
    with pytest.raises(FormatError, match=re.escape(said)) as raised:
        loads(text, None)
    assert (raised.value.line, raised.value.column) == (line, column)


def test_other_models_want_to_know_who_is_read() -> None:
    with pytest.raises(FormatError, match="may be what 'r register !3' reads"):
        check(loads(LOG, None), "sc")


def test_it_is_only_read() -> None:
    with pytest.raises(UsageError, match="unknown format"):
        dumps(loads(LOG, None), "jepsen")


@pytest.mark.parametrize("value", ["3", "99999999999999999999", "9" * 5000], ids=["small", "large", "endless"])
def test_what_a_failed_comparison_excludes(value: str) -> None:
    def log(written: str, compared: str) -> porf.Execution:
        lines = [f"0\t:invoke\t:write\t{written}", f"0\t:ok\t:write\t{written}"]
        lines += [f"1\t:{kind}\t:cas\t[{compared} 4]" for kind in ("invoke", "fail")]
        return loads("".join(f"INFO  jepsen.util - {line}\n" for line in lines).encode(), "jepsen")

    assert porf.check(log(value, value), "lin").inconsistent
    other = porf.check(log("5", value), "lin")
    other.verify()
    assert other.consistent and "e1 reads e0" in other.report()
    assert other.record()["writers"] == {"e1": "e0"}
