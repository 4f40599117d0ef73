"""Candidate executions, counted exactly: against brute force on random programs with dependencies."""

import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

import porf
from porf.errors import PorfError
from porf.exploration.candidates import explore_candidates
from porf.models.registry import find_model
from porf.programs.litmus import read_litmus
from tests.exploration.candidates_by_hand import MODELS, Graph, as_text, coherent, random_threads, sc, states, whole


@pytest.mark.parametrize("by_hand", MODELS, ids=lambda model: model.__name__)
def test_every_execution_is_counted_once(by_hand: Callable[[Graph], bool], tmp_path: Path) -> None:
    file = tmp_path / "by-hand.cat"
    file.write_text(f'"by-hand"\n{MODELS[by_hand]}\n')
    model = find_model(str(file))
    # Without an axiom against values from nowhere, nothing may be copied: then every value is written by somebody.
    chance = random.Random(f"candidates {by_hand.__name__}")
    met: Counter[str] = Counter()
    for _ in range(40):
        threads = random_threads(chance, copies=by_hand not in (sc, coherent, whole))
        if sum(map(len, threads)) > 6:  # brute force would take seconds
            continue
        met.update(what for steps in threads for what, *_ in steps)
        text = as_text(threads)
        found = explore_candidates(read_litmus(text), model)
        assert found.states == states(threads, by_hand), text
        assert found.executions == sum(found.states.values())
    assert {"read", "write", "swap", "address", "branch", "guard", "select"} <= met.keys()
    assert met["data"] + met["copy"] > 0


AROUND = """C around
{{ }}
P0 (atomic_int* x, atomic_int* y) {{
  int r0 = atomic_load_explicit(x, memory_order_relaxed);
  if (r0) {{ atomic_store_explicit(y, {0}, memory_order_relaxed); }}
}}
P1 (atomic_int* x, atomic_int* y) {{
  int r0 = atomic_load_explicit(y, memory_order_relaxed);
  if (r0) {{ atomic_store_explicit(x, {1}, memory_order_relaxed); }}
}}
exists (0:r0=1 /\\ 1:r0=1)
"""


def test_what_is_written_may_be_there_because_of_itself_but_no_value(tmp_path: Path) -> None:
    file = tmp_path / "around.cat"
    file.write_text('"around"\nacyclic po-loc | rf | mo | fr\n')
    for values, observed in ((("1", "1"), "Sometimes"), (("r0", "1"), "Sometimes"), (("r0", "r0"), "Never")):
        found = explore_candidates(read_litmus(AROUND.format(*values)), find_model(str(file)))
        assert found.observation is not None
        assert found.observation.observation == observed, values


C = """C LB
{{ }}
P0 (atomic_int* x, atomic_int* y) {{
  int r0 = atomic_load_explicit(x, memory_order_relaxed);
  atomic_store_explicit(y, {0}, memory_order_relaxed);
}}
P1 (atomic_int* x, atomic_int* y) {{
  int r0 = atomic_load_explicit(y, memory_order_relaxed);
  atomic_store_explicit(x, {1}, memory_order_relaxed);
}}
exists (0:r0=1 /\\ 1:r0=1)
"""


@pytest.mark.parametrize("model", ["imm", "arm8", "power"])
def test_tests_in_c_are_explored_where_loads_may_be_buffered(model: str) -> None:
    for values, observed in ((("1", "1"), "Sometimes"), (("1", "r0"), "Sometimes"), (("r0 ^ r0 ^ 1", "r0"), "Never")):
        found = porf.explore(read_litmus(C.format(*values)), model)
        assert found.algorithm == "candidates"
        assert found.observation is not None
        assert found.observation.observation == observed, values
        assert "note: data races are not looked for" in found.report()


def test_a_model_that_does_not_interpret_updates_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "plain.cat"
    file.write_text('(* Interprets: reads, writes *)\n"plain"\nacyclic po-loc | rf | mo | fr\n')
    text = "X86_64 t\n{ }\n P0 ;\n xchgl %eax,(x) ;\nexists (true)\n"
    with pytest.raises(PorfError, match="does not interpret updates"):
        porf.explore(read_litmus(text), str(file))


def test_traces_keep_to_the_memory_that_they_are_given() -> None:
    reads = "".join(f" | | LDR W{n + 2},[X1] ;\n" for n in range(9))
    text = "AArch64 t\n{ 0:X1=x; 1:X1=x; 2:X1=x; 0:X0=1; 1:X0=2; }\n P0 | P1 | P2 ;\n STR W0,[X1] | STR W0,[X1] | ;\n"
    found = porf.explore(read_litmus(f"{text}{reads}exists (true)"), "aarch64", memory=1 << 20)
    assert found.verdict == "undecided"
    assert found.reasons == ("the memory is used up",)
