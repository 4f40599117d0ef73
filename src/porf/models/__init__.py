"""The models: one file each, and the table that says which kernel decides which."""

from porf.models.registry import ALL_MODELS, ARCHITECTURE_MODELS, MODELS, Model, find_model

__all__ = ["ALL_MODELS", "ARCHITECTURE_MODELS", "MODELS", "Model", "find_model"]
