"""The README's commands and Python snippets, run for real.

`python -m tests.readme_blocks` writes their output, and the pictures, anew. A `text` block shows what one machine did
once, which no other run repeats: it stays as it is, and the tests look at its form alone.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import porf

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
BLOCK = re.compile(r"^```(console|pycon)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PICTURES = [("message-passing", "ra", "message-passing"), ("2+2w", "sra", "2plus2w")]  # history, model, picture


def workplace(folder: Path) -> Path:
    """A copy of the examples, so that what the README writes stays out of the repository."""
    shutil.copytree(ROOT / "examples", folder / "examples")
    return folder


def run_console(block: str, folder: Path) -> str:
    """The block with the output that its `$ command` lines have now."""
    out = []
    for line in block.splitlines():
        if not line.startswith("$ "):
            continue
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        environment = {**os.environ, "PATH": path, "COLUMNS": "110", "PYTHONUTF8": "1"}
        done = subprocess.run(
            ["bash", "-c", line[2:]],
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
        out.append(f"{line}\n{done.stdout}")
    return "".join(out)


def run_python(block: str, folder: Path, names: dict[str, object]) -> str:
    """The block with what its `>>>` lines print now. `names` carries over between blocks."""
    out = []
    with contextlib.chdir(folder):
        for line in block.splitlines():
            if not line.startswith(">>> "):
                continue
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(compile(f"{line[4:]}\n", "README.md", "single"), names)
            out.append(f"{line}\n{printed.getvalue()}")
    return "".join(out)


def rerun(text: str, folder: Path) -> str:
    """The README with every block's output as it is now."""
    names: dict[str, object] = {}

    def again(match: re.Match[str]) -> str:
        kind, block = match.groups()
        made = run_console(block, folder) if kind == "console" else run_python(block, folder, names)
        return f"```{kind}\n{made}```"

    return BLOCK.sub(again, text)


def without_times(text: str) -> str:
    """Measured times may differ; and tokens of replays, which depend on how programs are compiled."""
    text = re.sub(r"--replay \S+", "--replay TOKEN", text)
    text = re.sub(r"^(Time \S+) \d+\.\d+$", r"\1 T", text, flags=re.MULTILINE)
    text = re.sub(r"\d+(\.\d+)?(e-\d+)? (ms|s)\b(, [\d,]+/s)?", r"T \3", text)
    return re.sub(r'"seconds": ?[0-9.e-]+', '"seconds": T', text)


if __name__ == "__main__":
    for history, model, picture in PICTURES:
        drawn = porf.check(porf.load(ROOT / "examples" / "histories" / f"{history}.txt"), model).draw()
        (ROOT / "docs" / "images" / f"{picture}.svg").write_text(drawn, encoding="utf-8")
    with tempfile.TemporaryDirectory() as place:
        README.write_text(rerun(README.read_text(encoding="utf-8"), workplace(Path(place))), encoding="utf-8")
