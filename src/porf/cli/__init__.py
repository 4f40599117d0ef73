"""The command line: a module for each verb, which reads arguments, calls the library and prints its results."""

from porf.cli.command import main

__all__ = ["main"]
