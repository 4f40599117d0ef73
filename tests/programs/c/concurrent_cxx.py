"""Random concurrent programs in C++: std::atomic, threads of lambdas, locks."""

from __future__ import annotations

from tests.programs.c.concurrent_fuzz import VARIABLES, Cell, Compare, Locked, Update
from tests.programs.c.concurrent_source import Source

HEADERS = "atomic cassert cstdint mutex thread"


class Cxx(Source):
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
        includes = "".join(f"#include <{h}>\n" for h in HEADERS.split()) + "using namespace std;\n"
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
