"""Whether a small history of one register is linearizable, by trying all orders: a check of refutations.

Nothing here is shared with the search that it checks.
"""

import numpy as np

from porf.allowance import look
from porf.evidence.chosen import excluded, values_of
from porf.execution import INITIAL, NO_VALUE, UNKNOWN, Execution, Op


def linearizable(part: Execution) -> bool:
    """Tries each operation that may come next, and remembers which sets of operations lead nowhere."""
    times = part.times
    n = len(part)
    read, written = (column.tolist() for column in values_of(part))
    unlike = excluded(part, np.arange(n, dtype=np.int32)).tolist()
    rf, op, loc = part.rf.tolist(), part.op.tolist(), part.loc.tolist()
    before = [[a for a in range(n) if times is not None and times.before(a, b)] for b in range(n)]
    idle = [
        times is not None
        and not bool(times.ends[e])
        and (op[e] == Op.WRITE or (op[e] == Op.UPDATE and rf[e] == UNKNOWN))
        for e in range(n)
    ]

    def fits(e: int, holds: int) -> bool:
        if op[e] == Op.WRITE:
            return True
        if rf[e] != UNKNOWN:
            return bool(rf[e] == holds)
        value = int(part.init_value[loc[e]]) if holds == INITIAL else written[holds]
        return bool(value != unlike[e] if unlike[e] != NO_VALUE else read[e] in (value, NO_VALUE))

    everything = sum(1 << e for e in range(n) if not idle[e])
    dead: set[tuple[int, int]] = set()
    stack = [(0, INITIAL)]
    while stack:
        look()
        done, holds = stack.pop()
        if done & everything == everything:
            return True
        if (done, holds) in dead:
            continue
        dead.add((done, holds))
        for e in range(n):
            if done >> e & 1 or not fits(e, holds) or any(not done >> a & 1 for a in before[e]):
                continue
            stack.append((done | 1 << e, holds if op[e] == Op.READ else e))
    return False
