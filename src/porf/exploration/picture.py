"""A bug as a picture: the execution that shows it, with what is at fault."""

from collections.abc import Iterator, Sequence

from porf.evidence.data import Edge
from porf.evidence.svg import draw
from porf.exploration.bugs import Bug
from porf.exploration.folding import folded, needed
from porf.exploration.sources import place_text, text_of
from porf.result import View, nothing_to_draw

MOST = 60  # events
MOST_WORDS = 12  # lines that say why: a cycle of four threads has nine


def draw_bug(bugs: Sequence[Bug], program: str, model: str, file: str) -> str:
    """The first bug; of a long execution what plays a part in it, and the end."""
    if not bugs:
        raise nothing_to_draw("no bug was found")
    bug = bugs[0]
    where = [f"{place_text(place, file)} in {thread}" for thread, place in bug.where]
    end = [f"then {bug.execution.thread_names[bug.thread]}: {bug.end}"] if bug.end else []
    words = [] if bug.why is None else [word.strip() for word in bug.why.words[:MOST_WORDS]]
    return draw(
        bug.execution,
        title=f"{program}: {bug.kind}",
        limit=MOST,
        marked=bug.marked,
        caption=[f"under {model}: {bug.message}", *end, *where, *words],
        rows=_rows(bug),
        edges=[] if bug.why is None else [Edge(*edge) for edge in bug.why.edges],
    )


def views_of(bugs: Sequence[Bug], program: str, model: str, file: str) -> Iterator[View]:
    """Each bug, with the sources of its events."""
    for bug in bugs:
        svg = draw_bug([bug], program, model, file)
        used = dict.fromkeys(bug.execution.place(row) for row in range(len(bug.execution)))
        names = dict.fromkeys(place.rpartition(":")[0] for place in used if place)
        texts = {name: text for name in names if (text := text_of(name))}
        words = () if bug.why is None else bug.why.words
        yield View(f"{bug.kind}: {bug.message}", svg, words, texts, tuple(used))


def _rows(bug: Bug) -> list[int]:
    """All rows, if they are few; otherwise those that are needed, and the last ones of the others."""
    every = range(len(bug.execution))
    if len(every) <= MOST:
        return [*every]
    left_out = {row for part in folded(bug) for row in part}
    must = needed(bug)
    others = [row for row in every if row not in left_out and row not in must]
    return sorted({*must, *others[-max(0, MOST - len(must)) :]}) if len(must) < MOST else sorted(must)
