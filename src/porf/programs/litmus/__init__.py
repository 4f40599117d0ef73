"""Litmus tests: small programs with a question about their final states."""

from porf.programs.litmus.observation import LitmusTest, Observation, observe, offending
from porf.programs.litmus.read import read_litmus

__all__ = ["LitmusTest", "Observation", "observe", "offending", "read_litmus"]
