"""The model language: model files in, axioms over executions out.

Names are imported when they are first used: to read a header, neither engine nor parser is loaded.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from porf.language.evaluation import Evaluation, evaluate
    from porf.language.header import Header, read_header
    from porf.language.model_file import Axiom, ModelFile, load_model_file, parse_model, read_tree

__all__ = [
    "Axiom", "Evaluation", "Header", "ModelFile", "evaluate", "load_model_file", "parse_model", "read_header",
    "read_tree",
]  # fmt: skip

_HOMES = {"Evaluation": "evaluation", "evaluate": "evaluation", "Header": "header", "read_header": "header"}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES.get(name, 'model_file')}"), name)
