"""A folder with the small histories, to run verbs in."""

from pathlib import Path

import pytest

from tests.cli.calling import BAD, GOOD, NOT_A_HISTORY, WEAK


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    texts = {"good": GOOD, "bad": BAD, "weak": WEAK, "wrong": NOT_A_HISTORY}
    for name, text in texts.items():
        (tmp_path / f"{name}.txt").write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path
