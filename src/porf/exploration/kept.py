"""What of program order a model keeps although it allows cycles of program order and reads-from.

Programs in C and Python are explored under such a model if no value depends on itself: `no thin air`. And the more of
program order from reads to writes is known to have no cycle together with reads-from, the fewer cycles are looked for.
All of this is proved of the model's axioms.
"""

from __future__ import annotations

import tempfile
from functools import lru_cache
from pathlib import Path

from porf import cache
from porf._core import KeptOrder
from porf.allowance import Allowance, SpentError, look
from porf.checking.budget import Budget
from porf.comparison.compare import prove
from porf.errors import ModelError
from porf.exploration.requirements import cycle
from porf.models.registry import Model

KIND = "kept"
_SECONDS = 5.0  # for each proof
# No value depends on itself if one of these has no cycle. The second is for files that order by recursion.
_THIN_AIR = (
    "[R]; ([R]; (addr | data) | rfi)+; [W] | rfe",
    "[R]; data; [W] | [R]; addr; [W] | [R]; ctrl; [W] | rfe",
)
_PARTS = (
    (KeptOrder.DATA, "[R]; data; [W]"),
    (KeptOrder.ADDRESS, "[R]; addr; [W]"),
    (KeptOrder.CHAIN, "[R]; ([R]; (addr | data))+; [W]"),
    (KeptOrder.CONTROL, "[R]; ctrl; [W]"),
    (KeptOrder.ACQUIRE, "[R & geACQ]; po; [W]"),
    (KeptOrder.UPDATE, "[R & U]; po; [W]"),
    (KeptOrder.RELEASE, "[R]; po; [W & geREL]"),
)
# The fences of some orders: rlx, acq, rel, acq_rel and sc are 1 to 5.
_FENCES = (("F", (1, 2, 3, 4, 5)), ("F & geACQ", (2, 4, 5)), ("F & geREL", (3, 4, 5)), ("F & SC", (5,)))


def kept(model: Model) -> int:
    """Bits of KeptOrder. A model that allows values out of thin air is refused."""
    found = model.kept if model.kept is not None else _kept(model, model.text)
    if found is None:
        example = cycle(model)
        raise ModelError(
            f"{model.name} allows values out of thin air, as far as is known: it is not proved that dependencies and "
            f"reads-from have no cycle (no thin air), and program order and reads-from may have one{example}",
            source=model.shown_path,
            hint="add `acyclic addr | data | ctrl | rf` to a copy of the file, or `acyclic po | rf`",
        )
    return found


@lru_cache(maxsize=64)
def _kept(model: Model, text: str) -> int | None:
    """Of a model whose file has this text; None if values may come out of thin air."""
    header = model.header
    key = cache.word(cache.stamp(), model.name, header.view, text)
    alone = "include" not in text
    known = cache.get(KIND, key) if alone else None
    if isinstance(known, int):
        return known if known >= 0 else None
    found = proved(model)
    look()  # what a limit left open is not kept
    if alone:
        cache.put(KIND, key, -1 if found is None else found)
    return found


def proved(model: Model) -> int | None:
    """What can be proved of a model file; None if not even that values do not come out of thin air."""
    if not any(_acyclic(model, union) for union in _THIN_AIR):
        return None
    bits, union = 0, "rfe"
    for part, words in _PARTS:
        if _acyclic(model, f"{union} | {words}"):
            bits, union = bits | part, f"{union} | {words}"
    for fences, orders in _FENCES:
        if all(bits & KeptOrder.FENCE << order for order in orders):
            continue
        for words in (f"[R]; po; [{fences}] | [{fences}]; po; [W]", f"[R]; po; [{fences}]; po; [W]"):
            if _acyclic(model, f"{union} | {words}"):
                union = f"{union} | {words}"
                for order in orders:
                    bits |= KeptOrder.FENCE << order
                break
    return bits


def _acyclic(model: Model, union: str) -> bool:
    """Whether it is proved that nothing that the model allows has a cycle of this relation."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{model.name}-acyclic.cat"
        include = f'(* Events: {model.file.view} *)\ninclude "{model.path.resolve()}"\n'
        path.write_text(f"{include}acyclic {union} as asked\n", encoding="utf-8")
        asked = Model(f"{model.name} without cycles of {union}", path, folder=model.path.resolve().parent)
        try:
            with Allowance(_SECONDS):
                return prove(model, asked, None, Budget(seconds=_SECONDS)) is not None
        except SpentError:
            return False
