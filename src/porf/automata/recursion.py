"""Left-linear recursion, eliminated: the least solution of X = c | X;a | Y;b … as regular expressions."""

from porf.automata import expression as x


class NotLinearError(Exception):
    """A recursive name occurs where no regular expression can follow."""

    def __init__(self, where: x.Step, name: str, why: str) -> None:
        super().__init__(why)
        self.where, self.name, self.why = where, name, why


def solve(bodies: dict[x.Step, x.Regular]) -> dict[x.Step, x.Regular]:
    """For X = X;a | c the least solution is c;a*; the names go one after the other."""
    unknowns = list(bodies)
    rows = {name: _linear(name, body, bodies) for name, body in bodies.items()}
    for name in unknowns:
        row = rows[name]
        loop = x.star(row.pop(name, x.NOTHING))
        row = rows[name] = {other: x.sequence((part, loop)) for other, part in row.items()}
        for later in unknowns:
            if later is not name and name in rows[later]:
                factor = rows[later].pop(name)
                for other, part in row.items():
                    known = rows[later].get(other, x.NOTHING)
                    rows[later][other] = x.union((known, x.sequence((part, factor))))
    return {name: rows[name].get(None, x.NOTHING) for name in unknowns}


def _linear(where: x.Step, body: x.Regular, names: dict[x.Step, x.Regular]) -> dict[x.Step | None, x.Regular]:
    """What follows each recursive name, and under None what has none."""
    used = [part for part in x.steps_of(body) if x.Step(part.name) in names]
    if not used:
        return {None: body}
    if any(part.back for part in used):
        raise NotLinearError(where, used[0].name, "is inverted by `^-1`")
    match body:
        case x.Step():
            return {body: x.IDENTITY}
        case x.Union(parts):
            out: dict[x.Step | None, x.Regular] = {}
            for part in parts:
                for name, rest in _linear(where, part, names).items():
                    out[name] = x.union((out.get(name, x.NOTHING), rest))
            return out
        case x.Sequence(parts):
            tail = x.sequence(parts[1:])
            for part in x.steps_of(tail):
                if part in names:
                    raise NotLinearError(where, part.name, "is not the first factor of a `;`")
            return {name: x.sequence((rest, tail)) for name, rest in _linear(where, parts[0], names).items()}
    raise NotLinearError(where, used[0].name, "occurs under `*` or `+`")
