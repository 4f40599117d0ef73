"""Mappings as files that people correct."""

from __future__ import annotations

import json
import re

from porf.formats.logs.guess import Guess


def as_toml(guess: Guess, source: str) -> str:
    """The mapping as a file, with remarks, for people to correct."""
    mapping = guess.mapping
    lines = [f"# How to read {source.rsplit('/', 1)[-1]!r}, as porf guesses it. Use it with --mapping FILE."]
    plain = {"shape": mapping.shape, "separator": mapping.separator, "header": mapping.header, "values": mapping.values}
    for key, said in plain.items():
        if said is not None and (key, said) != ("values", "auto"):
            lines.append(f"{key} = {_toml(said)}")
    if mapping.others:
        lines.append("others = true  # lines that no template fits are left out")
    if mapping.unless:
        lines.append(f"unless = {_toml(mapping.unless)}  # but not if they have this text")
    if mapping.lines:
        lines += ["lines = [", *(f"  {_toml(line)}," for line in mapping.lines), "]"]
    if mapping.columns:
        lines += ["", "[columns]"]
        for name, column in mapping.columns.items():
            remark = f"  # {guess.remarks[name]}" if guess.remarks.get(name) else ""
            lines.append(f"{_toml_key(name)} = {_toml(column)}{remark}")
    for section, words, said in (
        ("ops", mapping.ops, "what words stand for: r w u f, with an order r:acq; - is no event"),
        ("orders", mapping.orders, "na rlx acq rel acq_rel sc, or words of an architecture"),
    ):
        if words:
            lines += ["", f"[{section}]  # {said}"]
            lines += [f"{_toml_key(word)} = {_toml(meant)}" for word, meant in words.items()]
    return "\n".join(lines) + "\n"


def _toml(said: str | int | bool) -> str:
    if isinstance(said, bool):
        return "true" if said else "false"
    return str(said) if isinstance(said, int) else json.dumps(said, ensure_ascii=True)


def _toml_key(word: str) -> str:
    return word if re.fullmatch(r"[A-Za-z0-9_-]+", word) else json.dumps(word)
