"""Undirected graphs as (m, 2) arrays of edges u < v, sorted: random ones, and the reader of `u v` files."""

from pathlib import Path

import numpy as np
import numpy.typing as npt

from porf.errors import FormatError, UsageError, check_options
from porf.execution import Int64

_LARGEST = 2**31 - 1


def random_graph(nodes: int, probability: float, *, bipartite: bool = False, seed: int = 0) -> Int64:
    """Each edge is there with the given probability; a bipartite graph joins odd nodes with even ones only.

    A bipartite graph has no triangle, so it makes large consistent histories.
    """
    if not 0 <= probability <= 1 or not 0 <= nodes <= 2**31:
        raise UsageError(f"no graph of {nodes} nodes has edge probability {probability}")
    check_options(seed=seed)
    random = np.random.Generator(np.random.PCG64(seed))
    left, right = (nodes + 1) // 2, nodes // 2
    pairs = left * right if bipartite else nodes * (nodes - 1) // 2
    count = int(random.binomial(pairs, probability))
    codes = _distinct(random, pairs, count)
    if bipartite:
        return normalised(np.stack([2 * (codes // max(right, 1)), 2 * (codes % max(right, 1)) + 1], axis=1))
    # Row v of the lower triangle holds the pairs (0, v) … (v-1, v).
    v = ((1 + np.sqrt(8 * codes.astype(np.float64) + 1)) / 2).astype(np.int64)
    v -= v * (v - 1) // 2 > codes
    v += v * (v + 1) // 2 <= codes
    return normalised(np.stack([codes - v * (v - 1) // 2, v], axis=1))


def _distinct(random: np.random.Generator, below: int, count: int) -> Int64:
    """So many distinct numbers below a bound, without a table of all where few are wanted."""
    if count * 3 > below:
        return random.permutation(below)[:count]
    found = np.empty(0, np.int64)
    while len(found) < count:
        more = random.integers(0, below, count - len(found) + 16)
        found = np.unique(np.concatenate([found, more]))
    return random.permutation(found)[:count]


def normalised(edges: npt.ArrayLike) -> Int64:
    """Each edge once, smaller node first, in order."""
    pairs = np.asarray(edges, np.int64).reshape(-1, 2)
    if (pairs[:, 0] == pairs[:, 1]).any():
        loop = int(pairs[pairs[:, 0] == pairs[:, 1]][0, 0])
        raise UsageError(f"node {loop} has an edge to itself", hint="the graph has no loops")
    if len(pairs) and (pairs.min() < 0 or pairs.max() > _LARGEST):
        raise UsageError("a node number is out of range", hint=f"nodes are between 0 and {_LARGEST}")
    return np.unique(np.sort(pairs, axis=1), axis=0)


def read_graph(path: str | Path) -> Int64:
    """Reads an edge list: two node numbers per line, `#` starts a comment. Repeated edges count once."""
    source = str(path)
    try:
        lines = Path(path).read_bytes().split(b"\n")
    except (OSError, ValueError) as error:
        raise FormatError(f"cannot be read: {getattr(error, 'strerror', None) or error}", source=source) from None
    edges: list[tuple[int, int]] = []
    for number, raw in enumerate(lines, 1):
        tokens = raw.split(b"#", 1)[0].split()
        if not tokens:
            continue
        text = raw.decode(errors="replace").rstrip("\r")
        if len(tokens) != 2 or not all(token.isdigit() and int(token[:12]) <= _LARGEST for token in tokens):
            raise _edge_error(source, number, text, [token.decode(errors="replace") for token in tokens])
        u, v = int(tokens[0]), int(tokens[1])
        if u == v:
            column = text.find(tokens[0].decode()) + 1
            hint = "the graph has no loops"
            raise FormatError(
                f"node {u} has an edge to itself",
                source=source,
                line=number,
                column=column,
                text=text,
                width=len(text.split("#")[0].rstrip()) - column + 1,
                hint=hint,
            )
        edges.append((u, v))
    return normalised(edges)


def _edge_error(source: str, number: int, text: str, tokens: list[str]) -> FormatError:
    """Points at the first token that is no node, or at what is missing or too much."""
    column, message, width = 1, "", 1
    for at, token in enumerate(tokens):
        column = text.index(token, column - 1) + 1
        width = len(token)
        if at == 2:
            message = "an edge has two nodes"
        elif not (token.isascii() and token.isdigit()):
            message = f"'{token[:60]}' is not a node"
        elif int(token[:12]) > _LARGEST:
            message = f"the node {token[:60]} is out of range"
        if message:
            break
        column += width
    if not message:
        message, width = "the second node is missing", 1
    hint = f"write two numbers between 0 and {_LARGEST}: 3 7"
    return FormatError(message, source=source, line=number, column=column, text=text, width=width, hint=hint)
