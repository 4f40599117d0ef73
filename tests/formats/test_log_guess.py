"""Mappings that are guessed: from names in a header, from what is in the columns, and for simulators that are known."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import porf
from porf import formats
from tests.cli.calling import run


def events(count: int = 300) -> list[tuple[int, int, str, int, int]]:
    """Loads and stores of four cores, in the order of time: moment, core, operation, address, value."""
    draw = random.Random(4)
    memory: dict[int, int] = {}
    out = []
    for moment in range(count):
        core, address = draw.randrange(4), 0x80001000 + 8 * draw.randrange(6)
        if draw.random() < 0.5:
            memory[address] = 0xDEAD0000 + moment
            out.append((1000 + 3 * moment, core, "ST", address, memory[address]))
        else:
            out.append((1000 + 3 * moment, core, "LD", address, memory.get(address, 0)))
    return out


def spike(rows: list[tuple[int, int, str, int, int]]) -> str:
    lines = []
    for moment, core, op, address, value in rows:
        begins = f"core {core:3}: 3 0x{0x80000000 + 4 * moment:016x} (0x0002b283)"
        lines.append(f"{begins} x6  0x{moment:016x}")
        register = f" x5  0x{value:016x}" if op == "LD" else ""
        lines.append(f"{begins}{register} mem 0x{address:016x}" + (f" 0x{value:016x}" if op == "ST" else ""))
    return "\n".join(lines) + "\n"


def gem5(rows: list[tuple[int, int, str, int, int]]) -> str:
    lines = []
    for moment, core, op, address, value in rows:
        begins = f"{moment * 500}: system.cpu{core}: A0 T0 : 0x{moment:x} @main+{moment % 64}"
        lines.append(f"{begins}    : addi   a5, a5, 1         : IntAlu :  D=0x0000000000000001")
        kind = "MemRead" if op == "LD" else "MemWrite"
        lines.append(f"{begins}    : ld     a5, 0(a4)         : {kind} :  D=0x{value:016x} A=0x{address:x}")
    return "\n".join(lines) + "\n"


def table(rows: list[tuple[int, int, str, int, int]]) -> str:
    return "time,core,kind,addr,val\n" + "".join(f"{t},{c},{o},{a:#x},{v:#x}\n" for t, c, o, a, v in rows)


def bare(rows: list[tuple[int, int, str, int, int]]) -> str:
    return "".join(f"{t} cpu{c} {o} {a:016x} {v:x}\n" for t, c, o, a, v in rows)


def objects(rows: list[tuple[int, int, str, int, int]]) -> str:
    line = '{{"ts": {}, "hart": {}, "event": {{"type": "{}", "address": "{:#x}"}}, "value": {}}}\n'
    return "".join(line.format(*row) for row in rows)


def logger(rows: list[tuple[int, int, str, int, int]]) -> str:
    lines = ["asctime;threadName;action;key;value"]
    for t, c, o, a, v in rows:
        moment = f"2024-05-01 12:{t // 60000:02}:{t // 1000 % 60:02},{t % 1000:03}"
        lines.append(f"{moment};Thread-{c} (worker);{'read' if o == 'LD' else 'write'};item {a & 0xFF};{v}")
    return "\n".join(lines)


def shape_of(execution: porf.Execution) -> tuple[object, ...]:
    """All but names: the graph."""
    return tuple(column.tolist() for column in (execution.thread, execution.op, execution.loc, execution.rf))


@pytest.mark.parametrize("write", [spike, gem5, table, logger, objects])
def test_logs_that_name_their_columns_need_no_mapping(write: object, tmp_path: Path) -> None:
    assert callable(write)
    path = tmp_path / ("log.csv" if write in (table, logger) else "events.log" if write is not objects else "log.jsonl")
    path.write_text(write(events()))
    expected = porf.loads(
        "".join(f"{c} {'r' if o == 'LD' else 'w'} {a} {v}\n" for _, c, o, a, v in events()),
    )
    if write is objects:
        assert shape_of(formats.import_log(path).execution) == shape_of(expected)
        return
    assert shape_of(porf.load(path)) == shape_of(expected)
    done = run("check", str(path), "-m", "sc")
    assert (done.returncode, done.stdout.split()[1]) == (0, "consistent")


@pytest.mark.parametrize("write", [spike, gem5, table, bare, objects, logger])
def test_a_guess_is_a_mapping_that_reads_the_log(write: object, tmp_path: Path) -> None:
    assert callable(write)
    log, mapping, out = tmp_path / "log.txt", tmp_path / "m.toml", tmp_path / "h.npz"
    log.write_text(write(events()))
    assert run("convert", str(log), str(mapping), "--guess").returncode == 0
    assert run("convert", str(log), "--guess").stdout == mapping.read_text()
    done = run("convert", str(log), str(out), "--mapping", str(mapping))
    assert done.returncode == 0, done.stderr
    execution = porf.load(out)
    assert len(execution) == 300
    assert execution.threads == 4
    assert execution.locations == 6
    assert porf.check(execution, "sc").consistent
    assert (execution.times is None) == (write is spike)


def test_words_that_nobody_knows_are_proposed_for_correction(tmp_path: Path) -> None:
    log = tmp_path / "log.csv"
    log.write_text("tid,op,loc,val\n0,StoreRel,x,1\n1,LoadAcq,x,1\n1,AmoSwap,x,0->1\n1,Quux,x,1\n0,fence.tso,,\n")
    guess = run("convert", str(log), "--guess").stdout
    assert "[ops]" in guess
    for line in ('StoreRel = "w"', 'LoadAcq = "r"', 'AmoSwap = "u"', 'Quux = "-"', '"fence.tso" = "f"'):
        assert line in guess


def test_values_in_hex_without_its_mark_are_seen(tmp_path: Path) -> None:
    log = tmp_path / "log.csv"
    log.write_text("tid,op,loc,val\n0,w,x,00ff\n1,r,x,ff\n1,w,x,3fa9\n")
    guess = run("convert", str(log), "--guess").stdout
    assert 'values = "hex"' in guess


@pytest.mark.parametrize("write", [spike, gem5])
def test_accesses_of_a_form_that_nobody_foresaw_are_no_noise(write: object, tmp_path: Path) -> None:
    assert callable(write)
    log = tmp_path / "events.log"
    strange = "core   1: 3 0x80 (0x1) mem 0x80 as it were\n" if write is spike else "9: system.cpu1: odd : A=0x80\n"
    log.write_text(write(events()) + "anything else\n")
    assert run("check", str(log), "-m", "sc").returncode == 0
    log.write_text(write(events()) + strange)
    done = run("check", str(log), "-m", "sc")
    assert done.returncode == 2
    assert "no template fits this line" in done.stderr


def test_what_cannot_be_guessed_is_said(tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    log.write_text("hello\nworld\n")
    done = run("convert", str(log), "--guess")
    assert done.returncode == 2
    assert "templates: --line" in done.stderr
    done = run("convert", str(log), "out.npz", "--guess")
    assert done.returncode == 2
    assert "--guess writes a mapping" in done.stderr
