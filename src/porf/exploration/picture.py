"""A bug as a picture: the execution that shows it, with what is at fault."""

from porf.evidence.svg import draw
from porf.exploration.found import Exploration
from porf.exploration.sources import place_text
from porf.result import nothing_to_draw

MOST = 60  # events


def draw_bug(found: Exploration) -> str:
    """The first bug; of a long execution the end."""
    if not found.bugs:
        raise nothing_to_draw("no bug was found")
    bug = found.bugs[0]
    where = [f"{place_text(place, found.file)} in {thread}" for thread, place in bug.where]
    end = [f"then {bug.execution.thread_names[bug.thread]}: {bug.end}"] if bug.end else []
    first = max(0, len(bug.execution) - MOST)
    part = [f"the last {MOST} of {len(bug.execution)} events"] if first else []
    return draw(
        bug.execution.restrict(range(first, len(bug.execution))).execution if first else bug.execution,
        title=f"{found.program.name}: {bug.kind}",
        limit=MOST,
        marked=[row - first for row in bug.marked if row >= first],
        caption=[f"under {found.model}: {bug.message}", *end, *where, *part],
    )
