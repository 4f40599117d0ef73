"""Which memory orders a program needs: the weakest under which it stays safe, or the least that make it so."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from porf.exploration import DEFAULT_MODEL

if TYPE_CHECKING:
    from porf.models.registry import Model
    from porf.programs.form import Program
    from porf.programs.litmus import LitmusTest
    from porf.programs.python import ProgramBuilder
    from porf.synthesis.needed import Orders

    Given = str | Path | ProgramBuilder | Program | LitmusTest


def orders(
    programs: Given | Iterable[Given],
    model: str | Path | Model = DEFAULT_MODEL,
    *,
    keep: Sequence[str] = (),
    every: bool = False,
    cost: str | None = None,
    liveness: bool = True,
    leaks: bool = False,
    spurious: bool = True,
    unroll: int | None = None,
    seconds: float | None = None,
    memory: int | None = None,
    checkpoint: str | Path | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Orders:
    """The weakest orders under which programs stay safe, access by access and fence by fence.

    >>> import porf
    >>> found = porf.orders("examples/litmus/MP.litmus", "rc11")
    >>> found.verdict, [str(strength) for strength in found.orders().values()]
    ('safe', ['relaxed', 'release', 'acquire', 'relaxed'])

    No single order of the result can be weaker. Several programs must all be safe; what they share, a lock for example,
    has one order in all of them. A program that is not safe gets the least stronger orders that make it so, if there
    are any. `keep` names places whose orders stay: `"lock.c:12"`. With `every`, all such choices are found, and not one
    of the cheapest. `cost` says what orders cost: the name of an architecture, or the path of a table. A loop that
    waits for ever is a bug here, unless `liveness` is false: weaker orders may let it wait in vain. What the `exists`
    of a litmus test asks for must not be seen, as with `~exists`.
    """
    from porf.allowance import Allowance
    from porf.errors import check_options
    from porf.exploration.request import name_of
    from porf.models.registry import find_model
    from porf.synthesis.clients import clients_of, given_programs, kept_sites, sites_of
    from porf.synthesis.costs import cost_of
    from porf.synthesis.needed import needed

    check_options(unroll=unroll, seconds=seconds, memory=memory, checkpoint=checkpoint)
    started = time.perf_counter()
    many = list(programs) if isinstance(programs, Iterable) and not isinstance(programs, str) else [programs]
    names = ", ".join(map(name_of, many))
    allowance = Allowance(seconds, memory, what=f"{names} under {model}")
    with allowance:
        known = find_model(model)
        forms = given_programs(many)
        sites = sites_of(forms)
        fixed = kept_sites(sites, keep)
        costs = cost_of(cost)
    options: dict[str, Any] = {"liveness": liveness, "leaks": leaks, "spurious": spurious}
    options |= {"unroll": unroll, "memory": memory}
    with allowance.without_ticks():
        return needed(
            clients_of(forms, sites),
            sites,
            known,
            fixed=fixed,
            every=every,
            costs=costs,
            named_costs=cost or "",
            seconds=allowance.seconds,
            said=seconds,
            checkpoint=None if checkpoint is None else Path(checkpoint),
            progress=progress,
            started=started,
            **options,
        )


__all__ = ["orders"]
