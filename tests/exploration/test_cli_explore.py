"""`porf explore` as people and scripts meet it: exit codes, records, budgets, processes, checkpoints, wrong calls."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from porf._core import BugKind
from porf.cli import main
from porf.exploration.token import Target, encode
from tests.cli.calling import PORF, refused
from tests.exploration import buggy_programs

EXAMPLES = Path(__file__).parents[2] / "examples"
LITMUS, PROGRAMS = EXAMPLES / "litmus", EXAMPLES / "programs"
SB, MP, LB, COWW = (str(LITMUS / f"{name}.litmus") for name in ("SB", "MP", "LB", "CoWW"))
BUGGY = str(Path(buggy_programs.__file__))
FIB = [str(PROGRAMS / "fib_bench.py"), "-m", "ra"]
COUNTS = ("executions", "blocked", "verdict", "errors")


def records(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> list[dict[str, Any]]:
    assert main(["explore", *arguments, "--json"]) == code
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def record(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> dict[str, Any]:
    [one] = records(capsys, *arguments, code=code)
    return one


def words(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    assert main(["explore", *arguments]) == code
    return capsys.readouterr().out


# exit codes and records


@pytest.mark.parametrize(
    ("file", "condition", "model", "code"),
    [
        ("SB", "exists (0:r0=0 /\\ 1:r0=0)", "ra", 0),  # seen: an observation
        ("SB", "exists (0:r0=0 /\\ 1:r0=0)", "sc", 0),  # not seen: one, too
        ("SB", "~exists (0:r0=0 /\\ 1:r0=0)", "ra", 1),
        ("SB", "~exists (0:r0=0 /\\ 1:r0=0)", "sc", 0),
        ("SB", "forall (0:r0=1 \\/ 1:r0=1)", "ra", 1),
        ("SB", "forall (0:r0=1 \\/ 1:r0=1)", "sc", 0),
    ],
)
def test_what_a_condition_means_for_the_exit_code(
    file: str, condition: str, model: str, code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (LITMUS / f"{file}.litmus").read_text()
    path = tmp_path / "test.litmus"
    path.write_text(text[: text.index("exists")] + condition + "\n")
    found = record(capsys, str(path), "-m", model, code=code)
    assert found["verdict"] == ("safe" if code == 0 else "unsafe")


def test_a_record_has_the_fields_of_the_design(capsys: pytest.CaptureFixture[str]) -> None:
    fields = ["program", "model", "verdict", "executions", "blocked", "errors", "algorithm", "seconds"]
    test = record(capsys, SB, "-m", "sc")
    assert list(test) == [*fields, "observation", "states"]
    assert (test["observation"], len(test["states"]), test["executions"]) == ("Never", 3, 3)
    assert {"0:r0": 1, "1:r0": 0} in test["states"]
    bad = record(capsys, f"{BUGGY}:deadlock", "-m", "ra", code=1)
    assert [f for f in bad if f in fields] == fields
    [error] = bad["errors"]
    assert {"kind", "message", "where", "execution"} <= error.keys()
    assert [place["thread"] for place in error["where"]] == ["left", "right"]
    assert all(place["place"].startswith(BUGGY) for place in error["where"])
    assert error["execution"][0] == "left u a 0->1 acq"


def test_several_programs_and_models_in_one_call(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One bad file does not lose the others, and the worst answer is the exit code."""
    bad = tmp_path / "bad.litmus"
    bad.write_text("C bad\n{ }\nP0 (atomic_int* x) { atomic_lead(x); }\nexists (x=1)\n")
    assert main(["explore", SB, str(bad), MP, "-m", "sc,ra", "--json"]) == 2
    out, err = capsys.readouterr()
    found = [json.loads(line) for line in out.splitlines()]
    [wrong] = [r["error"] for r in found if "error" in r]
    assert (wrong["file"], wrong["line"]) == (str(bad), 3)
    found = [r for r in found if "error" not in r]
    assert [(r["program"], r["model"]) for r in found] == [(p, m) for p in ("SB", "MP") for m in ("sc", "ra")]
    assert f"{bad}:3" in err and "Traceback" not in err
    assert [r["model"] for r in records(capsys, SB, LB, "-m", "sc,ra,rc20")] == ["sc", "ra", "rc20"] * 2
    assert main(["explore", SB, f"{BUGGY}:division", "-m", "sc"]) == 1
    assert main(["explore", *FIB, "-D", "n=4", "--limit", "5"]) == 3


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([SB, "-m", "raa"], "unknown model 'raa'"),
        ([SB, "-m", "nosuch.cat"], "nosuch.cat"),
        ([SB, "-m", ","], "no model is named"),
        (["nosuch.c", "-m", "ra"], "nosuch.c: no such file"),
        (["nosuch.py", "-m", "ra"], "nosuch.py: no such file"),
        (["nosuch.litmus", "-m", "ra"], "nosuch.litmus: no such file"),
        ([str(PROGRAMS), "-m", "ra"], "there is no litmus test in this directory"),
        ([f"{BUGGY}:divisoin", "-m", "ra"], "did you mean 'division'?"),
        ([f"{SB}:x", "-m", "ra"], "no such file"),
        ([SB, "-m", "ra", "-D", "n=3"], "a litmus test has no parameters"),
        ([*FIB, "-D", "n"], "there is no '='"),
        ([*FIB, "-D", "n=many"], "-D n=many is not NAME=NUMBER"),
        ([*FIB, "-D", "k=3"], "no program has a parameter 'k'"),
        ([*FIB, "--limit", "0"], "'0' is not a positive whole number"),
        ([*FIB, "--seconds", "-1"], "'-1' is not a positive number"),
        ([*FIB, "--unroll", "x"], "'x' is not a positive whole number"),
        ([*FIB, "--jobs", "0"], "'0' is not a positive whole number"),
        ([*FIB, "--strategy", "trusst"], "did you mean 'trust'?"),
        ([*FIB, "--equivalence", "co"], "unknown equivalence 'co'"),
        ([*FIB, "--strategy", "tracer", "--jobs", "2"], "tracer keeps schedules in memory"),
        ([FIB[0], "-m", "c11"], "c11 allows values out of thin air"),
        ([SB, "-m", "ra,sc", "--replay", "abc-AA"], "--replay is for one program under one model"),
        ([SB, MP, "-m", "ra", "--checkpoint", "c"], "--checkpoint is for one program under one model"),
        ([BUGGY, "-m", "ra", "--checkpoint", "c"], "a checkpoint is for one"),
        ([*FIB, "-D", "n=2", "--checkpoint", "c", "--self-check"], "the self-check does not support checkpoints"),
        ([*FIB, "-D", "n=2", "--checkpoint", "no/such/folder"], "cannot write the checkpoint"),
        (["-m", "ra"], "no program is named"),
    ],
)
def test_a_wrong_call_is_refused_with_a_hint(
    arguments: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert said in refused(capsys, "explore", *arguments)


def test_tokens_that_are_none(capsys: pytest.CaptureFixture[str]) -> None:
    token = record(capsys, f"{BUGGY}:deadlock", "-m", "ra", code=1)["errors"][0]["replay"]
    head, _, body = token.partition("-")
    call = ["explore", f"{BUGGY}:deadlock", "-m", "ra", "--replay"]
    for wrong in (head, f"{head}-", f"{head}-{body}AAAA", f"{head}-{body[:-2]}", f"{head}-????", f"{head}-AwF_f38"):
        assert "is damaged" in refused(capsys, *call, wrong), wrong
    for path in ([2**31], [2**64], [10**60]):  # what the core does not count with, and the checksum is right
        target = Target(BugKind.DEADLOCK, 1, 1, path)
        assert "is damaged" in refused(capsys, *call, encode(head, target))
    assert "is damaged" in refused(capsys, *call, encode(head, Target(BugKind.DEADLOCK, 1, 1, [9, 9])))
    state = encode(head, Target(BugKind.CONDITION, 0, 0, [0]))  # this program has no final states to judge
    assert "that the program does not have" in refused(capsys, *call, state)
    for foreign in ("", "x", "-", f"000000-{body}"):
        assert "does not belong to deadlock under ra" in refused(capsys, *call, foreign)
    assert "under sc" in refused(capsys, "explore", f"{BUGGY}:deadlock", "-m", "sc", "--replay", token)
    assert "does not belong to" in refused(capsys, "explore", SB, "-m", "ra", "--replay", token)
    assert "does not belong to" in refused(capsys, "explore", BUGGY, "-m", "sc", "--replay", token)


# budgets


def test_a_limit_leaves_it_undecided(capsys: pytest.CaptureFixture[str]) -> None:
    out = words(capsys, *FIB, "-D", "n=4", "--limit", "100", code=3)
    assert "undecided under ra: the limit of 100 executions was reached" in out
    assert "  at least 100 complete executions (" in out and "about" not in out and "safe" not in out
    found = record(capsys, *FIB, "-D", "n=4", "--limit", "100", code=3)
    assert (found["verdict"], found["executions"]) == ("undecided", 100)
    assert "estimate" not in found
    assert record(capsys, *FIB, "-D", "n=1", "--limit", "1000000")["verdict"] == "safe"


def test_a_limit_that_is_exactly_all_is_no_limit(capsys: pytest.CaptureFixture[str]) -> None:
    all_of_them = record(capsys, SB, "-m", "ra")["executions"]
    assert record(capsys, SB, "-m", "ra", "--limit", str(all_of_them))["verdict"] == "safe"
    partial = record(capsys, SB, "-m", "ra", "--limit", str(all_of_them - 1), code=3)
    assert (partial["verdict"], partial["executions"]) == ("undecided", all_of_them - 1)


def test_a_limit_counts_executions_that_fail(capsys: pytest.CaptureFixture[str]) -> None:
    found = record(capsys, f"{BUGGY}:several", "-m", "ra", "--keep-going", "--limit", "1", code=1)
    assert found["executions"] <= 1


def test_what_a_budget_left_open_is_not_observed(capsys: pytest.CaptureFixture[str]) -> None:
    found = record(capsys, SB, "-m", "sc", "--limit", "1", code=3)
    assert (found["verdict"], found["observation"]) == ("undecided", None)
    assert words(capsys, SB, "-m", "sc", "--limit", "1", code=3).startswith("Not all executions were explored")


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_time_that_is_up_leaves_it_undecided(jobs: str, capsys: pytest.CaptureFixture[str]) -> None:
    out = words(capsys, *FIB, "-D", "n=7", "--seconds", "0.3", "--jobs", jobs, code=3)
    assert "fib_bench(7): undecided under ra: the time is up (0.3 s)" in out
    assert re.search(r"at least \d+ complete executions \(", out) and ": safe" not in out


def test_memory_that_is_used_up_leaves_it_undecided(capsys: pytest.CaptureFixture[str]) -> None:
    for jobs in ("1", "2"):
        out = words(capsys, *FIB, "-D", "n=5", "--self-check", "--memory", "1", "--jobs", jobs, code=3)
        assert "undecided under ra: the memory is used up" in out
    assert words(capsys, *FIB, "-D", "n=4", "--memory", "100")


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupt_ends_a_long_run_with_what_is_known(jobs: str, tmp_path: Path) -> None:
    """The second of three programs is interrupted, and the third is not begun."""
    path = tmp_path / "three.py"
    path.write_text(
        f"import sys\nsys.path.insert(0, {str(PROGRAMS)!r})\nfrom fib_bench import fib_bench\n"
        "short, long, other = fib_bench(1), fib_bench(8), fib_bench(7)\n"
    )
    call = [PORF, "explore", str(path), "-m", "ra", "--jobs", jobs]
    with subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "fib_bench(1): safe under ra\n"
        time.sleep(1)
        assert process.poll() is None, "the exploration was not long"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (3, f"interrupted; left out: {path}: fib_bench(7)\n")
    assert "fib_bench(8): undecided under ra: it was interrupted" in out
    assert re.search(r"at least \d+ complete executions \(", out)
    assert "fib_bench(7)" not in out


def test_ctrl_c_during_the_search_for_a_repair_leaves_the_bug(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("porf.synthesis.repairs.repairs", interrupted)
    assert main(["explore", f"{BUGGY}:race_of_read_and_write"]) == 3
    out, err = capsys.readouterr()
    assert "race_of_read_and_write: unsafe under cpp20: data race\n" in out
    assert "  Repair: the search for one was interrupted" in out
    assert err == "interrupted\n"


def test_what_was_done_before_an_interrupt_is_in_the_checkpoint(tmp_path: Path) -> None:
    half = tmp_path / "half"
    call = [PORF, "explore", *FIB, "-D", "n=8", "--checkpoint", str(half)]
    with subprocess.Popen(call, stdout=subprocess.PIPE, text=True) as process:
        while process.poll() is None and not half.exists():  # it is there before exploration begins
            time.sleep(0.05)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=30)
    assert process.returncode == 3
    known = int(out.split(" complete executions")[0].split()[-1])
    assert json.loads(half.read_text())["data"]["counts"]["complete"] == known > 0


# processes and checkpoints


@pytest.mark.parametrize(
    "arguments",
    [
        [*FIB, "-D", "n=5"],
        [str(PROGRAMS / "exponential_bug.py"), "-m", "ra", "-D", "n=6"],
        [str(LITMUS / "IRIW.litmus"), "-m", "ra"],
        [str(PROGRAMS / "n_writers_a_reader.py"), "-m", "ra", "-D", "n=6", "--equivalence", "mo"],
        [f"{BUGGY}:several", "-m", "ra", "--keep-going"],
    ],
)
def test_several_processes_find_the_same(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    code = 1 if "--keep-going" in arguments else 0
    alone = record(capsys, *arguments, "--self-check", code=code)
    shared = record(capsys, *arguments, "--self-check", "--jobs", "2", code=code)
    for one in (alone, shared):
        assert one.pop("duplicates") == 0
        del one["seconds"]
    assert shared == alone


@pytest.mark.parametrize("stop", [["--limit", "20000"], ["--seconds", "0.3"]])
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_checkpoint_is_resumed_to_the_same_end(
    stop: list[str], jobs: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call = [*FIB, "-D", "n=6", "--checkpoint", str(tmp_path / "half"), "--jobs", jobs]
    whole = record(capsys, *FIB, "-D", "n=6")
    first = record(capsys, *call, *stop, code=3)
    assert 0 < first["executions"] < whole["executions"] == 8149694
    second = record(capsys, *call, *stop, code=3)
    assert second["executions"] > first["executions"]
    last = record(capsys, *call)
    assert [last[name] for name in COUNTS] == [whole[name] for name in COUNTS]
    assert [record(capsys, *call)[name] for name in COUNTS] == [whole[name] for name in COUNTS]  # nothing is left


def test_a_checkpoint_keeps_states_and_bugs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, code in (([str(LITMUS / "IRIW.litmus")], 0), ([f"{BUGGY}:several", "--keep-going"], 1)):
        call = [*arguments, "-m", "ra", "--checkpoint", str(tmp_path / f"half{code}")]
        for _ in range(40):
            assert main(["explore", *call, "--limit", "1"]) in (code, 3)
        capsys.readouterr()
        last, whole = record(capsys, *call, code=code), record(capsys, *arguments, "-m", "ra", code=code)
        for one in (last, whole):
            del one["seconds"]
        assert last == whole


def test_a_file_that_is_no_checkpoint_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "half"
    call = ["explore", *FIB, "--checkpoint", str(path)]
    assert main([*call, "-D", "n=4", "--limit", "10"]) == 3
    capsys.readouterr()
    good = path.read_text()
    damaged = [good[:-20], good.replace('"complete": 10', '"complete": 11'), "[]", "{}", "", "\0", "no checkpoint", "1"]
    damaged += ["[" * 100_000, '{"porf checkpoint": "", "data": 3}']
    for text in damaged:
        path.write_text(text)
        assert "is not a checkpoint, or it is damaged" in refused(capsys, *call, "-D", "n=4")
        assert path.read_text() == text
    path.write_text(good)
    for other in (
        ["-D", "n=5"],
        ["-D", "n=4", "--unroll", "3"],
        ["-D", "n=4", "--keep-going"],
        ["-D", "n=4", "-m", "sc"],
    ):
        assert "is a checkpoint of another exploration" in refused(capsys, *call, *other)
        assert path.read_text() == good
    path.unlink()
    path.mkdir()
    assert "cannot read the checkpoint" in refused(capsys, *call, "-D", "n=4")


# what is explored


def test_modification_orders_are_told_apart_if_asked(capsys: pytest.CaptureFixture[str]) -> None:
    file = str(PROGRAMS / "n_writers_a_reader.py")
    for n, orders in ((2, 2), (3, 6), (4, 24)):
        call = [file, "-m", "ra", "-D", f"n={n}"]
        assert record(capsys, *call)["executions"] == n + 1
        assert record(capsys, *call, "--equivalence", "mo")["executions"] == (n + 1) * orders


@pytest.mark.parametrize("program", ["fib_bench", "ainc", "exponential_bug", "filesystem", "treiber_stack", "seqlock"])
def test_both_strategies_find_the_same(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    call = [str(PROGRAMS / f"{program}.py"), "-m", "ra", "--self-check"]
    trust, tracer = records(capsys, *call), records(capsys, *call, "--strategy", "tracer")
    for one, other in zip(trust, tracer, strict=True):
        assert [one[name] for name in COUNTS if name != "blocked"] == [
            other[name] for name in COUNTS if name != "blocked"
        ]
        assert one["blocked"] <= other["blocked"]  # trust leaves out those that only wait
        assert one["duplicates"] == other["duplicates"] == 0
        assert other["algorithm"].startswith("tracer/")


def test_a_loop_that_waits_is_said_to_be_pruned(capsys: pytest.CaptureFixture[str]) -> None:
    file = PROGRAMS / "message_passing.py"
    line = next(n for n, text in enumerate(file.read_text().splitlines(), 1) if "while" in text)
    out = words(capsys, f"{file}:message_passing", "-m", "rc20")
    assert f"the loop at {file}:{line}:5 only waits" in out
    assert "1 complete execution (" in out
    assert "1 complete execution, 1 blocked" in words(capsys, f"{file}:message_passing", "-m", "rc20", "--liveness")


LOOP = """import porf

p = porf.program("loop")
x = p.int("x")


@p.thread
def counts():
    while x.fetch_add(1) < 1500:
        pass
"""


def test_a_loop_that_is_cut_leaves_it_undecided(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "loop.py"
    path.write_text(LOOP)
    out = words(capsys, str(path), "-m", "ra", "--unroll", "5", code=3)
    assert f"undecided under ra: the loop at {path}:9:5 was cut off after 5 turns" in out
    assert f"\n    porf explore {path} --model ra --unroll 10" in out
    assert "loop: safe under ra" in words(capsys, str(path), "-m", "ra", "--unroll", "1600")
    path.write_text(LOOP.replace("1500", "15000"))
    out = words(capsys, str(path), "-m", "ra", code=3)  # unless said otherwise
    assert f"the loop at {path}:9:5 ran 10000 times" in out
    assert f"\n    porf explore {path} --model ra --unroll 5" in out


def test_a_bug_behind_a_cut_loop_is_still_a_bug(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "loop.py"
    path.write_text(LOOP + "\n\n@p.thread\ndef fails():\n    assert x.load() == 0\n")
    assert "unsafe under ra: assertion" in words(capsys, str(path), "-m", "ra", "--unroll", "5", code=1)


def test_a_user_model_is_a_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = tmp_path / "mine.cat"
    model.write_text('"mine"\nacyclic po | rf | mo | fr as sc\nempty rmw & (fr; mo) as atomicity\n')
    assert record(capsys, SB, "-m", str(model))["observation"] == "Never"
    model.write_text('"mine"\nacyclic po | rf as causality\nacyclic po-loc | rf | mo | fr as coherence\n')
    assert record(capsys, SB, "-m", str(model))["observation"] == "Sometimes"
    model.write_text('"mine"\nacyclic po | rff\n')
    assert "rff" in refused(capsys, "explore", SB, "-m", str(model))
