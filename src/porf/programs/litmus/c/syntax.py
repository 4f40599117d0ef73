"""The syntax tree of a thread's code. `at` is the offset in the text where a node is best pointed at."""

from __future__ import annotations

from dataclasses import dataclass

from porf.programs.litmus.cursor import Number
from porf.programs.litmus.kinds import Type
from porf.programs.litmus.memory import Parameter


@dataclass(slots=True)
class Name:
    at: int
    name: str


@dataclass(slots=True)
class Unary:
    at: int
    sign: str  # - + ~ ! * &
    operand: Expression


@dataclass(slots=True)
class Binary:
    at: int
    sign: str  # arithmetic, comparisons, && || and the comma
    left: Expression
    right: Expression


@dataclass(slots=True)
class Conditional:
    at: int
    test: Expression
    yes: Expression
    no: Expression


@dataclass(slots=True)
class Assign:
    """`target = value`, or with a sign `target sign= value`."""

    at: int
    sign: str
    target: Expression
    value: Expression


@dataclass(slots=True)
class Postfix:
    """`target++` and `target--`; the prefixed ones are assignments."""

    at: int
    sign: str  # + or -
    target: Expression


@dataclass(slots=True)
class Call:
    at: int
    name: str
    arguments: list[Expression]


@dataclass(slots=True)
class Cast:
    at: int
    type: Type
    operand: Expression


Expression = Number | Name | Unary | Binary | Conditional | Assign | Postfix | Call | Cast


@dataclass(slots=True)
class Declare:
    at: int
    name: str
    type: Type
    value: Expression | None


@dataclass(slots=True)
class Evaluate:
    at: int
    expression: Expression


@dataclass(slots=True)
class Block:
    at: int
    body: list[Statement]


@dataclass(slots=True)
class If:
    at: int
    test: Expression
    yes: Statement
    no: Statement | None


@dataclass(slots=True)
class Loop:
    """while, do and for: the test comes first or last, and the step after the body."""

    at: int
    test: Expression | None
    body: Statement
    step: Expression | None = None
    test_last: bool = False


@dataclass(slots=True)
class Leave:
    at: int
    word: str  # break, continue, return


Statement = Declare | Evaluate | Block | If | Loop | Leave


@dataclass(slots=True)
class Process:
    at: int
    number: int
    parameters: list[Parameter]
    body: Block
