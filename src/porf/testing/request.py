"""What the core is asked for: a program adapted to a model that can be kept at every read, and how to choose."""

from typing import Any, TypeVar

from porf._core import Engine, ReadingOrder, Scheduler, TestSettings, can_test
from porf.errors import UsageError, nearest
from porf.exploration.engines import engine_of
from porf.exploration.fingerprint import digest, shape
from porf.exploration.request import Request, request_of
from porf.models.registry import MODELS, Model
from porf.programs.form import Program

SCHEDULERS = {way.name.lower(): way for way in Scheduler}
READINGS = {way.name.lower(): way for way in ReadingOrder}
Way = TypeVar("Way")


class TestRequest(Request):
    """Tokens of tests are not those of explorations: their paths are other choices."""

    @property
    def token_head(self) -> str:
        s = self.settings
        return digest(shape(self.program), self.model, {"test": s.engine.value, "spurious": s.spurious})[:6]


def request_for(program: Program, model: Model, *, keep_going: bool, **flags: Any) -> TestRequest:
    """As for an exploration. A model that needs more than a read's past is refused."""
    if not can_test(engine_of(model, program, to_the_first_bug=not keep_going)):
        raise UsageError(
            f"{model.name} cannot be kept at every read of a run",
            hint=f"--model {', '.join(kept_models())}; porf explore has all models",
        )
    asked = request_of(program, model, keep_going=keep_going, unroll=1 << 62, **flags)
    if asked.settings.happens_before is not None:
        raise UsageError(
            f"{model.name} has races of its own, which a test does not know", hint="porf explore judges them"
        )
    return TestRequest(asked.program, asked.model, asked.settings, asked.proved)


def kept_models() -> list[str]:
    """The models that a test can keep."""
    return [name for name, model in MODELS.items() if model.engine is not Engine.AXIOMS and can_test(model.engine)]


def settings_of(scheduler: str, depth: int, reading: str, seed: int, events: int, jobs: int) -> TestSettings:
    how = TestSettings()
    how.scheduler = _one_of(SCHEDULERS, "scheduler", scheduler)
    how.reading = _one_of(READINGS, "reading", reading)
    how.depth, how.seed, how.most_events, how.jobs = depth, seed, events, jobs
    return how


def _one_of(known: dict[str, Way], what: str, name: str) -> Way:
    if name not in known:
        raise UsageError(f"unknown {what} '{name}'", hint=nearest(name, known) or f"one of {', '.join(known)}")
    return known[name]
