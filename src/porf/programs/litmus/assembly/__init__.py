"""Litmus tests in assembly: tables of instructions, a column a thread. Each architecture has a module with its
instructions, a row each; what they share is here."""
