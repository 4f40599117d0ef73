# The compiled core, as Python sees it: one section a family.
from typing import Any

import numpy as np
import numpy.typing as npt

from porf.execution import Int32, Int64, UInt8

_UInt32 = npt.NDArray[np.uint32]

# --- formats (core/bindings/formats.cpp) ---
_Fault = tuple[str, int, int, int, int]
_Packed = tuple[bytes, Int64]
_Pairs = list[tuple[Int32, Int32]]

def parse_text(data: bytes) -> dict[str, Any]: ...
def parse_jsonl(data: bytes) -> dict[str, Any]: ...
def parse_line(line: bytes) -> tuple[Any, ...] | None: ...
def resolve_names(
    thread: Int32,
    op: UInt8,
    loc: Int32,
    read_value: Int64,
    written_value: Int64,
    init_value: Int64,
    rf_symbol: Int32,
    defined_at: Int32,
    mentions: _Pairs,
) -> tuple[_Fault | None, Int32, tuple[Int32, Int32, Int32]]: ...
def writers_by_value(
    thread: Int32, op: UInt8, loc: Int32, read_value: Int64, written_value: Int64, init_value: Int64
) -> Int32: ...
def check_npz(
    thread: Int32,
    op: UInt8,
    loc: Int32,
    order: UInt8,
    rf: Int32,
    read_value: Int64,
    written_value: Int64,
    init_value: Int64,
    threads: int,
) -> _Fault | None: ...
def check_dependency(thread: Int32, sources: Int32, targets: Int32) -> _Fault | None: ...
def write_lines(
    json: bool,
    thread: Int32,
    op: UInt8,
    loc: Int32,
    order: UInt8,
    rf: Int32,
    read_value: Int64,
    written_value: Int64,
    thread_names: _Packed,
    loc_names: _Packed,
    id_names: _Packed,
    id_rows: Int32,
    dependencies: _Pairs,
) -> bytes: ...

# --- generate (core/bindings/generate.cpp) ---
def number_by_appearance(labels: Int32, count: int) -> Int32: ...
def run_sequential(thread: Int32, op: UInt8, loc: Int32, threads: int, locations: int) -> Int32: ...
def run_release_acquire(
    thread: Int32, op: UInt8, loc: Int32, threads: int, locations: int, random: _UInt32, window: int
) -> Int32: ...
