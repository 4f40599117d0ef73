"""Expressions of C, read by precedence climbing."""

from porf.programs.litmus.c.syntax import Assign, Binary, Call, Cast, Conditional, Expression, Name, Postfix, Unary
from porf.programs.litmus.cursor import Cursor, Number
from porf.programs.litmus.kinds import INT

_LEVELS = (
    ("||",),
    ("&&",),
    ("|",),
    ("^",),
    ("&",),
    ("==", "!="),
    ("<", "<=", ">", ">="),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "/", "%"),
)
_PRECEDENCE = {sign: level for level, signs in enumerate(_LEVELS) for sign in signs}
_ASSIGNMENTS = {f"{sign}=": sign for sign in ("", "+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>")}
_PREFIXES = frozenset("-+~!*&")
CONSTANTS = {"NULL": 0, "true": 1, "false": 0}


class Expressions(Cursor):
    def expression(self) -> Expression:
        """An expression, commas included."""
        left = self.assignment()
        while self.token.text == ",":
            at = self.advance().at
            left = Binary(at, ",", left, self.assignment())
        return left

    def assignment(self) -> Expression:
        """An expression without commas, as arguments are."""
        left = self._conditional()
        sign = _ASSIGNMENTS.get(self.token.text)
        if sign is None:
            return left
        at = self.advance().at
        return Assign(at, sign, left, self.assignment())

    def _conditional(self) -> Expression:
        test = self._binary(0)
        if self.token.text != "?":
            return test
        at = self.advance().at
        yes = self.expression()
        self.expect(":", "of the conditional")
        return Conditional(at, test, yes, self._conditional())

    def _binary(self, lowest: int) -> Expression:
        left = self._prefixed()
        while (level := _PRECEDENCE.get(self.token.text, -1)) >= lowest:
            token = self.advance()
            left = Binary(token.at, token.text, left, self._binary(level + 1))
        return left

    def _prefixed(self) -> Expression:
        token = self.token
        if token.kind != "sign":
            return self._postfixed()
        if token.text in _PREFIXES:
            self.advance()
            return Unary(token.at, token.text, self._prefixed())
        if token.text in ("++", "--"):
            self.advance()
            return Assign(token.at, token.text[0], self._prefixed(), Number(token.at, 1, INT))
        if token.text == "(" and self.at_type(self.peek()):
            self.advance()
            kind = self.any_type()
            self.expect(")", "after the type of the cast")
            return Cast(token.at, kind, self._prefixed())
        return self._postfixed()

    def _postfixed(self) -> Expression:
        left = self._primary()
        while self.token.kind == "sign":
            token = self.token
            if token.text == "[":
                self.advance()
                index = self.expression()
                self.expect("]", "after the index")
                left = Unary(token.at, "*", Binary(token.at, "+", left, index))
            elif token.text in ("++", "--"):
                self.advance()
                left = Postfix(token.at, token.text[0], left)
            elif token.text in (".", "->"):
                self.fail(token, "structures are not supported", "use one shared location for each field")
            else:
                break
        return left

    def _primary(self) -> Expression:
        token = self.token
        if token.kind == "number":
            return self.number()
        if token.kind == "name" and not self.at_type():
            self.advance()
            if self.token.text == "(":
                return Call(token.at, token.text, self._arguments())
            if token.text in CONSTANTS:
                return Number(token.at, CONSTANTS[token.text], INT)
            return Name(token.at, token.text)
        if self.accept("("):
            inner = self.expression()
            self.expect(")", "to close the parenthesis")
            return inner
        return self.unexpected("an expression")

    def _arguments(self) -> list[Expression]:
        self.advance()
        if self.accept(")"):
            return []
        out = [self.assignment()]
        while self.accept(","):
            out.append(self.assignment())
        self.expect(")", "after the arguments")
        return out
