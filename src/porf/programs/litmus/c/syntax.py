"""The syntax tree of a thread's code. `at` is the offset in the text where a node is best pointed at."""

from __future__ import annotations

from porf.programs.litmus.cursor import Number
from porf.programs.litmus.kinds import Type
from porf.programs.litmus.memory import Parameter
from porf.record import Record


class _Written(Record):
    at: int


class Name(_Written):
    name: str


class Unary(_Written):
    sign: str  # - + ~ ! * &
    operand: Expression


class Binary(_Written):
    sign: str  # arithmetic, comparisons, && || and the comma
    left: Expression
    right: Expression


class Conditional(_Written):
    test: Expression
    yes: Expression
    no: Expression


class Assign(_Written):
    """`target = value`, or with a sign `target sign= value`."""

    sign: str
    target: Expression
    value: Expression


class Postfix(_Written):
    """`target++` and `target--`; the prefixed ones are assignments."""

    sign: str  # + or -
    target: Expression


class Call(_Written):
    name: str
    arguments: list[Expression]


class Cast(_Written):
    type: Type
    operand: Expression


Expression = Number | Name | Unary | Binary | Conditional | Assign | Postfix | Call | Cast


class Declare(_Written):
    name: str
    type: Type
    value: Expression | None


class Evaluate(_Written):
    expression: Expression


class Block(_Written):
    body: list[Statement]


class If(_Written):
    test: Expression
    yes: Statement
    no: Statement | None


class Loop(_Written):
    """while, do and for: the test comes first or last, and the step after the body."""

    test: Expression | None
    body: Statement
    step: Expression | None = None
    test_last: bool = False


class Leave(_Written):
    word: str  # break, continue, return


Statement = Declare | Evaluate | Block | If | Loop | Leave


class Process(_Written):
    number: int
    parameters: list[Parameter]
    body: Block
