"""Seed 004's claims: the figures' verdicts, Lemmas 1 to 3, Fig. 2, what it believes of TSO; and its slips."""

from __future__ import annotations

NAMES = ("sc", "tso", "ccm", "wccm", "cm", "ccv", "cc")

FIG_1A = "w x 1; r x 2 | w x 2; r x 1"
FIG_1B = "w z 1; w x 1; w y 1 | w x 2; r z 0; r y 1; r x 2"
FIG_1C = "w x 1; w x 2; r y 1 | w y 1; w y 2; r y 2; r x 1"
FIG_1D = "w x 1; r y 0; w y 1; r x 1 | w x 2; r y 0; w y 2; r x 2"
FIG_3 = "w x 1 | w y 1 | r x 1; r y 0 | r y 1; r x 0"

# What the captions and the text say, and what follows by Fig. 2.
FIGURES = {
    FIG_1A: {"cm", "cc"},
    FIG_1B: {"tso", "wccm", "ccv", "cc"},
    FIG_1C: {"tso", "wccm", "cm", "ccv", "cc"},
    FIG_1D: {"ccm", "wccm", "cm", "ccv", "cc"},
    # Not what the caption says: by the definitions CCM and wCCM forbid it, as TSO does.
    FIG_3: {"cm", "ccv", "cc"},
}

# Each model allows all that the one before it allows: Lemmas 1 to 3, Fig. 2, and the belief at the end of Section 4.1.
INCLUSIONS = (
    ("sc", "ccm"),
    ("sc", "tso"),
    ("ccm", "cm"),
    ("ccm", "ccv"),
    ("ccm", "wccm"),
    ("tso", "wccm"),
    ("cm", "cc"),
    ("ccv", "cc"),
    ("tso", "ccv"),
    ("tso", "cc"),
)
