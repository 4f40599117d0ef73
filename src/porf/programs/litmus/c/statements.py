"""Statements of C, and the processes P0, P1, … that they make up."""

import re

from porf.programs.litmus.c.expressions import Expressions
from porf.programs.litmus.c.syntax import Block, Declare, Evaluate, Expression, If, Leave, Loop, Process, Statement
from porf.programs.litmus.kinds import VOID, pointer_to
from porf.programs.litmus.memory import Parameter

_PROCESS = re.compile(r"P\d+", re.ASCII)
_AFTER = ("exists", "forall", "locations", "filter")  # what comes after all threads
_UNSUPPORTED = {
    "else": "this else follows no if",
    "goto": "jumps are not supported; use while, break and continue",
    "switch": "switch is not supported; use if … else if …",
    "case": "switch is not supported; use if … else if …",
    "default": "switch is not supported; use if … else if …",
    "asm": "assembly is not supported",
}


class Processes(Expressions):
    def processes(self) -> list[Process]:
        """All threads, in order."""
        out: list[Process] = []
        while True:
            while self.token.text in ("static", "void"):
                self.advance()
            if not _PROCESS.fullmatch(self.token.text):
                break
            out.append(self._process(len(out)))
        if not out:
            self.unexpected("a thread", "a test has threads: P0 (atomic_int* x) { … }")
        return out

    def _process(self, number: int) -> Process:
        token = self.advance()
        if token.text != f"P{number}":
            self.fail(token, f"this thread is P{number}, not {token.text}", "threads are P0, P1, … in this order")
        self.expect("(", f"before the parameters of {token.text}")
        parameters: list[Parameter] = []
        if self.token.text == "void" and self.peek().text == ")":
            self.advance()
        while self.token.text != ")":
            if parameters:
                self.expect(",", "between the parameters")
            parameters.append(self._parameter())
        self.advance()
        return Process(token.at, number, parameters, self._block(f"before the code of {token.text}"))

    def _parameter(self) -> Parameter:
        first = self.token
        kind = self.any_type()
        name = self.name("the name of a parameter")
        count: int | None = None
        if self.accept("["):
            count = self.number().value if self.token.kind == "number" else None
            self.expect("]", "after the length of the array")
            kind = pointer_to(kind)
        if kind.kind != "pointer" or kind.target == VOID:
            hint = f"write {first.text}* {name.text}, and *{name.text} for its value"
            self.fail(name, "a parameter is a pointer to the shared location of its name", hint)
        return Parameter(name.at, name.text, kind, count)

    def _block(self, where: str) -> Block:
        opened = self.expect("{", where)
        body: list[Statement] = []
        while self.token.text != "}":
            if self.token.kind == "end" or _PROCESS.fullmatch(self.token.text) or self.token.text in _AFTER:
                self.fail(opened, "this '{' is never closed", "close it with '}'")
            self._statement(body)
        self.advance()
        return Block(opened.at, body)

    def _statement(self, body: list[Statement]) -> None:
        """Reads one statement; a declaration of several variables becomes several statements."""
        token = self.token
        if token.text in ("break", "continue", "return"):
            self.advance()
            if token.text == "return" and self.token.text != ";":
                self.fail(self.token, "a thread returns nothing", "write `return;`")
            self._end(token.text)
            body.append(Leave(token.at, token.text))
        elif token.text == "{":
            body.append(self._block(""))
        elif token.text == "if":
            body.append(self._if())
        elif token.text in ("while", "do", "for"):
            body.append(self._loop())
        elif token.text == ";":
            self.advance()
        elif token.text in _UNSUPPORTED:
            self.fail(token, _UNSUPPORTED[token.text])
        elif self.at_type():
            self._declaration(body)
            self._end("the declaration")
        else:
            expression = self.expression()
            self._end("the statement")
            body.append(Evaluate(token.at, expression))

    def _end(self, what: str) -> None:
        if self.token.text != ";":
            before = self.tokens[self.index - 1]
            hint = None
            if self.token.kind == "name" and before.kind == "name":
                hint = f"if '{before.text}' is meant to be a type, it is not known"
            elif self.token.text == ":":
                hint = "labels are not supported"
            self.unexpected(f"';' after {what}", hint)
        self.advance()

    def _sub(self) -> Statement:
        """The statement under an if or a loop."""
        body: list[Statement] = []
        at = self.token.at
        if self.token.text == "}":
            self.unexpected("a statement")
        self._statement(body)
        return body[0] if len(body) == 1 else Block(at, body)

    def _declaration(self, body: list[Statement]) -> None:
        base = self.base_type()
        while True:
            kind = self.stars(base)
            name = self.name("the name of a variable")
            if self.token.text == "[":
                self.fail(name, "a thread cannot have its own arrays", "declare it in the initial state: { int a[4]; }")
            if not (kind.is_number or kind.kind == "pointer"):
                self.fail(
                    name, f"a thread cannot have its own {kind.name}", "make it a shared location and a parameter"
                )
            value = self.assignment() if self.accept("=") else None
            body.append(Declare(name.at, name.text, kind, value))
            if not self.accept(","):
                return

    def _test(self, word: str) -> Expression:
        self.expect("(", f"after {word}")
        test = self.expression()
        self.expect(")", f"after the condition of {word}")
        return test

    def _if(self) -> If:
        at = self.advance().at
        test = self._test("if")
        yes = self._sub()
        return If(at, test, yes, self._sub() if self.accept("else") else None)

    def _loop(self) -> Statement:
        token = self.advance()
        if token.text == "while":
            return Loop(token.at, self._test("while"), self._sub())
        if token.text == "do":
            body = self._sub()
            self.expect("while", "after the body of do")
            test = self._test("while")
            self._end("the loop")
            return Loop(token.at, test, body, test_last=True)
        self.expect("(", "after for")
        first: list[Statement] = []
        if self.at_type():
            self._declaration(first)
        elif self.token.text != ";":
            first.append(Evaluate(self.token.at, self.expression()))
        self.expect(";", "after the beginning of for")
        test_or_none = None if self.token.text == ";" else self.expression()
        self.expect(";", "after the condition of for")
        step = None if self.token.text == ")" else self.expression()
        self.expect(")", "after the step of for")
        return Block(token.at, [*first, Loop(token.at, test_or_none, self._sub(), step)])
