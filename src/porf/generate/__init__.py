"""Executions made to order: random interleavings, weak runs, broken ones, runs of coherence protocols, graphs and
formulas as histories, and cycles of edges as litmus tests."""

from porf.generate.broken import broken
from porf.generate.coherence import FAULTS, MEMORIES, PROTOCOLS, coherence
from porf.generate.dimacs import Formula, parse_formula, read_formula
from porf.generate.graphs import random_graph, read_graph
from porf.generate.litmus import MadeTest, litmus, litmus_tests, save_tests
from porf.generate.pool import pooled
from porf.generate.runs import ORDERS, interleaving, weak
from porf.generate.sat import SAT_MODELS, sat
from porf.generate.triangles import triangle

__all__ = [
    "FAULTS", "MEMORIES", "ORDERS", "PROTOCOLS", "SAT_MODELS", "Formula", "MadeTest", "broken", "coherence",
    "interleaving", "litmus", "litmus_tests", "parse_formula", "pooled", "random_graph", "read_formula", "read_graph",
    "sat", "save_tests", "triangle", "weak",
]  # fmt: skip
