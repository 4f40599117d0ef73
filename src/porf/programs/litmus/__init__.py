"""Litmus tests in C: small programs with a question about their final states."""

from porf.programs.litmus.observation import LitmusTest, Observation, observe
from porf.programs.litmus.read import read_litmus

__all__ = ["LitmusTest", "Observation", "observe", "read_litmus"]
