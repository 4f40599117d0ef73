"""The shape of a stress test: how many threads do how much of what, and where."""

import math

from porf.errors import UsageError, nearest
from porf.execution import OP_LETTERS
from porf.record import Record

Mix = tuple[float, float, float, float]  # the weights of reads, writes, updates and fences

MIX: Mix = (47.0, 47.0, 3.0, 3.0)
LAYOUTS = ("spread", "packed", "both")

_MOST = {"threads": 256, "ops": 10**7, "locations": 2**16, "burst": 10**7}


class Plan(Record):
    """`ops` are of all threads together, in one round. Threads start together every `burst` operations of each.

    `layout`: each location in cache lines of its own ("spread"), side by side ("packed"), or "both" in turn.
    """

    threads: int = 2
    ops: int = 10_000
    locations: int = 4
    mix: Mix = MIX
    burst: int = 32
    layout: str = "both"

    def __post_init__(self) -> None:
        for name, most in _MOST.items():
            if not 1 <= getattr(self, name) <= most:
                raise UsageError(f"{name} is {getattr(self, name)}", hint=f"it is at least 1 and at most {most:,}")
        if self.ops < self.threads:
            raise UsageError(
                f"{self.threads} threads share {self.ops} operations", hint="use at least one operation per thread"
            )
        refuse_layout(self.layout)
        if min(self.mix) < 0 or not 0 < sum(self.mix) < math.inf:
            raise UsageError(
                f"the mix is {self.mix}", hint="weights must not be negative, and at least one must be positive"
            )


def refuse_layout(layout: str) -> None:
    if layout not in LAYOUTS:
        hint = nearest(layout, LAYOUTS) or "one of " + ", ".join(LAYOUTS)
        raise UsageError(f"unknown layout '{layout}'", hint=hint)


def parse_mix(text: str) -> Mix:
    """`r=47,w=47,u=3,f=3`: a weight for each operation, by its letter in the text format; 0 where none is said."""
    hint = "like r=47,w=47,u=3,f=3: weights of reads, writes, updates and fences"
    weights = dict.fromkeys(OP_LETTERS, 0.0)
    said: set[str] = set()
    for part in text.split(","):
        letter, _, number = part.partition("=")
        if letter in said:
            raise UsageError(f"'{letter}' has two weights in the mix", hint=hint)
        said.add(letter)
        if letter not in weights:
            raise UsageError(f"unknown operation '{letter}' in the mix", hint=hint)
        try:
            weights[letter] = float(number)
        except ValueError:
            raise UsageError(f"'{number}' is not a weight of '{letter}'", hint=hint) from None
    reads, writes, updates, fences = weights.values()
    return reads, writes, updates, fences
