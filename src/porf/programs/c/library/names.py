"""Names of functions that porf itself puts into LLVM's text; their records are in `undefined.py`."""

NEVER = "porf.never."  # with a type, and the name of a variable: a value that was never set
PIN = "porf.pin."  # with a number: holds a variable in memory
MEMSET = "@llvm.memset.p0.i64"
