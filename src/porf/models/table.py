"""The models as a table: name, title, what decides each, at what cost, and where it was published."""

import shutil
import textwrap

from porf.models.registry import ALL_MODELS, find_model

_COLUMNS = ("name", "title", "decided_by", "complexity", "source")


def model_records(name: str | None = None) -> list[dict[str, str]]:
    """The built-in models, or the one that is named."""
    records = []
    for model in ALL_MODELS.values() if name is None else [find_model(name)]:
        header = model.header
        values = (model.name, header.title or "", model.decided_by, model.complexity, header.source or "")
        records.append(dict(zip(_COLUMNS, values, strict=True)))
    return records


def model_table() -> str:
    """A table as wide as the terminal; the last column wraps."""
    records = model_records()
    heads = {column: column.replace("_", " ") for column in _COLUMNS}
    widths = {c: max(len(heads[c]), *(len(r[c]) for r in records)) for c in _COLUMNS[:-1]}
    indent = sum(widths.values()) + 2 * len(widths)
    room = max(30, shutil.get_terminal_size((110, 24)).columns - indent)
    lines = []
    for record in (heads, *records):
        left = "".join(record[c].ljust(widths[c] + 2) for c in _COLUMNS[:-1])
        lines.append(textwrap.fill(record["source"], room, initial_indent="", subsequent_indent="").split("\n"))
        lines[-1] = [left + lines[-1][0], *(" " * indent + more for more in lines[-1][1:])]
    footer = "A path to a .cat or .kat file is a model too, decided by the generic procedure."
    return "\n".join([line for block in lines for line in block] + ["", footer])
