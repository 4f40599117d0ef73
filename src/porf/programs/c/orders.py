"""LLVM's words for memory orders."""

from porf._core import Order

ORDERS = {
    "": Order.NA,
    "unordered": Order.RLX,
    "monotonic": Order.RLX,
    "acquire": Order.ACQ,
    "release": Order.REL,
    "acq_rel": Order.ACQ_REL,
    "seq_cst": Order.SC,
}
