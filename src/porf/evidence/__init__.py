"""Evidence: what makes a verdict believable. Data here, then words (words.py), then a picture (svg.py)."""

from porf.evidence.data import Edge, Proof, Step, Witness

__all__ = ["Edge", "Proof", "Step", "Witness"]
