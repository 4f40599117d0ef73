"""The final states of a litmus test that a model allows, beside which a test's are shown."""

from porf._core import Limit
from porf.exploration.request import request_of
from porf.exploration.run import Plan, run
from porf.models.registry import Model
from porf.programs.litmus import LitmusTest, observe

SECONDS = 2.0  # that finding them all may take


def allowed_states(test: LitmusTest, model: Model) -> frozenset[tuple[int, ...]] | None:
    """As exploration finds them; None if that takes too long."""
    request = request_of(test.program, model, keep_going=True)
    totals = run(request, Plan(seconds=SECONDS, keep_going=True))
    if totals.remaining or totals.limit is not Limit.NONE or totals.findings.cut:
        return None
    states = {tuple(state.values): state.executions for state in totals.findings.states}
    return frozenset(observe(test, states).states)
