"""Seeds of tests on random cases: a few for every change, the others for `make test-full`."""

from __future__ import annotations

from typing import Any

import pytest


def seeds(every_change: int, in_full: int) -> list[Any]:
    """The first run with every change, the others are marked `full`."""
    return [*range(every_change), *(pytest.param(s, marks=pytest.mark.full) for s in range(every_change, in_full))]
