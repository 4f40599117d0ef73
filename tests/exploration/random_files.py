"""Random model files that can be explored: coherence, and axioms of paths that mo and fr are steps of."""

from __future__ import annotations

import random

_SETS = ("W", "R", "F", "SC", "REL", "ACQ", "U", "F & SC", "W & SC")
_STEPS = (
    "po",
    "rf",
    "(po & loc)",
    "(po \\ loc)",
    "(rf & ext)",
    "(po; [F]; po)",
    "(po | rf)+",
    "hb",
    "(po \\ ((W \\ U) * R))",
    "([REL]; po)",
    "(rf; [ACQ])",
)
_MOVES = ("mo", "fr", "(mo & ext)", "(fr & ext)", "(mo | fr)", "(rf | mo | fr)+", "(mo; rf?)", "(fr; rf?)")
_HB = ("(po | rf)+", "po", "(po | ([REL]; rf; [ACQ]))+")


def random_file(seed: int) -> str:
    """Its text; an update is one event, or two."""
    rng = random.Random(seed)
    two = rng.random() < 0.5
    lines = [f"(* Events: {'two' if two else 'one'} *)", f'"file-{seed}"', f"let hb = {rng.choice(_HB)}"]
    lines += ["acyclic po | rf", "irreflexive hb; (rf | mo | fr)+", "irreflexive mo; rf; (po & loc)?"]
    lines.append("empty rmw & (fr; mo)" if two else "irreflexive fr; mo")
    for _ in range(rng.randint(1, 2)):
        terms = " | ".join(_term(rng) for _ in range(rng.randint(1, 4)))
        lines.append(f"{rng.choice(('acyclic', 'acyclic', 'irreflexive'))} {terms}")
    return "\n".join(lines) + "\n"


def _term(rng: random.Random) -> str:
    parts = []
    if rng.random() < 0.3:
        parts.append(f"[{rng.choice(_SETS)}]")
    if rng.random() < 0.4:
        parts.append(rng.choice(_STEPS) + rng.choice(("", "", "?")))
    parts.append(rng.choice(_MOVES) if rng.random() < 0.7 else rng.choice(_STEPS))
    if rng.random() < 0.4:
        parts.append(rng.choice(_STEPS) + rng.choice(("", "", "?")))
    if rng.random() < 0.3:
        parts.append(f"[{rng.choice(_SETS)}]")
    return "(" + "; ".join(parts) + ")"
