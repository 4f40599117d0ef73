"""The rows of a picture: an order of the shown events in which most arrows point down."""

from porf.evidence.scene import Scene
from porf.execution import Execution
from porf.said import natural_order


def rows_of(execution: Execution, scene: Scene) -> list[int]:
    """A topological order of po and rf, as far as they are acyclic; mo decides where po and rf do not.

    Threads advance side by side: of the events that are ready, the one with the fewest before it comes first.
    """
    hard: dict[int, set[int]] = {ref: set() for ref in scene.events}
    soft: dict[int, set[int]] = {ref: set() for ref in scene.events}
    own: dict[int, set[int]] = {ref: set() for ref in scene.events}
    for arrow in scene.arrows:
        if arrow.source == arrow.target:
            continue
        if arrow.relation in ("po", "rf"):
            hard[arrow.target].add(arrow.source)
        elif arrow.relation == "mo":
            soft[arrow.target].add(arrow.source)
        if arrow.relation == "po":
            own[arrow.target].add(arrow.source)
    level: dict[int, int] = {}
    out: list[int] = []
    left = dict.fromkeys(scene.events)
    used = {int(execution.thread[ref]) for ref in scene.events if ref >= 0}
    rank = {thread: at for at, thread in enumerate(natural_order(execution.thread_names, sorted(used)))}
    while left:
        ready = [ref for ref in left if ref < 0 or hard[ref] <= level.keys()]
        if not ready:  # po and rf make a cycle: break it at an event that at least its own thread lets go
            ready = [ref for ref in left if own[ref] <= level.keys()] or list(left)

        def height(ref: int) -> int:
            return 1 + max((level[p] for p in hard[ref] if p in level), default=-1)

        chosen = min(
            ready,
            key=lambda ref: (ref >= 0, len(soft[ref] - level.keys()) > 0, height(ref), _rank(execution, ref, rank)),
        )
        level[chosen] = height(chosen)
        out.append(chosen)
        del left[chosen]
    return _pulled_down(scene, out)


def _pulled_down(scene: Scene, order: list[int]) -> list[int]:
    """Move an event that more arrows leave than enter down to the first it points to: shorter arrows."""
    out = list(order)
    leaving: dict[int, list[int]] = {}
    entering: dict[int, int] = {}
    for arrow in scene.arrows:
        leaving.setdefault(arrow.source, []).append(arrow.target)
        entering[arrow.target] = entering.get(arrow.target, 0) + 1
    for ref in reversed(order):
        targets = leaving.get(ref, [])
        if ref < 0 or len(targets) <= entering.get(ref, 0):
            continue
        at = out.index(ref)
        first = min(out.index(target) for target in targets)
        if first > at + 1:
            out.insert(first - 1, out.pop(at))
    return out


def _rank(execution: Execution, ref: int, thread: dict[int, int]) -> tuple[int, int]:
    return (-1, ~ref) if ref < 0 else (thread[int(execution.thread[ref])], ref)
