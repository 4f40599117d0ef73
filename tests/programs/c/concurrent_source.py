"""Random concurrent programs as sources, each statement in one of several ways to say it: what C and C++ share."""

from __future__ import annotations

from random import Random

from tests.programs.c.concurrent_fuzz import (
    VARIABLES,
    Assign,
    Cell,
    Compare,
    Concurrent,
    Fence,
    For,
    If,
    Load,
    Locked,
    Retry,
    Shared,
    Statement,
    Store,
    Update,
    Value,
    Wait,
)


class Source:
    """What both languages share: statements, values and control flow."""

    def __init__(self, made: Concurrent, seed: int) -> None:
        self.made = made
        self.random = Random(seed)
        self.helpers: dict[str, str] = {}  # name -> definition
        self.fresh = 0
        self.boxed = self.random.random() < 0.3  # variables in a local structure whose address is taken

    def name(self) -> str:
        self.fresh += 1
        return f"t{self.fresh}"

    def type(self, of: Shared) -> str:
        return f"{'' if of.signed else 'u'}int{8 * of.width}_t"

    def lvalue(self, cell: Cell) -> str:
        of = cell.of
        base = self.random.choice((f"{of.group}.{of.name}", f"({of.group}p)->{of.name}")) if of.group else of.name
        if len(of.initial) == 1:
            return base
        count = len(of.initial) - 1
        index = str(cell.index) if isinstance(cell.index, int) else f"({self.variable(cell.index)} & {count})"
        return self.random.choice((f"{base}[{index}]", f"(*({base} + {index}))", f"{index}[{base}]"))

    def variable(self, name: str) -> str:
        return f"l->{name}" if self.boxed and name != "arg" else name

    def value(self, value: Value) -> str:
        base = self.variable(value.base) if isinstance(value.base, str) else str(value.base)
        return f"({base} {value.operator} {value.constant})" if value.operator else base

    def block(self, statements: tuple[Statement, ...], deep: str) -> str:
        return "".join(f"{deep}{line}\n" for s in statements for line in self.statement(s))

    def braces(self, statements: tuple[Statement, ...]) -> list[str]:
        return ["{", *(line for s in statements for line in self.statement(s)), "}"]

    def statement(self, s: Statement) -> list[str]:
        match s:
            case Load():
                return [f"{self.variable(s.into)} = {self.load(s.cell, s.order)};"]
            case Store():
                return [f"{self.store(s.cell, self.value(s.value), s.order)};"]
            case Update():
                return [f"{self.variable(s.into)} = {self.update(s)};"]
            case Compare():
                return self.compare(s)
            case Retry():
                return self.retry(s)
            case Wait():
                return self.wait(s)
            case Fence():
                return [f"atomic_thread_fence({self.order(s.order)});"]
            case Assign():
                return [f"{self.variable(s.into)} = {self.value(s.value)};"]
            case If():
                return self.choice(s)
            case For():
                i, way = self.name(), self.random.randrange(3)
                if way == 0:
                    return [f"for (int {i} = 0; {i} < {s.times}; {i}++)", *self.braces(s.body)]
                if way == 1:
                    return [f"int {i} = {s.times};", f"while ({i}-- > 0)", *self.braces(s.body)]
                return [f"int {i} = 0;", "do", *self.braces(s.body), f"while (++{i} < {s.times});"]
            case Locked():
                return self.locked(s)

    def choice(self, s: If) -> list[str]:
        if s.condition.operator == "==" and self.random.random() < 0.4:
            out = [f"switch ({self.variable(str(s.condition.base))}) {{ case {s.condition.constant}:"]
            out += [*self.braces(s.yes), "break;", "default:", *self.braces(s.no), "}"]
            return out
        if not s.no:
            return [f"if {self.value(s.condition)}", *self.braces(s.yes)]
        if self.random.random() < 0.3:
            no, end = self.name(), self.name()
            head = f"if (!{self.value(s.condition)}) goto {no};"
            return [head, *self.braces(s.yes), f"goto {end};", f"{no}:;", *self.braces(s.no), f"{end}:;"]
        return [f"if {self.value(s.condition)}", *self.braces(s.yes), "else", *self.braces(s.no)]

    def wait(self, s: Wait) -> list[str]:
        read, way = f"(int){self.load(s.cell, s.order)}", self.random.randrange(4)
        if way == 0:
            return [f"while ({read} != {s.number}) ;"]
        if way == 1:
            return [f"for (;;) {{ if ({read} == {s.number}) break; {self.idle} }}"]
        if way == 2:
            return [f"while (!({read} == {s.number})) {self.idle}"]
        got = self.name()
        return [f"int {got};", f"do {{ {got} = {read}; }} while ({got} != {s.number});"]

    def compare(self, s: Compare) -> list[str]:
        """Through a variable of the cell's own type, unless the variable has it."""
        into, expected = self.variable(s.into), self.variable(s.expected)
        if s.cell.of.width == 4 and s.cell.of.signed:
            if self.random.random() < 0.3:
                return [f"if ({self.trial(s, expected)}) {into} = 1; else {into} = 0;"]
            return [f"{into} = {self.trial(s, expected)};"]
        e = self.name()
        first = f"{self.type(s.cell.of)} {e} = ({self.type(s.cell.of)}){expected};"
        return [first, f"{into} = {self.trial(s, e)};", f"if (!{into}) {expected} = (int){e};"]

    def retry(self, s: Retry) -> list[str]:
        """The loop keeps what was found in a variable of the cell's type."""
        t, e, done = s.trial, self.name(), self.name()
        into, expected = self.variable(t.into), self.variable(t.expected)
        desired = f"((int){e} {t.desired.operator} {t.desired.constant})"
        load = self.load(t.cell, s.load)
        head = f"{self.type(t.cell.of)} {e} = {load};"
        again = f"{e} = {load};" if s.reloads else ""
        trial = self.trial(t, e, desired)
        found = f"{expected} = (int){e};"
        body = " ".join([found, *self.braces(s.body)]) if s.body else ""
        if s.unless is None:
            way = self.random.randrange(1 if again or body else 0, 4)
            loop = f"bool {done}; do {{ {again} {body} {done} = {trial}; }} while (!{done});"
            if way == 0:
                loop = f"while (!{trial}) ;"
            elif way == 1:
                loop = f"for (;;) {{ {again} {body} if ({trial}) break; }}"
            elif way == 2:
                back = self.name()
                loop = f"{back}:; {again} {body} if (!{trial}) goto {back};"
            return [f"{self.type(t.cell.of)} {e};" if again else head, loop, found, f"{into} = 1;"]
        peek = self.load(s.peek, "") if s.peek is not None else "0"
        given = f"(int){e} == {s.unless}"
        if self.random.random() < 0.5 and not again:
            loop = f"while (!({given})) {{ {body} if ({trial}) {{ {done} = 1; break; }} }}"
        else:
            loop = f"do {{ {again} if ({given}) break; {body} {done} = {trial}; }} while (!{done});"
        first = f"{self.type(t.cell.of)} {e};" if again else head
        return [first, f"int {done} = 0;", loop, found, f"if ({done}) {into} = 1; else {into} = {peek};"]

    idle = ";"

    def order(self, order: str) -> str:
        raise NotImplementedError

    def load(self, cell: Cell, order: str) -> str:
        raise NotImplementedError

    def store(self, cell: Cell, value: str, order: str) -> str:
        raise NotImplementedError

    def update(self, s: Update) -> str:
        raise NotImplementedError

    def trial(self, s: Compare, expected: str, desired: str = "") -> str:
        raise NotImplementedError

    def locked(self, s: Locked) -> list[str]:
        raise NotImplementedError

    def variables(self) -> str:
        listed = ", ".join(f"{v} = 0" for v in VARIABLES)
        if not self.boxed:
            return f"  int {listed};\n"
        fields = " ".join(f"int {v};" for v in VARIABLES)
        return f"  struct {{ {fields} }} box = {{0, 0, 0}}, *l = &box;\n"

    def ending(self, first: int) -> str:
        return "".join(f"  out[{first + n}] = {self.variable(v)};\n" for n, v in enumerate(VARIABLES))

    def check(self) -> str:
        first = len(self.made.threads) * len(VARIABLES)
        self.boxed = False
        reads = "".join(f"  out[{first + n}] = {self.load(c, 'relaxed')};\n" for n, c in enumerate(self.made.final))
        if not self.made.never:
            return reads
        return reads + f"  assert(!({' && '.join(f'out[{n}] == {number}' for n, number in self.made.never)}));\n"

    def globals(self, atomic: str, pointer: str) -> str:
        """Declarations of the shared objects; those of a group are fields of a structure."""
        lines, fields, values = [], "", []
        for o in self.made.objects:
            declared = (atomic.format(self.type(o)) if o.atomic else self.type(o)) + f" {o.name}"
            many = len(o.initial) > 1
            first = "{" + ", ".join(map(str, o.initial)) + "}" if many else str(o.initial[0])
            declared += f"[{len(o.initial)}]" if many else ""
            if o.group:
                fields += f"{declared}; "
                values.append(first)
            else:
                lines.append(f"{declared} = {first};")
        if fields:
            lines.append(f"struct S {{ {fields}}} s = {{{', '.join(values)}}};")
            lines.append(pointer)
        return "\n".join([*lines, f"int64_t out[{self.made.results}];", ""])
