"""Executions made to order: random interleavings, weak runs, broken ones, runs of coherence protocols, and graphs and
formulas as histories."""

from porf.generate.broken import broken
from porf.generate.coherence import FAULTS, MEMORIES, PROTOCOLS, coherence
from porf.generate.dimacs import Formula, parse_formula, read_formula
from porf.generate.graphs import random_graph, read_graph
from porf.generate.runs import ORDERS, interleaving, weak
from porf.generate.sat import SAT_MODELS, sat
from porf.generate.triangles import triangle

__all__ = [
    "FAULTS", "MEMORIES", "ORDERS", "PROTOCOLS", "SAT_MODELS", "Formula", "broken", "coherence", "interleaving",
    "parse_formula", "random_graph", "read_formula", "read_graph", "sat", "triangle", "weak",
]  # fmt: skip
