"""Programs under models that allow cycles of program order and reads-from: each execution once, against candidate
executions, which share nothing with this but the axioms."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import porf
from porf._core import KeptOrder
from porf.errors import ModelError, UsageError
from porf.exploration.candidates import explore_candidates
from porf.exploration.cycles import NO_RACES
from porf.exploration.kept import kept, proved
from porf.models.registry import Model, find_model
from porf.programs.litmus import read_litmus
from tests.exploration.random_dependencies import random_test
from tests.seeds import seeds

MINE = """(* Events: two *)
"mine"
acyclic po-loc | rf | mo | fr
empty rmw & (fre; moe)
acyclic [R]; (addr | data | ctrl); [W] | rf as no-thin-air
acyclic rfe | po; [W & geREL] | [R & geACQ]; po
"""
# What exploration adds to rmo: a dependency of control counts as well.
KEPT = "acyclic [R]; (addr | data | ctrl); [W] | [R]; po; [F]; po; [W] | rfe as kept"
MODELS = ("imm", "arm8", "power", "rmo", "mine")
A_BATCH = 40


def models(name: str, tmp_path: Path) -> tuple[Model, Model]:
    """The model, and one whose candidate executions are those that are explored."""
    path = tmp_path / f"my-{name}.cat"
    if name == "mine":
        path.write_text(MINE)
        return find_model(path), find_model(path)
    model = find_model(name)
    if name != "rmo":
        return model, model
    path.write_text(f'(* Events: one *)\n"rmo"\ninclude "rmo.cat"\n{KEPT}\n')
    return model, find_model(path)


@pytest.mark.parametrize("batch", seeds(1, 40))
@pytest.mark.parametrize("name", MODELS)
def test_every_execution_is_counted_once(name: str, batch: int, tmp_path: Path) -> None:
    model, by_candidates = models(name, tmp_path)
    met: Counter[bool] = Counter()
    for seed in range(A_BATCH * batch, A_BATCH * (batch + 1)):
        test = read_litmus(random_test(seed, events=6 + seed % 2))
        expected = explore_candidates(test, by_candidates)
        found = porf.explore(test.program, model, equivalence="mo", keep_going=True, self_check=True)
        assert found.states == expected.states, test.program.name
        assert found.duplicates == 0
        assert found.verdict != "undecided"
        met[NO_RACES in found.program.notes] += 1
    assert met[False] and met[True], "some have cycles, and some have none"


@pytest.mark.parametrize("name", ["imm", "arm8", "mine"])
def test_several_processes_find_the_same(name: str, tmp_path: Path) -> None:
    model, _ = models(name, tmp_path)
    for seed in range(4):
        program = read_litmus(random_test(seed, events=8)).program
        alone = porf.explore(program, model, keep_going=True, symmetry=False)
        shared = porf.explore(program, model, keep_going=True, symmetry=False, jobs=2)
        assert (alone.executions, alone.states) == (shared.executions, shared.states)


@pytest.mark.parametrize("name", ["imm", "arm8", "rmo", pytest.param("power", marks=pytest.mark.full)])
def test_what_is_known_of_built_in_models_is_what_can_be_proved(name: str) -> None:
    assert proved(find_model(name)) == find_model(name).kept


C = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
int a, b;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *first(void *unused) {{ {first} return 0; }}
void *second(void *unused) {{ {second} return 0; }}
int main(void) {{
  pthread_t t, u;
  {before}
  pthread_create(&t, 0, first, 0);
  {between}
  pthread_create(&u, 0, second, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(!(a && b));
}}
"""
LOAD, STORE = "{0} = atomic_load_explicit(&{1}, memory_order_relaxed);", "atomic_store_explicit(&{0}, {1}, {2});"
RLX, REL = "memory_order_relaxed", "memory_order_release"


def buffering(tmp_path: Path, written: tuple[str, str], order: str = RLX, **parts: str) -> Path:
    """Both threads load, then store."""
    texts = {"before": "", "between": ""} | parts
    for place, other, register, value, thread in (
        ("x", "y", "a", written[0], "first"),
        ("y", "x", "b", written[1], "second"),
    ):
        texts.setdefault(thread, f"{LOAD.format(register, place)} {STORE.format(other, value, order)}")
    path = tmp_path / "program.c"
    path.write_text(C.format(**texts))
    return path


@pytest.mark.parametrize("name", ["imm", "arm8", "power", "rmo"])
def test_loads_are_buffered_in_c(name: str, tmp_path: Path) -> None:
    found = porf.explore(buffering(tmp_path, ("1", "1")), name)
    assert (found.verdict, found.executions) == ("unsafe", 3)
    [bug] = found.bugs
    assert bug.kind == "assertion" and bug.token == ""
    assert "Again" not in found.report() and NO_RACES in found.report()
    assert any("<- e" in line for line in found.report().splitlines())
    for written in (("a", "1"), ("a ^ a ^ 1", "1")):
        assert porf.explore(buffering(tmp_path, written), name).verdict == "unsafe"
    assert porf.explore(buffering(tmp_path, ("a", "b")), name).verdict == "safe"


@pytest.mark.parametrize("name", ["imm", "arm8"])
def test_what_keeps_loads_before_stores_in_c(name: str, tmp_path: Path) -> None:
    assert porf.explore(buffering(tmp_path, ("1", "1"), REL), name).verdict == "safe"
    fence = "{} atomic_thread_fence(memory_order_acq_rel); {}"
    first = fence.format(LOAD.format("a", "x"), STORE.format("y", "1", RLX))
    second = f"{LOAD.format('b', 'y')} if (b) {STORE.format('x', '1', RLX)}"
    assert porf.explore(buffering(tmp_path, ("", ""), first=first, second=second), name).verdict == "safe"
    # Who starts a thread has done before what the thread comes after.
    parts = {"before": LOAD.format("a", "x"), "first": STORE.format("y", "1", RLX)}
    found = porf.explore(buffering(tmp_path, ("", "b"), **parts), name)
    assert found.verdict == "safe" and found.executions == 2


def test_locked_programs_have_no_cycles(tmp_path: Path) -> None:
    section = "pthread_mutex_lock(&m); a = {0}; {1} = 1; pthread_mutex_unlock(&m);"
    path = tmp_path / "program.c"
    path.write_text(
        C.format(
            before="int *c = &b;", between="", first=section.format("b", "b"), second=section.format("b", "b")
        ).replace("assert(!(a && b));", "(void)c;")
    )
    for name in ("imm", "arm8"):
        found = porf.explore(path, name)
        assert found.verdict == "safe" and NO_RACES not in found.program.notes


def test_a_thread_that_waits_in_a_cycle_leaves_it_open(tmp_path: Path) -> None:
    first = f"{LOAD.format('a', 'x')} {STORE.format('y', '1', RLX)}"
    second = f"{LOAD.format('b', 'y')} {STORE.format('x', 'b', RLX)} "
    second += "pthread_mutex_lock(&m); if (!a) pthread_mutex_unlock(&m);"
    path = buffering(
        tmp_path, ("", ""), first=f"{first} pthread_mutex_lock(&m); pthread_mutex_unlock(&m);", second=second
    )
    found = porf.explore(path, "imm", keep_going=True)
    assert found.verdict != "safe"


def test_a_model_with_values_out_of_thin_air_is_refused_by_name(tmp_path: Path) -> None:
    model = tmp_path / "mine.cat"
    model.write_text('"mine"\nacyclic po-loc | rf | mo | fr\n')
    program = buffering(tmp_path, ("1", "1"))
    with pytest.raises(ModelError, match="allows values out of thin air") as error:
        porf.explore(program, model)
    assert "no thin air" in str(error.value) and error.value.hint is not None
    model.write_text('"mine"\nacyclic po-loc | rf | mo | fr\nacyclic addr | data | ctrl | rf\n')
    assert kept(find_model(model)) & (KeptOrder.DATA | KeptOrder.CONTROL) == KeptOrder.DATA | KeptOrder.CONTROL
    assert porf.explore(program, model).verdict == "unsafe"


def test_what_is_not_there_for_such_models_is_refused_by_name(tmp_path: Path) -> None:
    program = buffering(tmp_path, ("1", "1"))
    with pytest.raises(UsageError, match="checkpoint"):
        porf.explore(program, "imm", checkpoint=tmp_path / "saved")
    with pytest.raises(UsageError, match="tracer"):
        porf.explore(program, "imm", strategy="tracer")


def test_limits_hold_among_executions_with_cycles(tmp_path: Path) -> None:
    found = porf.explore(buffering(tmp_path, ("1", "1")), "imm", limit=3, keep_going=True)
    assert found.verdict == "undecided"
    assert porf.explore(buffering(tmp_path, ("1", "1")), "imm", memory=1 << 30, seconds=60).verdict == "unsafe"


def test_the_engine_of_imm_and_its_file_agree(tmp_path: Path) -> None:
    """By its path, imm is evaluated; its own engine leaves programs with other release sequences to the axioms."""
    copy = tmp_path / "copy.cat"
    copy.write_text(find_model("imm").text.replace('"imm"', '"copy"'))
    engines: Counter[str] = Counter()
    for seed in range(40):
        program = read_litmus(random_test(seed, events=7, plain=False, sc_fences=False)).program
        own, evaluated = (porf.explore(program, m, keep_going=True) for m in ("imm", copy))
        assert own.states == evaluated.states and own.executions == evaluated.executions, program.name
        engines[own.algorithm] += 1
    assert set(engines) == {"trust/coherence", "trust/axioms"}
