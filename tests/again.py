"""The commands that reports print for their bugs, run: each must show its bug, and nothing else."""

from __future__ import annotations

import json
import shlex
from typing import Any

import pytest

from porf.cli import main


def run_again(capsys: pytest.CaptureFixture[str], record: dict[str, Any]) -> None:
    """Runs every command of a record of `porf explore --json`."""
    for error in record["errors"]:
        porf, verb, *arguments = shlex.split(error["again"])
        assert (porf, verb) == ("porf", "explore")
        code = main([verb, "--json", *arguments])
        told = capsys.readouterr()
        assert (code, told.err) == (1, ""), error["again"]
        [again] = map(json.loads, told.out.splitlines())
        assert again["errors"] == [error]
        assert (again["program"], again["model"]) == (record["program"], record["model"])
