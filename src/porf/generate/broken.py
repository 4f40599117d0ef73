"""One wrong read: an execution with a single rf edge moved, for tests that a checker must be able to fail."""

from dataclasses import replace

import numpy as np

from porf.errors import UsageError, check_options
from porf.execution import INITIAL, Execution, Op


def broken(execution: Execution, seed: int = 0) -> Execution:
    """The same execution, but one read takes another write of its location (and that write's value).

    The result need not be inconsistent: the other write may be allowed too.
    """
    check_options(seed=seed)
    if len(execution.open_reads):
        row = int(execution.open_reads.rows[0])
        message = f"{execution.name(row)} reads from nobody knows whom"
        raise UsageError(message, source=execution.source, hint="give each read its writer: rf=ID")
    random = np.random.Generator(np.random.PCG64(seed))
    op, loc = execution.op, execution.loc
    reads = np.flatnonzero((op == Op.READ) | (op == Op.UPDATE))
    writes = (op == Op.WRITE) | (op == Op.UPDATE)
    others = np.bincount(loc[writes], minlength=execution.locations)[loc[reads]] - writes[reads]
    movable = reads[others + 1 > 1]  # the initial write is a choice too, and the present writer is none
    if len(movable) == 0:
        hint = "it needs a read of a location that some other event writes"
        raise UsageError("no read can be moved to another write", source=execution.source, hint=hint)
    row = int(random.choice(movable))
    choices = np.append(np.flatnonzero(writes & (loc == loc[row])), INITIAL)
    choices = choices[(choices != row) & (choices != execution.rf[row])]
    writer = int(random.choice(choices))
    rf = execution.rf.copy()
    rf[row] = writer
    read_value = execution.read_value
    if read_value is not None and execution.written_value is not None:
        read_value = read_value.copy()
        read_value[row] = execution.init_value[loc[row]] if writer == INITIAL else execution.written_value[writer]
    return replace(execution, rf=rf, read_value=read_value, source=f"{execution.source}, one read moved")
