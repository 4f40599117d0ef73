"""What is damaged: the examples, the model files, and small files of the kinds that the examples lack."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import porf
from porf.formats import dumps

ROOT = Path(__file__).parents[2]
EXAMPLES, HERE = ROOT / "examples", Path(__file__).parent / "corpus"
MODELS = Path(porf.__file__).parent / "models"

FOLDERS = {
    "history": (HERE, EXAMPLES / "histories"),
    "cat": (HERE, EXAMPLES / "models", MODELS),
    "kat": (HERE, EXAMPLES / "proofs", EXAMPLES / "models", MODELS),
    "litmus": (HERE, EXAMPLES / "litmus", EXAMPLES / "litmus" / "assembly"),
    "py": (HERE, EXAMPLES / "programs"),
    "c": (HERE, EXAMPLES / "programs"),
    "ll": (HERE,),
    "cnf": (HERE, EXAMPLES / "formulas"),
    "graph": (HERE,),
    "kernel": (HERE,),
    "bell": (HERE,),
    "configuration": (HERE,),
    "table": (HERE,),
}
SUFFIXES = {"history": ".txt"}


@cache
def files(kind: str) -> list[bytes]:
    """The files of a kind, in a fixed order."""
    suffix = SUFFIXES.get(kind, f".{kind}")
    paths = [path for folder in FOLDERS[kind] for path in sorted(folder.glob(f"*{suffix}"))]
    return [path.read_bytes() for path in paths]


@cache
def written(kind: str) -> list[bytes]:
    """The histories in another format."""
    return [dumps(porf.loads(data), kind) for data in files("history")]


@cache
def bitcode() -> list[bytes]:
    """The LLVM files as bitcode."""
    from porf.programs.c.llvm import Context, Module

    return [Module(data, Context()).bitcode() for data in files("ll")]
