"""Litmus tests in C: the code of their threads, from tokens to instructions."""

from collections.abc import Sequence

from porf.programs.litmus.c.control import Thread
from porf.programs.litmus.c.statements import Processes
from porf.programs.litmus.cursor import Cursor


def read_threads(cursor: Cursor, word: str) -> Sequence[Thread]:
    """The threads that stand here."""
    parser = Processes(cursor.source, cursor.tokens, cursor.index)
    threads = [Thread(cursor.source, process) for process in parser.processes()]
    cursor.go_to(parser.index)
    return threads
