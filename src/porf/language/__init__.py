"""The model language: model files in, axioms over executions out. The parser is imported late."""

from porf.language.evaluate import Evaluation, evaluate
from porf.language.header import Header, read_header
from porf.language.model_file import Axiom, ModelFile, load_model_file, parse_model

__all__ = [
    "Axiom",
    "Evaluation",
    "Header",
    "ModelFile",
    "evaluate",
    "load_model_file",
    "parse_model",
    "read_header",
]
