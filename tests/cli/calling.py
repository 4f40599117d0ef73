"""What the tests of the command line share: small histories, and ways to call."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from porf.cli import main

PORF = os.environ.get("PORF", str(Path(sys.executable).with_name("porf")))
GOOD = "T0 w x 1\nT1 r x 1\n"
BAD = "T0 w x 1 id=a\nT0 w x 2 id=b\nT1 r x 2 id=c\nT1 r x 1 id=d\n"  # in every model here: read backwards
WEAK = "T0 w x 1\nT0 r y 0\nT1 w y 1\nT1 r x 0\n"  # store buffering: not sc, fine in the others
NOT_A_HISTORY = "T0 w x 1one\n"
FIELDS = [
    *("source", "model", "model_file", "verdict", "axiom", "cycle", "witness"),
    *("algorithm", "events", "threads", "seconds"),
]
USER_MODEL = '"mine"\nacyclic po | rf as causality\nirreflexive fr; po as own\n'


def run(*arguments: str, stdin: str = "", **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run([PORF, *arguments], input=stdin, capture_output=True, text=True, timeout=60, **options)


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Runs what must be refused: exit code 2, nothing on stdout; what stderr says."""
    try:
        code = main(arguments)
    except SystemExit as stop:
        code = stop.code  # type: ignore[assignment]
    said = capsys.readouterr()
    assert code == 2, said
    assert said.out == ""
    assert said.err.startswith("error: ")
    return said.err
