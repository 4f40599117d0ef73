"""The models: one file each, and the table that says which kernel decides which."""

from porf.models.registry import MODELS, Model, find_model

__all__ = ["MODELS", "Model", "find_model"]
