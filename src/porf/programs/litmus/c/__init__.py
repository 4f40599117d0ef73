"""Litmus tests in C: the code of their threads, from tokens to instructions."""

from collections.abc import Sequence

from porf.programs.litmus.c.control import Thread
from porf.programs.litmus.c.operations import OPERATIONS
from porf.programs.litmus.c.statements import Processes
from porf.programs.litmus.cursor import Cursor


def read_threads(cursor: Cursor, word: str) -> Sequence[Thread]:
    """The threads that stand here; of the Linux kernel, its macros mean what they mean there."""
    operations = OPERATIONS
    if cursor.kernel:
        from porf.programs.litmus.c.kernel import KERNEL

        operations = KERNEL
    parser = Processes(cursor.source, cursor.tokens, cursor.index, cursor.kernel)
    threads = [Thread(cursor.source, process, operations, cursor.kernel) for process in parser.processes()]
    cursor.go_to(parser.index)
    return threads
