"""Shares the random executions of the check tests."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "check"))
