"""Executions made to order: random interleavings, weak runs, broken ones, and graphs as histories."""

from porf.generate.broken import broken
from porf.generate.graphs import random_graph, read_graph
from porf.generate.runs import ORDERS, interleaving, weak
from porf.generate.triangles import triangle

__all__ = ["ORDERS", "broken", "interleaving", "random_graph", "read_graph", "triangle", "weak"]
