"""The programs whose orders are asked for, and the sites that they have: those that they share are the same in all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from porf.errors import UsageError
from porf.programs.form import Program
from porf.programs.litmus import LitmusTest
from porf.programs.sites import Site, Strength, order_sites, with_orders
from porf.record import Record, replace
from porf.synthesis.choices import Choice, Space

if TYPE_CHECKING:
    from porf.synthesis import Given


class Client(Record, eq=False):
    """One of the programs, with the numbers of its sites."""

    program: Program | LitmusTest
    own: tuple[int, ...]

    @property
    def form(self) -> Program:
        return form_of(self.program)

    @property
    def name(self) -> str:
        return self.program.name

    def with_orders(self, space: Space, choice: Choice) -> Program | LitmusTest:
        wanted = {space.domains[n].site: space.domains[n].strengths[choice[n]] for n in self.own}
        return changed(self.program, wanted)


def form_of(program: Program | LitmusTest) -> Program:
    return program if isinstance(program, Program) else program.program


def changed(program: Program | LitmusTest, orders: dict[Site, Strength]) -> Program | LitmusTest:
    """A program, or a test, with other orders."""
    form = with_orders(form_of(program), orders)
    return form if isinstance(program, Program) else replace(program, program=form)


def given_programs(programs: Iterable[Given]) -> list[Program | LitmusTest]:
    """As they are given; what a test's `exists` asks for must not be seen."""
    from porf.programs import given_program

    found = [given_program(program) for program in programs]
    if not found:
        raise UsageError("no program is named", hint="porf orders FILE.c, or porf orders --help")
    for program in found:
        if isinstance(program, LitmusTest) and program.architecture:
            raise UsageError(
                f"{program.name} has no orders of C: it is of a machine, or of the Linux kernel",
                hint="tests in C have orders, and so have programs in C, C++ and Python",
            )
    return [_strict(program) for program in found]


def _strict(program: Program | LitmusTest) -> Program | LitmusTest:
    if isinstance(program, LitmusTest) and program.quantifier == "exists":
        return replace(program, quantifier="~exists")
    return program


def sites_of(programs: Sequence[Program | LitmusTest]) -> list[Site]:
    """Those of all programs, in the order of their places."""
    found: dict[Site, Any] = {}
    for program in programs:
        found |= order_sites(form_of(program))
    if not found:
        names = ", ".join(program.name for program in programs)
        raise UsageError(
            f"{names}: there are no orders to change",
            hint="orders are those of atomic accesses and fences in the program's own files, not inside of libraries",
        )
    return sorted(found, key=lambda site: (site.place.file, site.place.line, site.place.column, int(site.opcode)))


def clients_of(programs: Sequence[Program | LitmusTest], sites: Sequence[Site]) -> list[Client]:
    number = {site: n for n, site in enumerate(sites)}
    return [Client(p, tuple(sorted(number[site] for site in order_sites(form_of(p))))) for p in programs]


def together(programs: Sequence[Program | LitmusTest]) -> list[list[Program | LitmusTest]]:
    """The programs in groups that share sites, directly or by others: no order of one group matters to another."""
    groups: list[tuple[set[Site], list[Program | LitmusTest]]] = []
    for program in programs:
        sites = set(order_sites(form_of(program)))
        fitting = [group for group in groups if group[0] & sites]
        groups = [group for group in groups if not group[0] & sites]
        members = [member for _, found in fitting for member in found]
        groups.append((sites.union(*(found for found, _ in fitting)), [*members, program]))
    return [members for _, members in groups]


def kept_in(programs: Sequence[Program | LitmusTest], keep: Sequence[str]) -> list[str]:
    """Those of these places at which the programs have orders."""
    sites = [site for program in programs for site in order_sites(form_of(program))]
    return [place for place in keep if any(_is_at(site, place) for site in sites)]


def kept_sites(sites: Sequence[Site], keep: Sequence[str]) -> dict[Site, Strength]:
    """The sites at places of the form FILE:LINE or FILE:LINE:COLUMN, which keep their orders; FILE stands for all that
    are in it."""
    found: dict[Site, Strength] = {}
    for place in keep:
        there = [site for site in sites if _is_at(site, place)]
        if not there:
            raise _no_place(sites, place)
        found |= {site: site.strength for site in there}
    if len(found) == len(sites):
        raise UsageError("all orders are kept: there is none to change", hint="leave out --keep")
    return found


def _split(place: str) -> tuple[str, list[int]]:
    """A file's name, and the numbers behind it."""
    parts = place.split(":")
    numbers: list[int] = []
    while len(parts) > 1 and parts[-1].isdecimal() and len(numbers) < 2:
        numbers.insert(0, int(parts.pop()))
    return ":".join(parts), numbers


def _is_at(site: Site, place: str) -> bool:
    file, numbers = _split(place)
    where = [site.place.line, site.place.column]
    return where[: len(numbers)] == numbers and _is_file(site.place.file, file)


def _is_file(whole: str, name: str) -> bool:
    from pathlib import Path

    end = Path(name).parts
    return (bool(end) and Path(whole).parts[-len(end) :] == end) or Path(whole).resolve() == Path(name).resolve()


def _no_place(sites: Sequence[Site], place: str) -> UsageError:
    file, numbers = _split(place)
    lines = sorted({site.place.line for site in sites if _is_file(site.place.file, file)})
    if not lines:
        files = sorted({site.place.file for site in sites})
        return UsageError(f"'{place}': no order is in such a file", hint=f"orders are in {', '.join(files)}")
    near = sorted(lines, key=lambda line: abs(line - (numbers or [0])[0]))[:5]
    return UsageError(f"'{place}': no order is there", hint=f"orders of {file} are in lines {_listed(sorted(near))}")


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))
