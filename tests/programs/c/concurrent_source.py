"""Random concurrent programs as sources in C and C++, each statement in one of several ways to say it."""

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

HEADERS = "assert.h pthread.h sched.h stdatomic.h stdbool.h stdint.h"
CXX_HEADERS = "atomic cassert cstdint mutex thread"
COMPOUND = {"add": "+=", "sub": "-=", "and": "&=", "or": "|=", "xor": "^="}


def source(made: Concurrent, seed: int, cxx: bool = False) -> str:
    """The text of the whole file."""
    return (_Cxx if cxx else _C)(made, seed).text()


class _Source:
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


class _C(_Source):
    idle = "sched_yield();"

    def text(self) -> str:
        threads, creates = [], []
        for n, code in enumerate(self.made.threads):
            first = len(VARIABLES) * n
            begin = f"  int arg = (int)(intptr_t)p;\n{self.variables()}"
            threads.append(
                f"static void *f{n}(void *p) {{\n{begin}{self.block(code, '  ')}{self.ending(first)}  return 0;\n}}\n"
            )
            creates.append(f"  pthread_create(&t[{n}], 0, f{n}, (void *)(intptr_t){self.made.arguments[n]});\n")
        count = len(threads)
        joins = f"  for (int i = 0; i < {count}; i++) pthread_join(t[i], 0);\n"
        if self.random.random() < 0.5:
            joins = "".join(f"  pthread_join(t[{n}], 0);\n" for n in range(count))
        main = f"int main(void) {{\n  pthread_t t[{count}];\n{''.join(creates)}{joins}{self.check()}  return 0;\n}}\n"
        includes = "".join(f"#include <{h}>\n" for h in HEADERS.split())
        atomic = self.random.choice(("_Atomic {}", "_Atomic({})"))
        shared = self.globals(atomic, self.random.choice(("static struct S *const sp = &s;", "#define sp (&s)")))
        mutex = "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
        return includes + shared + mutex + "".join(self.helpers.values()) + "".join(threads) + main

    def order(self, order: str) -> str:
        return f"memory_order_{order}"

    def load(self, cell: Cell, order: str) -> str:
        x, type = self.lvalue(cell), self.type(cell.of)
        if not order:
            return self.random.choice((x, f"*(&{x})"))
        if order == "seq_cst" and self.random.random() < 0.6:
            return self.random.choice((x, f"atomic_load(&{x})"))
        way = self.random.randrange(5)
        if way == 0:
            return f"__atomic_load_n(({type} *)&{x}, __ATOMIC_{order.upper()})"
        if way == 1:
            name = self.helper(
                f"get_{type}_{order}",
                f"{type} NAME(_Atomic({type}) *p) {{ return atomic_load_explicit(p, {self.order(order)}); }}",
            )
            return f"{name}(&{x})"
        if way == 2:
            name = self.helper(f"get_{type}", f"{type} NAME(_Atomic({type}) *p, memory_order o) {{ {self.switch()} }}")
            return f"{name}(&{x}, {self.order(order)})"
        return f"atomic_load_explicit(&{x}, {self.order(order)})"

    def switch(self) -> str:
        """All orders that the program may have: under RC20 there is no SC access."""
        orders = ("relaxed", "acquire", *(("seq_cst",) if "seq_cst" in repr(self.made) else ()))
        cases = (f"case {self.order(o)}: return atomic_load_explicit(p, {self.order(o)});" for o in orders)
        return f"switch (o) {{ {' '.join(cases)} default: return 0; }}"

    def helper(self, name: str, definition: str) -> str:
        """A function, or a pointer to it, by which it is called."""
        if name not in self.helpers:
            kind = self.random.choice(("static ", "static inline ", "static __attribute__((noinline)) "))
            self.helpers[name] = kind + definition.replace("NAME", name) + "\n"
        if self.random.random() < 0.3:
            through = f"by_{name}"
            head = definition.split("{")[0].replace("NAME", f"(*{through})").strip()
            constant = self.random.choice(("static ", ""))
            self.helpers.setdefault(through, f"{constant}{head} = {name};\n")
            return through
        return name

    def store(self, cell: Cell, value: str, order: str) -> str:
        x, type = self.lvalue(cell), self.type(cell.of)
        if not order:
            return f"{x} = {value}"
        if order == "seq_cst" and self.random.random() < 0.6:
            return self.random.choice((f"{x} = {value}", f"atomic_store(&{x}, {value})"))
        way = self.random.randrange(4)
        if way == 0:
            return f"__atomic_store_n(({type} *)&{x}, {value}, __ATOMIC_{order.upper()})"
        if way == 1:
            name = self.helper(
                f"set_{type}_{order}",
                f"void NAME(_Atomic({type}) *p, int v) {{ atomic_store_explicit(p, v, {self.order(order)}); }}",
            )
            return f"{name}(&{x}, {value})"
        return f"atomic_store_explicit(&{x}, {value}, {self.order(order)})"

    def update(self, s: Update) -> str:
        x, value, type = self.lvalue(s.cell), self.value(s.value), self.type(s.cell.of)
        function = "atomic_exchange" if s.kind == "exchange" else f"atomic_fetch_{s.kind}"
        if s.order == "seq_cst" and self.random.random() < 0.4:
            return f"{function}(&{x}, {value})"
        way = self.random.randrange(4)
        if way == 0:
            builtin = f"__{function}" + "_n" * (s.kind == "exchange")
            return f"{builtin}(({type} *)&{x}, {value}, __ATOMIC_{s.order.upper()})"
        if way == 1:
            name = self.helper(
                f"{s.kind}_{type}_{s.order}",
                f"void NAME(_Atomic({type}) *p, int v, int *was) "
                f"{{ *was = {function}_explicit(p, v, {self.order(s.order)}); }}",
            )
            got = self.name()
            return f"({{ int {got}; {name}(&{x}, {value}, &{got}); {got}; }})"
        return f"{function}_explicit(&{x}, {value}, {self.order(s.order)})"

    def trial(self, s: Compare, expected: str, desired: str = "") -> str:
        x, type, desired = self.lvalue(s.cell), self.type(s.cell.of), desired or self.value(s.desired)
        orders = f"{self.order(s.order)}, {self.order(s.failure)}"
        function = f"atomic_compare_exchange_{'weak' if s.weak else 'strong'}"
        way = self.random.randrange(4)
        if way == 0:
            orders = f"__ATOMIC_{s.order.upper()}, __ATOMIC_{s.failure.upper()}"
            return f"__atomic_compare_exchange_n(({type} *)&{x}, &{expected}, {desired}, {int(s.weak)}, {orders})"
        if way == 1:
            name = self.helper(
                f"cas{int(s.weak)}_{type}_{s.order}_{s.failure}",
                f"bool NAME(_Atomic({type}) *p, {type} *e, int v) {{ return {function}_explicit(p, e, v, {orders}); }}",
            )
            return f"{name}(&{x}, &{expected}, {desired})"
        return f"{function}_explicit(&{x}, &{expected}, {desired}, {orders})"

    def locked(self, s: Locked) -> list[str]:
        unlock = "pthread_mutex_unlock(&m);"
        if s.tries:
            return ["if (pthread_mutex_trylock(&m) == 0) {", *self.braces(s.body), unlock, "}"]
        return ["pthread_mutex_lock(&m);", *self.braces(s.body), unlock]


class _Cxx(_Source):
    idle = "std::this_thread::yield();"

    def text(self) -> str:
        local = self.random.random() < 0.5
        threads = ""
        for n, code in enumerate(self.made.threads):
            capture = self.random.choice(("[&]", f"[&, arg = {self.made.arguments[n]}]"))
            parameter, argument = ("int arg", f", {self.made.arguments[n]}") if capture == "[&]" else ("", "")
            body = self.variables() + self.block(code, "  ") + self.ending(len(VARIABLES) * n)
            threads += f"  std::thread t{n}({capture}({parameter}) {{\n{body}  }}{argument});\n"
        joins = "".join(f"  t{n}.join();\n" for n in range(len(self.made.threads)))
        shared = self.globals("std::atomic<{}>", "S *sp = &s;") + "std::mutex m;\n"
        includes = "".join(f"#include <{h}>\n" for h in CXX_HEADERS.split()) + "using namespace std;\n"
        if local:
            shared = shared.replace("int64_t out", "static int64_t out")
        inside, outside = (shared, "") if local else ("", shared)
        return f"{includes}{outside}int main() {{\n{inside}{threads}{joins}{self.check()}}}\n"

    def order(self, order: str) -> str:
        return self.random.choice((f"std::memory_order_{order}", f"std::memory_order::{order}"))

    def arguments(self, order: str, *arguments: str) -> str:
        orders = () if order == "seq_cst" and self.random.random() < 0.5 else (self.order(order),)
        return ", ".join((*arguments, *orders))

    def load(self, cell: Cell, order: str) -> str:
        x = self.lvalue(cell)
        if not order or (order == "seq_cst" and self.random.random() < 0.3):
            return x
        return f"{x}.load({self.arguments(order)})"

    def store(self, cell: Cell, value: str, order: str) -> str:
        x = self.lvalue(cell)
        if not order or (order == "seq_cst" and self.random.random() < 0.3):
            return f"{x} = {value}"
        return f"{x}.store({self.arguments(order, value)})"

    def update(self, s: Update) -> str:
        function = "exchange" if s.kind == "exchange" else f"fetch_{s.kind}"
        x, arguments = self.lvalue(s.cell), self.arguments(s.order, self.value(s.value))
        if self.random.random() < 0.3:
            return f"([&](auto &a) {{ return a.{function}({arguments}); }})({x})"
        return f"{x}.{function}({arguments})"

    def trial(self, s: Compare, expected: str, desired: str = "") -> str:
        desired = desired or self.value(s.desired)
        orders = f"{self.order(s.order)}, {self.order(s.failure)}"
        name = f"compare_exchange_{'weak' if s.weak else 'strong'}"
        return f"{self.lvalue(s.cell)}.{name}({expected}, {desired}, {orders})"

    def locked(self, s: Locked) -> list[str]:
        if s.tries:
            if self.random.random() < 0.5:
                return ["if (m.try_lock()) {", *self.braces(s.body), "m.unlock(); }"]
            return ["if (unique_lock k(m, try_to_lock); k) {", *self.braces(s.body), "}"]
        if self.random.random() < 0.5:
            return ["{", "lock_guard<mutex> k(m);", *self.braces(s.body), "}"]
        return ["m.lock();", *self.braces(s.body), "m.unlock();"]
