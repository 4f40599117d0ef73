"""Random expressions of C without undefined behaviour: what could overflow is unsigned, what divides is not zero."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random


@dataclass(frozen=True)
class Kind:
    """An integer type of C."""

    name: str
    bits: int
    signed: bool


INT, UNSIGNED = Kind("int", 32, True), Kind("unsigned", 32, False)
LONG, UNSIGNED_LONG = Kind("long", 64, True), Kind("unsigned long", 64, False)
BOOL = Kind("_Bool", 1, False)
SCHAR, UCHAR = Kind("signed char", 8, True), Kind("unsigned char", 8, False)
SHORT, USHORT = Kind("short", 16, True), Kind("unsigned short", 16, False)
KINDS = (INT, UNSIGNED, LONG, UNSIGNED_LONG, BOOL, SCHAR, UCHAR, SHORT, USHORT)
Value = tuple[str, Kind]


@dataclass
class Scope:
    """What code may use: scalars to read, scalars to write, and arrays (with a length that is a power of two)."""

    reads: list[Value] = field(default_factory=list)
    writes: list[Value] = field(default_factory=list)
    arrays: list[tuple[str, Kind, int]] = field(default_factory=list)
    functions: list[str] = field(default_factory=list)  # of an int and a long, with an int as result

    def inner(self) -> Scope:
        return Scope(list(self.reads), list(self.writes), list(self.arrays), list(self.functions))

    def declare(self, name: str, kind: Kind) -> None:
        self.reads.append((name, kind))
        self.writes.append((name, kind))


def promoted(kind: Kind) -> Kind:
    return INT if kind.bits < 32 else kind


def common(a: Kind, b: Kind) -> Kind:
    """The usual arithmetic conversions, on a machine where long has 64 bits."""
    a, b = promoted(a), promoted(b)
    if a.bits != b.bits:
        return a if a.bits > b.bits else b
    return a if not a.signed else b


def unsigned(kind: Kind) -> Kind:
    return UNSIGNED_LONG if kind.bits == 64 else UNSIGNED


class Expressions:
    """Draws expressions, each with the type that C gives it."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def value(self, scope: Scope, depth: int = 3) -> Value:
        if depth <= 0 or self.random.random() < 0.15:
            return self.leaf(scope, depth)
        numbers = (self.arithmetic, self.arithmetic, self.bitwise, self.shift, self.division, self.unary, self.cast)
        others = (self.compared, self.logical, self.choice, self.comma, self.leaf)
        return self.random.choice((*numbers, *others))(scope, depth - 1)

    def text(self, scope: Scope, depth: int = 3) -> str:
        return self.value(scope, depth)[0]

    def leaf(self, scope: Scope, depth: int) -> Value:
        pick = self.random.random()
        if pick < 0.2:
            return self.literal()
        if pick < 0.4 and scope.arrays:
            name, kind, length = self.random.choice(scope.arrays)
            return f"{name}[{self.below(scope, length, min(depth, 1))}]", kind
        return self.random.choice(scope.reads) if scope.reads else self.literal()

    def below(self, scope: Scope, limit: int, depth: int = 1) -> str:
        """An index: 0, ..., limit - 1, where limit is a power of two."""
        return f"({self.text(scope, depth)} & {limit - 1})"

    def literal(self) -> Value:
        return self.random.choice(
            [
                (str(self.random.randrange(100)), INT),
                (f"(-{self.random.randrange(1, 1000)})", INT),
                ("0x7fffffff", INT),
                (f"{self.random.randrange(1 << 32)}u", UNSIGNED),
                (f"{self.random.randrange(1 << 40)}L", LONG),
                (f"{self.random.randrange(1 << 64)}ul", UNSIGNED_LONG),
                (f"'{self.random.choice('azAZ09')}'", INT),
                ("(int)sizeof(struct inner)", INT),
                (self.random.choice(("RED", "GREEN", "BLUE")), INT),
            ]
        )

    def pair(self, scope: Scope, depth: int) -> tuple[Value, Value]:
        return self.value(scope, depth), self.value(scope, depth)

    def arithmetic(self, scope: Scope, depth: int) -> Value:
        (left, a), (right, b) = self.pair(scope, depth)
        kind, sign = common(a, b), self.random.choice("+-*")
        small = max(a.bits, b.bits) <= 16 and (sign != "*" or a.signed or b.signed)
        if kind.signed and not small:
            kind = unsigned(kind)
            left = f"({kind.name}){left}"
        return f"({left} {sign} {right})", kind

    def bitwise(self, scope: Scope, depth: int) -> Value:
        (left, a), (right, b) = self.pair(scope, depth)
        return f"({left} {self.random.choice('&|^')} {right})", common(a, b)

    def shift(self, scope: Scope, depth: int) -> Value:
        (left, a), right = self.value(scope, depth), self.text(scope, depth)
        kind = promoted(a)
        sign = self.random.choice(("<<", ">>"))
        if sign == "<<" and kind.signed:
            kind = unsigned(kind)
            left = f"({kind.name}){left}"
        return f"({left} {sign} ({right} & {kind.bits - 1}))", kind

    def division(self, scope: Scope, depth: int) -> Value:
        (left, a), (right, b) = self.pair(scope, depth)
        divisor, kind = f"(({right} & 15) + 1)", common(b, INT)
        if self.random.random() < 0.3:
            divisor, kind = f"(-(int)(({right} & 15) + 2))", INT
        return f"({left} {self.random.choice('/%')} {divisor})", common(a, kind)

    def compared(self, scope: Scope, depth: int) -> Value:
        (left, _), (right, _) = self.pair(scope, depth)
        return f"({left} {self.random.choice(('<', '<=', '>', '>=', '==', '!='))} {right})", INT

    def logical(self, scope: Scope, depth: int) -> Value:
        (left, _), (right, _) = self.pair(scope, depth)
        return f"({left} {self.random.choice(('&&', '||'))} {right})", INT

    def choice(self, scope: Scope, depth: int) -> Value:
        (left, a), (right, b) = self.pair(scope, depth)
        return f"({self.text(scope, depth)} ? {left} : {right})", common(a, b)

    def cast(self, scope: Scope, depth: int) -> Value:
        kind = self.random.choice(KINDS)
        return f"(({kind.name}){self.text(scope, depth)})", kind

    def unary(self, scope: Scope, depth: int) -> Value:
        text, kind = self.value(scope, depth)
        sign = self.random.choice("-~!+")
        if sign == "!":
            return f"(!{text})", INT
        if sign == "-" and kind.bits >= 32:
            return f"(-({unsigned(kind).name}){text})", unsigned(kind)
        return f"({sign}{text})", promoted(kind)

    def comma(self, scope: Scope, depth: int) -> Value:
        text, kind = self.value(scope, depth)
        return f"((void){self.text(scope, 1)}, {text})", promoted(kind)

    def constant(self, kind: Kind) -> str:
        """A constant that a variable of this type can begin as."""
        limit = 1 << min(kind.bits, 62)
        return str(self.random.choice((0, 1, self.random.randrange(limit) - (limit // 2 if kind.signed else 0))))

    def constants(self, kind: Kind, count: int) -> str:
        return "{" + ", ".join(self.constant(kind) for _ in range(count)) + "}"
