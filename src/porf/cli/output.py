"""Where the results of a call go: standard output as they come, a file at the end. And the exit code they add up to."""

from __future__ import annotations

import sys
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, TypeVar

from porf.cli.colour import coloured
from porf.cli.progress import Progress
from porf.cli.streams import complain
from porf.errors import PorfError, UnfinishedError, UsageError, shown
from porf.result import Exit, Failure, Result, Unfinished

if TYPE_CHECKING:
    from porf.allowance import Allowance
    from porf.output import Form

T = TypeVar("T")


class Output:
    """`each` goes through the work of a call, so that an interrupted call can say what it left out."""

    def __init__(self, as_json: bool = False, quiet: bool = False, summary: bool = False, github: bool = False) -> None:
        self.progress = Progress()
        self.interrupted = False
        self._json = as_json
        self._quiet = quiet  # of what is well, only the number is said
        self._summary = summary or quiet
        self._github = github  # what is wrong is also said as annotations
        self._files: dict[str, Form] = {}
        self._results: list[Result] = []
        self._within: Allowance | None = None  # of the last result; the file counts towards it, too
        self._left: list[deque[str]] = []  # for each loop of the work, its items that have no result yet

    def write_to(self, file: str | None, suffix: str | None = None) -> None:
        """The results will also go to this file, in the form that its suffix names, or this one in its place."""
        if file is not None:
            from porf.output import form_of

            form = form_of(file, suffix)
            if file in self._files:
                raise UsageError("two results cannot go to one file", source=file, hint="give each a name of its own")
            self._files[file] = form

    def keep(self, result: Result) -> None:
        """For the file and the exit code."""
        self._results.append(result)

    def show(self, result: Result, instead: str | None = None, within: Allowance | None = None) -> None:
        """Prints a result (its report, unless another text is given), and keeps it. A limit may end the report:
        then it is the headline."""
        self.keep(result)
        self.progress.clear()
        self._within = within
        if self._quiet and result.exit_code == Exit.HOLDS:
            return
        wrong = isinstance(result, Failure) and not isinstance(result, Unfinished)
        try:
            with within or nullcontext():
                said = instead or result.report() if wrong or not self._json else ""
                record = _line(result) if self._json else ""
        except UnfinishedError as error:
            said, record = _without_evidence(result, error.message)
        if wrong:
            complain(said)
        elif not self._json:
            print(coloured(shown(said), sys.stdout), flush=True)
        if self._json:
            print(record, flush=True)

    def fail(self, error: PorfError) -> None:
        """One bad input does not lose the results of the others."""
        self.show(Unfinished(error) if isinstance(error, UnfinishedError) else Failure(error))

    def say(self, text: str) -> None:
        """What people should know besides the results."""
        if not self._json and not self._quiet:
            self.progress.clear()
            print(shown(text), flush=True)

    def tell(self, text: str) -> None:
        """What is not well, of results that are kept."""
        if not self._json:
            self.progress.clear()
            print(coloured(shown(text), sys.stdout), flush=True)

    def each(self, items: Iterable[T], names: Iterable[str] | None = None) -> Iterator[T]:
        """The items, until Ctrl-C. In nested loops, an item's name stands for what is left of the outer one."""
        todo = list(items)
        left = deque(map(str, todo) if names is None else names)
        if self._left and self._left[-1]:
            self._left[-1].popleft()
        self._left.append(left)
        for at, item in enumerate(todo, 1):
            yield item
            while len(left) > len(todo) - at:
                left.popleft()
            if self.interrupted or self.progress.interrupted:
                self.interrupted = True
                return
        self._left.pop()

    def interrupt(self) -> None:
        """Ctrl-C: the call ends here."""
        self.interrupted = True

    def close(self) -> int:
        """Writes the file, says what was left out, and returns the exit code."""
        self.progress.clear()
        self.write()
        self._sum_up()
        if self.interrupted or self.progress.interrupted:
            left = [item for items in reversed(self._left) for item in items]
            said = f"interrupted; left out: {', '.join(left)}" if left else "interrupted"
            complain(said)
            return Exit.UNDECIDED
        return worst(result.exit_code for result in self._results)

    def write(self) -> None:
        """The files, if there is something to write."""
        for file, form in self._files.items():
            wrong = all(isinstance(result, Failure) for result in self._results)
            if not wrong or getattr(form, "ERRORS_TOO", False):
                self._write(file, form)

    def _write(self, file: str, form: Form) -> None:
        from porf.formats import write_text

        try:
            with self._within or nullcontext():
                text = form.render(self._results)
        except UnfinishedError as error:
            self._results.append(Unfinished(error))
            complain(f"{file} is not written: {error.message}")
            return
        except UsageError as error:
            complain(f"{file} is not written: {error.message}")
            return
        write_text(file, text)

    def _sum_up(self) -> None:
        """Annotations and the summary, where they were asked for. Objects of JSON stay alone on standard output."""
        stream = sys.stderr if self._json else sys.stdout
        if self._github:
            from porf.output.github import render

            print(render(self._results), end="", file=stream, flush=True)
        if self._summary:
            print(coloured(summary(self._results), stream), file=stream, flush=True)


def summary(results: Sequence[Result]) -> str:
    """How many results there are of each kind: `3 results: 1 ok, 2 failed`."""
    words = {Exit.HOLDS: "ok", Exit.FAILS: "failed", Exit.UNDECIDED: "undecided", Exit.WRONG_INPUT: "wrong input"}
    found = Counter(words.get(Exit(result.exit_code), "bugs in porf") for result in results)
    parts = ", ".join(f"{found[word]} {word}" for word in (*words.values(), "bugs in porf") if found[word])
    return f"{len(results)} result{'' if len(results) == 1 else 's'}" + (f": {parts}" if parts else "")


def _line(result: Result) -> str:
    from porf.output.json import line

    return line(result)


def _without_evidence(result: Result, why: str) -> tuple[str, str]:
    """What is said of a result whose evidence takes too long to write: to people, and as an object of JSON."""
    import json

    headline, note = result.headline(), f"the evidence is left out: {why}"
    return f"{headline}\n  ({note})", json.dumps({"result": headline, "note": note}, ensure_ascii=False)


def worst(codes: Iterable[int]) -> int:
    """A bug in porf comes before invalid input, then failures, then what is undecided."""
    found = set(codes)
    return next(
        (code for code in (Exit.BUG, Exit.WRONG_INPUT, Exit.FAILS, Exit.UNDECIDED) if code in found), Exit.HOLDS
    )
