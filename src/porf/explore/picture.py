"""A bug as a picture: the execution that shows it, with what is at fault."""

from __future__ import annotations

from porf.evidence.svg import draw
from porf.explore.bugs import told
from porf.explore.exploration import Exploration
from porf.formats import write_text

MOST = 120  # events


def draw_bug(found: Exploration, file: str, path: str) -> None:
    """Draws the first bug into a file."""
    bug = found.bugs[0]
    where = [f"{told(place, file)} in {thread}" for thread, place in bug.where]
    end = [f"then {bug.execution.thread_names[bug.thread]}: {bug.end}"] if bug.end else []
    write_text(
        path,
        draw(
            bug.execution,
            title=f"{found.program.name}: {bug.kind}",
            limit=MOST,
            marked=bug.marked,
            caption=[f"under {found.model}: {bug.message}", *end, *where],
        ),
    )
