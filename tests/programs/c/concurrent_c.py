"""Random concurrent programs in C: <stdatomic.h>, the compiler's own functions, helpers, and pointers to helpers."""

from __future__ import annotations

from tests.programs.c.concurrent_fuzz import VARIABLES, Cell, Compare, Locked, Update
from tests.programs.c.concurrent_source import Source

HEADERS = "assert.h pthread.h sched.h stdatomic.h stdbool.h stdint.h"


class C(Source):
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
