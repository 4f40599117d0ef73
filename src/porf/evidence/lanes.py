"""The traffic rules of a picture: the gap between columns where an arrow turns, its lane, and its ports."""

from porf.evidence.scene import Arrow
from porf.execution import DEPENDENCIES

BOX = 28.0  # the height of an event's box: its sides hold the ports


class Lanes:
    """For each curved arrow: the gap it turns in, its lane there, and its ports on the sides of both boxes.

    Gap g is right of column g; gap -1 is left of the first column.
    """

    def __init__(self, arrows: list[Arrow], place: dict[int, tuple[int, int]], columns: int) -> None:
        self.gap: dict[int, int] = {}
        self.lane: dict[int, int] = {}
        self.load = dict.fromkeys(range(-1, columns), 0)
        self.port: dict[tuple[int, bool], float] = {}  # (arrow, at its source?) -> offset from the box's middle
        self.side: dict[tuple[int, bool], int] = {}  # -1 left, 1 right
        self._choose_gaps(arrows, place)
        self._choose_lanes(arrows, place)
        self._choose_ports(arrows, place)

    def _choose_gaps(self, arrows: list[Arrow], place: dict[int, tuple[int, int]]) -> None:
        order = sorted(range(len(arrows)), key=lambda at: (not arrows[at].cycle, at))
        for at in order:
            arrow = arrows[at]
            a, b = place[arrow.source][0], place[arrow.target][0]
            if arrow.relation == "po" and a == b and place[arrow.source][1] < place[arrow.target][1]:
                continue  # straight down
            if a == b:
                choices = (a - 1, a) if arrow.relation in DEPENDENCIES else (a, a - 1)
            elif a < b:
                choices = (b - 1, a)
            else:
                choices = (b, a - 1)
            gap = min(choices, key=lambda gap: self.load[gap] + 0.5 * (choices[0] != gap))
            self.load[gap] += 1
            self.gap[at] = gap
            first = 1 if b > a or (a == b and gap == a) else -1
            self.side[at, True] = first
            self.side[at, False] = first if a == b else -first

    def _choose_lanes(self, arrows: list[Arrow], place: dict[int, tuple[int, int]]) -> None:
        """Short arcs hug their column; between them, the order in which parallel arrows cross least."""

        def key(at: int) -> tuple[int, int, int, int]:
            (a, i), (b, j) = place[arrows[at].source], place[arrows[at].target]
            if a == b:
                return (0, abs(i - j), 0, at) if self.gap[at] == a else (2, -abs(i - j), 0, at)
            left, right = (i, j) if a < b else (j, i)
            return (1, -left, -right, at) if left < right else (1, left, right, at)

        taken: dict[int, int] = {}
        for at in sorted(self.gap, key=key):
            self.lane[at] = taken.get(self.gap[at], 0)
            taken[self.gap[at]] = self.lane[at] + 1

    def _choose_ports(self, arrows: list[Arrow], place: dict[int, tuple[int, int]]) -> None:
        """Spread the arrow ends on a side of a box: those that go up stand above those that go down."""
        sides: dict[tuple[int, int], list[tuple[float, int, int, bool]]] = {}
        for at in self.gap:
            arrow = arrows[at]
            for outgoing, own, other in ((True, arrow.source, arrow.target), (False, arrow.target, arrow.source)):
                away = place[other][1] - place[own][1]
                same = place[other][0] == place[own][0]
                key = (1 / away if away else 0.5 - outgoing) if same else float(away)
                # Arrows between the same two boxes run side by side if their ports keep their lanes' order.
                falls = (away > 0) == (place[own][0] < place[other][0])
                tie = -self.lane[at] if falls else self.lane[at]
                sides.setdefault((own, self.side[at, outgoing]), []).append((key, tie, at, outgoing))
        for ends in sides.values():
            step = min(10.0, (BOX - 8) / max(1, len(ends) - 1))
            for i, (_, _, at, outgoing) in enumerate(sorted(ends)):
                self.port[at, outgoing] = step * (i - (len(ends) - 1) / 2)
