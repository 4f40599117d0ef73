"""Sources with other orders, as a unified diff. What is written in a way that cannot be rewritten by itself (an order
in a macro, say) is left out, and listed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import unified_diff
from pathlib import Path

from porf.programs.sites import Site, Strength
from porf.record import Record
from porf.synthesis import rewrite_c, rewrite_python


class Edit(Record):
    """Characters of a file, and what stands there instead."""

    start: int
    end: int
    text: str


class Patch(Record):
    """Files, with their texts before and after; and what could not be rewritten."""

    files: Mapping[str, tuple[str, str]]
    left: tuple[Site, ...] = ()

    def diff(self) -> str:
        return "".join(line for name in self.files for line in self._diff(name))

    def _diff(self, name: str) -> Iterator[str]:
        before, after = (text.splitlines(keepends=True) for text in self.files[name])
        short = name.lstrip("/")
        for line in unified_diff(before, after, f"a/{short}", f"b/{short}"):
            yield line
            if not line.endswith("\n"):
                yield "\n\\ No newline at end of file\n"


def patch_of(changes: Mapping[Site, Strength]) -> Patch:
    """Each file with these orders at its sites."""
    by_file: dict[str, dict[Site, Strength]] = {}
    for site, strength in changes.items():
        by_file.setdefault(site.place.file, {})[site] = strength
    files: dict[str, tuple[str, str]] = {}
    left: list[Site] = []
    for name, wanted in by_file.items():
        text = _read(name)
        after = None if text is None else _rewritten(name, text, wanted, left)
        if text is None or after is None:
            left += wanted
        elif after != text:
            files[name] = text, after
    return Patch(files, tuple(left))


def _read(name: str) -> str | None:
    try:
        with Path(name).open(encoding="utf-8", newline="") as file:
            return file.read()
    except (OSError, UnicodeDecodeError, ValueError):
        return None


def _rewritten(name: str, text: str, wanted: Mapping[Site, Strength], left: list[Site]) -> str:
    """A file with these orders; what is left as it is, is added to the list."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    rewrite = rewrite_python.Rewriter(text) if name.endswith(".py") else rewrite_c.Rewriter(text, name)
    edits: list[Edit] = []
    for site, strength in wanted.items():
        found = None
        if 0 < site.place.line < len(starts):
            line = text[starts[site.place.line - 1] : starts[site.place.line]]
            column = len(line.encode()[: site.place.column - 1].decode(errors="ignore"))
            found = rewrite.edits(starts[site.place.line - 1] + column, site, strength)
        edits_here = [Edit(*edit) for edit in found or ()]
        if not edits_here or any(_overlap(a, b) for a in edits_here for b in edits):
            left.append(site)
        else:
            edits += edits_here
    edits += [Edit(*edit) for edit in rewrite.finish()]
    for edit in sorted(edits, key=lambda edit: edit.start, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def _overlap(a: Edit, b: Edit) -> bool:
    return (a.start < b.end and b.start < a.end) or (a.start, a.end) == (b.start, b.end)
