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
    doors = frozenset(h for h in heads if _avoids(entry, successors, h, (s for s, t in retreating if t == h)))
    return Flow(tuple(reversed(order)), frozenset(retreating), heads, doors)


def _avoids(entry: str, successors: Mapping[str, Sequence[str]], head: str, sources: Iterable[str]) -> bool:
    """Whether one of these blocks can be reached without passing the head."""
    if entry == head:
        return False
    seen, waiting = {entry}, [entry]
    while waiting:
        for target in successors[waiting.pop()]:
            if target != head and target not in seen:
                seen.add(target)
                waiting.append(target)
    return any(source in seen for source in sources)


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
