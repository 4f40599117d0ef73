"""Where the recorder is: `porf.h`, a header for programs in C and C++ that record what their threads do to memory."""

from pathlib import Path


def include() -> str:
    """The folder of `porf.h`, for a compiler's `-I`.

    >>> import porf
    >>> porf.include().endswith("include")
    True
    """
    return str(Path(__file__).with_name("include"))
