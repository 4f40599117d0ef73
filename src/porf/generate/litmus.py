"""Litmus tests to order: that of one cycle of edges, those of all critical cycles of some edges, or those among them
that tell two models apart."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from porf.allowance import look
from porf.errors import UsageError, check_options
from porf.files import replacing
from porf.formats.litmus import litmus_test
from porf.generate.between import separating
from porf.generate.critical import critical, edges_of
from porf.generate.cycles import Cycle, Made, execution_of, read_cycle
from porf.generate.edges import vocabulary
from porf.generate.naming import named
from porf.models.registry import find_model
from porf.record import Record

SIZE = 4  # edges of a cycle: the tests of two threads


class MadeTest(Record, eq=False):
    """A test, the cycle that it is made of, and what models say of its condition, by their names."""

    name: str
    cycle: Cycle
    text: str
    observations: tuple[tuple[str, str], ...] = ()


def litmus(cycle: str, arch: str = "c", name: str | None = None) -> str:
    """The litmus test of a cycle of edges, in the words of diy.

    >>> import porf.generate
    >>> print(porf.generate.litmus("PodWW Rfe PodRR Fre", "aarch64").splitlines()[0])
    AArch64 MP
    """
    return made(read_cycle(cycle, vocabulary(arch)), name).text


def litmus_tests(
    arch: str | None = None,
    *,
    edges: str | None = None,
    size: int = SIZE,
    between: tuple[str, str] | None = None,
    progress: Callable[[int], object] | None = None,
) -> Iterator[MadeTest]:
    """The tests of all critical cycles of these edges, small ones first; `between` two models only those of which one
    allows the condition and the other forbids it."""
    check_options(size=size)
    used: set[str] = set()
    if between is not None:
        left, right = map(find_model, between)
        for found in separating(left, right, edges, size, arch, progress):
            observed = {found.allows.name: "Sometimes", found.forbids.name: "Never"}
            yield _unique(made(found.cycle), used, tuple(observed.items()))
        return
    if arch is None:
        raise UsageError("in which language?", hint="--arch c, x86, aarch64, ppc or riscv")
    words = vocabulary(arch)
    for number, cycle in enumerate(critical(edges_of(edges, words), size, words)):
        if progress is not None:
            progress(number)
        look()
        yield _unique(made(cycle), used, ())


def made(cycle: Cycle, name: str | None = None) -> MadeTest:
    """The test of a cycle; by default its name says what the cycle is made of."""
    given, turned = named(cycle)
    name = name or given
    return MadeTest(name, turned, written(turned, execution_of(turned), name))


def written(cycle: Cycle, execution: Made, name: str) -> str:
    """The test of a cycle's execution."""
    return litmus_test(execution.execution, name, execution.mo, cycle.words.language, title=str(cycle))


def save_tests(tests: Iterable[MadeTest], folder: str | Path) -> int:
    """Writes each test to a file of its name, their names to @all, and what models say of them to expected.tsv."""
    path = Path(folder)
    if path.is_file():
        raise UsageError("this is a file, and several tests are written to a folder", source=str(folder))
    names, rows = [], []
    try:
        path.mkdir(parents=True, exist_ok=True)
        for test in tests:
            _write(path / f"{test.name}.litmus", test.text)
            names.append(f"{test.name}.litmus\n")
            rows += [f"{test.name}\t{model}\t{observation}\n" for model, observation in test.observations]
        _write(path / "@all", "".join(names))
        if rows:
            _write(path / "expected.tsv", "".join(["test\tmodel\tobservation\n", *rows]))
    except OSError as error:
        raise UsageError(f"cannot be written: {error.strerror or error}", source=str(folder)) from None
    return len(names)


def _write(path: Path, text: str) -> None:
    with replacing(path) as file:
        file.write(text.encode())


def _unique(test: MadeTest, used: set[str], observations: tuple[tuple[str, str], ...]) -> MadeTest:
    """The test under a name that no other has."""
    name, more = test.name, 2
    while name in used:
        name, more = f"{test.name}.{more}", more + 1
    used.add(name)
    text = test.text if name == test.name else test.text.replace(test.name, name, 1)
    return MadeTest(name, test.cycle, text, observations)
