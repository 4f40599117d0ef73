"""What an npz file holds beside the graph, in arrays that are all optional: spelled values, times, and notes."""

from typing import Any

import numpy as np

from porf import _core
from porf.execution import Execution, Int32, UInt8
from porf.formats.arrays import NOTES, STYLES, TIMES, Array, Arrays
from porf.formats.faults import FaultCode
from porf.formats.names import pack
from porf.formats.rules import RULE, VALUE_RULE, is_name, is_note
from porf.said import NO_VALUE, Notes, Spelling, Times

_MOST_DECIMALS = 18


def read(reader: Arrays, thread: Int32, locations: int) -> dict[str, Any]:
    """The fields of an execution for what the file has of it."""
    fields = {
        "spelling": _spelling(reader, len(thread), locations),
        "times": _times(reader, thread),
        "notes": _notes(reader, len(thread)),
    }
    return {name: field for name, field in fields.items() if field is not None}


def arrays_of(execution: Execution) -> dict[str, Array]:
    """The arrays of an execution, by name."""
    out: dict[str, Array] = {}
    spelling, times, notes = execution.spelling, execution.times, execution.notes
    if spelling is not None:
        if len(spelling.names):
            out |= _packed("value_names", spelling.names)
        out |= {name: getattr(spelling, name) for name in STYLES if getattr(spelling, name) is not None}
    if times is not None:
        out |= {"start": times.start, "end": times.end, "time_decimals": np.array([times.decimals], np.uint8)}
    if notes is not None:
        out |= {"note_row": notes.row, "note_key": notes.key, "note_text": notes.text}
        out |= _packed("note_keys", notes.keys) | _packed("note_texts", notes.texts)
    return out


def _packed(name: str, texts: Any) -> dict[str, Array]:
    block, borders = pack(texts)
    return {name: np.frombuffer(block, np.uint8), f"{name}_ends": borders[1:]}


def _spelling(reader: Arrays, rows: int, locations: int) -> Spelling | None:
    if not reader.present & {"value_names", "value_names_ends", *STYLES}:
        return None
    names = reader.packed("value_names") if reader.has_any("value_names", "value_names_ends") else []
    wrong = _core.first_bad_value_name(pack(names))
    if wrong >= 0:
        message = f"value_names has {names[wrong][:60]!r}, which is no value by name, or is there twice"
        raise reader.error(message, f"they are words, and numbers that int64 does not hold; {VALUE_RULE}")
    styles: list[UInt8 | None] = []
    for name in STYLES:
        if name not in reader.present:
            styles.append(None)
            continue
        style = reader.integers(name, np.uint8)
        size = locations if name == "init_style" else rows
        if len(style) != size:
            raise reader.error(f"{name} has {len(style)} entries instead of {size}", "one a value")
        bad = np.flatnonzero((style != 0) & ((style & 0x20 != 0) | (style & 0x1F == 0)))
        if len(bad):
            hint = "0 is decimal, 1 to 31 hex with so many digits; 64 more for 0X, 128 more for large digits"
            raise reader.error(f"{name}[{bad[0]}] = {style[bad[0]]} is no way to write a number", hint)
        styles.append(style)
    return Spelling(names, *styles)


def _times(reader: Arrays, thread: Int32) -> Times | None:
    if not reader.has_any(*TIMES, "time_decimals"):
        return None
    if not set(TIMES) <= reader.present:
        raise reader.error("start and end go together", "give both or none")
    start, end = (reader.integers(name, np.int64) for name in TIMES)
    if not len(start) == len(end) == len(thread):
        message = f"start has {len(start)} entries, end has {len(end)}, thread has {len(thread)}"
        raise reader.error(message, "one entry per event")
    decimals = 0
    if "time_decimals" in reader.present:
        said = reader.integers("time_decimals", np.uint8)
        if len(said) != 1 or said[0] > _MOST_DECIMALS:
            raise reader.error("time_decimals is not one number up to 18", "times count units of 10^-decimals")
        decimals = int(said[0])
    lost = np.flatnonzero((start == NO_VALUE) & (end != NO_VALUE))
    if len(lost):
        raise reader.error(f"end[{lost[0]}] has no start", "an operation that ends has started")
    fault = _core.check_times(thread, start, end)
    if fault is None:
        return Times(start, end, decimals)
    if fault.code == FaultCode.TIME_ENDS_EARLY:
        raise reader.error(f"end[{fault.where}] = {end[fault.where]} is before its start", "all times are of one clock")
    message = f"start[{fault.where}] is before start[{fault.first}], of an earlier event of the thread"
    raise reader.error(message, "events of a thread start one after the other")


def _notes(reader: Arrays, rows: int) -> Notes | None:
    if not reader.has_any(*NOTES, "note_keys", "note_keys_ends", "note_texts", "note_texts_ends"):
        return None
    if not {*NOTES, "note_keys", "note_texts"} <= reader.present:
        raise reader.error(
            "the arrays of notes go together", "they are " + " ".join((*NOTES, "note_keys", "note_texts"))
        )
    row, key, text = (reader.integers(name, np.int32) for name in NOTES)
    keys, texts = reader.packed("note_keys"), reader.packed("note_texts")
    if not len(row) == len(key) == len(text):
        raise reader.error(f"{' '.join(NOTES)} have different lengths", "one entry a note")
    for name, column, size in (("note_row", row, rows), ("note_key", key, len(keys)), ("note_text", text, len(texts))):
        wrong = np.flatnonzero((column < 0) | (column >= size))
        if len(wrong):
            raise reader.error(f"{name}[{wrong[0]}] = {column[wrong[0]]} is out of range ({size})", "they count from 0")
    for name in keys:
        if not (is_note(name) and is_name(name)):
            raise reader.error(f"note_keys has {name[:60]!r}", f"keys are src and note:NAME; {RULE}")
    if len(set(keys)) != len(keys):
        raise reader.error("note_keys has a key twice", "keys must be distinct")
    order = np.lexsort((key, row))
    pairs = np.stack([row[order], key[order]])
    if (np.diff(pairs, axis=1) == 0).all(axis=0).any():
        raise reader.error("an event has two notes of one key", "keep one of them")
    if (np.diff(row) < 0).any():
        order = np.argsort(row, kind="stable")
        row, key, text = row[order], key[order], text[order]
    return Notes(keys, texts, row, key, text) if len(row) else None
