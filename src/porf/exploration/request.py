"""What the core is asked for: a program adapted to a model, and the settings; and what cannot be combined."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from porf._core import Engine, ExploreSettings, HappensBefore, KeptOrder, Order, SectionTable, Strategy, engine_facts
from porf.errors import UsageError, nearest
from porf.exploration.adapt import adapt, with_backs
from porf.exploration.engines import engine_of, known_as
from porf.exploration.fingerprint import digest, shape, whole
from porf.exploration.races import noted, set_races
from porf.models.registry import Model
from porf.programs.form import Opcode, Program
from porf.record import Record, replace

if TYPE_CHECKING:
    from porf.exploration.run import Plan
    from porf.programs.litmus import LitmusTest
    from porf.programs.python import ProgramBuilder

NO_SPURIOUS = "spurious failures of weak compare-exchanges and of try_lock are left out: --no-spurious"
STRATEGIES = {strategy.name.lower(): strategy for strategy in Strategy}
DEFAULT_UNROLL = 10_000  # iterations; a loop that runs longer ends the exploration


class Request(Record):
    """Every process that explores gets the same."""

    program: Program
    model: str
    settings: ExploreSettings
    proved: str | None = None  # the built-in model that a user's file is equivalent to

    @property
    def algorithm(self) -> str:
        how = f"{self.settings.strategy.name.lower()}/{engine_facts(self.settings.engine).family}"
        return how if self.proved is None else f"{how}, equivalent to {self.proved}: proved"

    @property
    def token_head(self) -> str:
        """The beginning of all its tokens: a word for what its paths depend on."""
        return digest(shape(self.program), self.model, self._tree())[:6]

    @property
    def synchronising(self) -> HappensBefore | None:
        """How happens-before arises; nothing if a file defines it."""
        return self.settings.races if self.settings.happens_before is None else None

    def digest(self) -> str:
        """A word for everything that it depends on."""
        files = (self.settings.file, self.settings.happens_before)
        parts = (part for part in self.settings.__getstate__() if not isinstance(part, SectionTable))
        settings = [part for part in parts if not any(part is file for file in files)]
        return digest(whole(self.program), self.model, {**self._tree(), "settings": settings})

    def asking(self, **changed: Any) -> Request:
        """The same with other settings."""
        from copy import copy

        settings = copy(self.settings)
        for name, value in changed.items():
            setattr(settings, name, value)
        return replace(self, settings=settings)

    def _tree(self) -> dict[str, Any]:
        """What decides which paths there are."""
        s = self.settings
        known: dict[str, Any] = {
            "model": s.engine.value,
            "strategy": s.strategy.value,
            "unroll": s.unroll,
            "spurious": s.spurious,
            "all_blocked": s.all_blocked or s.liveness,
        }
        return known if s.file is None else {**known, "file": s.file.__getstate__()}


def request_of(
    program: Program,
    model: Model,
    *,
    strategy: str = "trust",
    equivalence: str = "rf",
    unroll: int | None = None,
    keep_going: bool = False,
    **flags: Any,
) -> Request:
    """The flags are settings of the core by their names."""
    if equivalence not in ("rf", "mo"):
        raise UsageError(f"unknown equivalence '{equivalence}'", hint="one of rf, mo")
    if equivalence == "mo" and not model.orders_writes:
        raise UsageError(f"{model.name} has no modification order to distinguish", hint="--equivalence rf")
    if strategy not in STRATEGIES:
        raise UsageError(
            f"unknown strategy '{strategy}'", hint=nearest(strategy, STRATEGIES) or f"one of {', '.join(STRATEGIES)}"
        )
    settings = ExploreSettings()
    settings.strategy = STRATEGIES[strategy]
    if settings.strategy is Strategy.TRACER:
        _refuse_for_tracer(program)
    form = adapt(program, model)
    settings.engine = engine_of(model, form, to_the_first_bug=not keep_going)
    form = with_backs(form, engine_facts(settings.engine).orders)
    settings.guess_woken = _synchronises(form, settings.engine)
    settings.keep_going = keep_going
    settings.unroll = unroll or DEFAULT_UNROLL
    settings.stop_at_cut = unroll is None
    settings.states = bool(form.watched)
    settings.ordered = equivalence == "mo"
    for name, value in flags.items():
        setattr(settings, name, value)
    set_races(settings, model)
    if settings.engine is Engine.AXIOMS:
        from porf.exploration.axioms import refuse_operations, set_file

        refuse_operations(form, model)
        set_file(settings, model)
        _allow_cycles(settings, model, form)
    if model.races is None:
        form = noted(form, model)
    if not settings.spurious and any(i.weak for template in form.templates for i in template.code):
        form = replace(form, notes=(*form.notes, NO_SPURIOUS))
    return Request(form, model.name, settings, known_as(model))


def _synchronises(program: Program, engine: Engine) -> bool:
    """Whether an update that takes what was given back comes after that by happens-before: only then may the core guess
    that who was woken need not wait again. Else executions are lost."""
    if engine in (Engine.RA, Engine.RELAXED):
        return engine is Engine.RA
    code = [i for template in program.templates for i in template.code]
    stores = {i.order for i in code if i.opcode is Opcode.STORE and i.order is not Order.NA}
    updates = {i.order for i in code if i.opcode in (Opcode.RMW, Opcode.CAS)}
    return stores <= {Order.REL, Order.ACQ_REL, Order.SC} and updates <= {Order.ACQ, Order.ACQ_REL, Order.SC}


def _allow_cycles(settings: ExploreSettings, model: Model, program: Program) -> None:
    """A model that allows cycles of program order and reads-from: executions without them come first."""
    from porf.exploration.requirements import has_cycles

    if model.header.architecture is not None or not has_cycles(model):
        return
    from porf.exploration.kept import kept

    settings.kept = kept(model) | KeptOrder.CONTROL
    if model.engine_without_cycles is not None and not _has_sc_fence(program):
        settings.engine = model.engine_without_cycles
        settings.kept |= KeptOrder.SEQUENCES


def _has_sc_fence(program: Program) -> bool:
    return any(i.opcode is Opcode.FENCE and i.order is Order.SC for t in program.templates for i in t.code)


def _refuse_for_tracer(program: Program) -> None:
    used = {i.opcode for template in program.templates for i in template.code}
    for opcode, what in ((Opcode.CHOOSE, "choices"), (Opcode.BARRIER, "barriers")):
        if opcode in used:
            raise UsageError(f"tracer does not support {what}, and {program.name} has some", hint="--strategy trust")


def refuse_plan(request: Request, plan: Plan, replay: str | None) -> None:
    """What does not go together."""
    if request.settings.kept >= 0:
        from porf.exploration.cycles import refuse_with_cycles

        refuse_with_cycles(request, plan)
    if plan.checkpoint is not None and (request.settings.self_check or replay is not None):
        what = "a replay" if replay is not None else "the self-check"
        raise UsageError(f"{what} does not support checkpoints", hint="leave out --checkpoint")
    if request.settings.strategy is Strategy.TRACER and (plan.jobs > 1 or plan.checkpoint is not None):
        raise UsageError(
            "tracer keeps schedules in memory: it supports neither jobs nor checkpoints", hint="--strategy trust does"
        )


def doubts_of(request: Request, model: Model) -> list[str]:
    """What could not be decided about a model file; one that cannot be explored is refused."""
    if request.settings.engine is not Engine.AXIOMS:
        return []
    from porf.exploration.requirements import require

    return require(model, cycles=request.settings.kept >= 0)


def name_of(program: object) -> str:
    """What is called by its name before it is read: a path, or a program."""
    return str(getattr(program, "name", program))


def opened(
    program: str | Path | ProgramBuilder | Program | LitmusTest, assembly: bool = False
) -> tuple[Program, LitmusTest | None]:
    """The program form of what is explored, and the litmus test that it is, if it is one. Only who says so takes tests
    in assembly: their executions are those of an architecture."""
    from porf.programs import given_program

    given = given_program(program)
    if isinstance(given, Program):
        return given, None
    if given.architecture and not assembly:
        raise UsageError(f"{given.name} is in assembly", hint="porf explore explores it")
    return given.program, given
