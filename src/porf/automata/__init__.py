"""Models as theory: statements about all executions, and models against models."""
