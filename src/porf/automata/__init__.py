"""Models as theory: statements about all executions, decided by automata."""
