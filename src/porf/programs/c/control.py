"""From the branches of a function to an order of its blocks, and its loops; parallel copies one after the other."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from porf.record import Record


class Flow(Record):
    """The blocks that can be reached, and the edges that close loops."""

    order: tuple[str, ...]  # each block comes before its successors, except along retreating edges
    retreating: frozenset[tuple[str, str]]  # every cycle has such an edge; each leads to the head of a loop
    heads: frozenset[str]
    side_doors: frozenset[str]  # heads of loops that can also be entered elsewhere, by goto


def flow(entry: str, successors: Mapping[str, Sequence[str]]) -> Flow:
    """Depth-first search from the entry."""
    order: list[str] = []
    retreating: set[tuple[str, str]] = set()
    state = {entry: 1}  # 1: on the path, 2: done
    path = [(entry, iter(successors[entry]))]
    while path:
        block, rest = path[-1]
        for target in rest:
            if target not in state:
                state[target] = 1
                path.append((target, iter(successors[target])))
                break
            if state[target] == 1:
                retreating.add((block, target))
        else:
            state[block] = 2
            order.append(block)
            path.pop()
    heads = frozenset(target for _, target in retreating)
    order.reverse()
    above = _dominators(order, successors) if heads else {}
    doors = frozenset(target for source, target in retreating if not _dominates(target, source, above))
    return Flow(tuple(order), frozenset(retreating), heads, doors)


def _dominators(order: Sequence[str], successors: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Block -> the last other block that every path to it passes; of the entry, itself.

    That block comes earlier in the order, so one goes up from two predecessors to where they meet (Cooper, Harvey and
    Kennedy, "A simple, fast dominance algorithm").
    """
    number = {block: n for n, block in enumerate(order)}
    before: dict[str, list[str]] = {}
    for block in order:
        for target in successors[block]:
            before.setdefault(target, []).append(block)
    above = {order[0]: order[0]}
    changed = True
    while changed:
        changed = False
        for block in order[1:]:
            known = [source for source in before[block] if source in above]
            found = known[0]
            for other in known[1:]:
                while found != other:
                    if number[found] > number[other]:
                        found = above[found]
                    else:
                        other = above[other]
            changed |= above.get(block) != found
            above[block] = found
    return above


def _dominates(head: str, block: str, above: Mapping[str, str]) -> bool:
    """Whether every path to a block passes the head."""
    while block != head:
        if above[block] == block:
            return False
        block = above[block]
    return True


def in_sequence(copies: Iterable[tuple[int, int]], spare: Callable[[], int]) -> list[tuple[int, int]]:
    """Parallel copies (register, operand) as copies one after the other; `spare` gives a new register."""
    waiting = {register: operand for register, operand in copies if register != operand}
    out: list[tuple[int, int]] = []
    while waiting:
        read = set(waiting.values())
        free = [register for register in waiting if register not in read]
        if not free:  # only cycles are left: one value is set aside
            register = next(iter(waiting))
            kept = spare()
            out.append((kept, register))
            waiting = {r: kept if o == register else o for r, o in waiting.items()}
            continue
        for register in free:
            out.append((register, waiting.pop(register)))
    return out
