"""A bug as a picture: the execution that shows it, with what is at fault."""

from collections.abc import Sequence

from porf.evidence.svg import draw
from porf.exploration.bugs import Bug
from porf.exploration.sources import place_text
from porf.result import nothing_to_draw

MOST = 60  # events


def draw_bug(bugs: Sequence[Bug], program: str, model: str, file: str) -> str:
    """The first bug; of a long execution the end."""
    if not bugs:
        raise nothing_to_draw("no bug was found")
    bug = bugs[0]
    where = [f"{place_text(place, file)} in {thread}" for thread, place in bug.where]
    end = [f"then {bug.execution.thread_names[bug.thread]}: {bug.end}"] if bug.end else []
    first = max(0, len(bug.execution) - MOST)
    part = [f"the last {MOST} of {len(bug.execution)} events"] if first else []
    return draw(
        bug.execution.restrict(range(first, len(bug.execution))).execution if first else bug.execution,
        title=f"{program}: {bug.kind}",
        limit=MOST,
        marked=[row - first for row in bug.marked if row >= first],
        caption=[f"under {model}: {bug.message}", *end, *where, *part],
    )
