"""Random sequential programs in C, without undefined behaviour. Each computes one number, its checksum.

With -DNATIVE a program prints its checksum; otherwise it asserts that it is EXPECTED. A compiler that shares nothing
with porf says what the number is, so this is a judge of what porf takes programs to mean.
"""

from __future__ import annotations

from random import Random

from tests.programs.c.fuzz_expressions import INT, KINDS, LONG, SHORT, UCHAR, UNSIGNED, Expressions, Scope

HEAD = """
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef NATIVE
#include <stdio.h>
#endif
enum color { RED = -1, GREEN, BLUE = 7 };
struct inner { short a; unsigned char b; long c; };
struct outer {
  int x;
  unsigned f : 3;
  int g : 7;
  unsigned long h : 33;
  struct inner in;
  unsigned char bytes[4];
  struct inner *link;
  enum color color;
};
struct pair { int left; short right; };
struct tagged { int tag; union { int i; long l; short s[2]; } u; };
struct item { long value; struct item *next; };
static unsigned sum = 17;
static void mix(unsigned long v) { sum = sum * 31u + (unsigned)(v ^ (v >> 32)); }
static struct inner globe = {-3, 200, 1L << 40};
static struct outer world = {5, 2, -9, 77, {1, 2, 3}, "abc", &globe, BLUE};
static const char *const words[2] = {"walnut", "hazel"};
static struct tagged make(int tag, long v) {
  struct tagged t;
  t.tag = tag & 1;
  if (t.tag) t.u.l = v; else { t.u.s[0] = (short)v; t.u.s[1] = (short)(v >> 16); }
  return t;
}
static long look(struct tagged t) { return t.tag ? t.u.l : (long)t.u.s[0] + t.u.s[1]; }
static struct pair swap(struct pair p) { struct pair q = {p.right, (short)p.left}; return q; }
static struct outer touch(struct outer o, int v) { o.x = v; o.in.c ^= v; o.g = v & 31; return o; }
static void put(int *out, struct inner *at, int v) { *out = v; at->a = (short)v; }
static int gcd(int a, int b) { return b == 0 ? a : gcd(b, a % b); }
static int odd(unsigned n);
static int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }
static unsigned long walk(struct item *at) { return at ? at->value + 3 * walk(at->next) : 1; }
"""
TAIL = """
#ifdef NATIVE
  printf("%u\\n", sum);
#else
  assert(sum == EXPECTED);
#endif
  return 0;
}
"""
WORLD = [
    ("world.x", INT),
    ("world.in.a", SHORT),
    ("world.in.b", UCHAR),
    ("world.in.c", LONG),
    ("world.link->c", LONG),
    ("globe.b", UCHAR),
]
BITS = [("world.f", INT), ("world.g", INT), ("world.color", INT)]


class Program:
    """Draws one program."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.expressions = Expressions(self.random)
        self.fresh = 0

    def name(self, prefix: str) -> str:
        self.fresh += 1
        return f"{prefix}{self.fresh}"

    def text(self) -> str:
        scope = Scope(reads=[*WORLD, *BITS], writes=list(WORLD), arrays=[("world.bytes", UCHAR, 4)])
        parts = [HEAD, *(self.global_variable(scope) for _ in range(6))]
        for _ in range(self.random.randrange(1, 4)):
            parts.append(self.function(scope))
        if len(scope.functions) > 1:
            table = ", ".join(self.random.choice(scope.functions) for _ in range(2))
            parts.append(f"static int (*table[2])(int, long) = {{{table}}};")
            scope.functions.append("table[sum & 1]")
        parts.append("int main(void) {\n" + self.body(scope.inner(), 14, 2) + TAIL)
        return "\n".join(parts)

    def global_variable(self, scope: Scope) -> str:
        name, kind = self.name("g"), self.random.choice(KINDS)
        if self.random.random() < 0.5:
            scope.declare(name, kind)
            return f"static {kind.name} {name} = {self.expressions.constant(kind)};"
        length = self.random.choice((2, 4))
        scope.arrays.append((name, kind, length))
        if self.random.random() < 0.4:
            pointer = self.name("p")
            scope.arrays.append((pointer, kind, length // 2))
            pointed = f"\nstatic {kind.name} *{pointer} = &{name}[{length // 2}];"
        else:
            pointed = ""
        return f"{kind.name} {name}[{length}] = {self.expressions.constants(kind, length)};{pointed}"

    def function(self, scope: Scope) -> str:
        name, inner = self.name("f"), scope.inner()
        inner.functions = scope.functions[-1:]  # so that calls do not multiply
        inner.declare("n", INT)
        inner.declare("m", LONG)
        calls = self.name("calls")
        inner.declare(calls, UNSIGNED)
        body = self.body(inner, 5, 1)
        result = self.expressions.text(inner)
        scope.functions.append(name)
        return f"static int {name}(int n, long m) {{\n  static unsigned {calls} = 1;\n{body}  return {result};\n}}"

    def body(self, scope: Scope, count: int, depth: int) -> str:
        return "".join(f"  {self.statement(scope, depth)}\n" for _ in range(count))

    def statement(self, scope: Scope, depth: int) -> str:
        simple = (self.assign, self.assign, self.update, self.mixed, self.declare, self.element, self.bit_field)
        calling = (self.call, self.structures, self.pointers, self.copies, self.helpers)
        nested = (self.conditional, self.loop, self.switch, self.jump, self.heap, self.effect)
        return self.random.choice(simple + calling + (nested if depth else ()))(scope, depth)

    def assign(self, scope: Scope, depth: int) -> str:
        target, kind = self.random.choice(scope.writes)
        return f"{target} = ({kind.name}){self.expressions.text(scope)};"

    def update(self, scope: Scope, depth: int) -> str:
        target, kind = self.random.choice(scope.writes)
        if kind.bits in (8, 16) or (not kind.signed and kind.bits > 1):
            return self.random.choice((f"{target}++;", f"--{target};", f"mix({target}--);", f"mix(++{target});"))
        sign = self.random.choice(("+", "-", "*", "^", "|", "&"))
        return f"{target} {sign}= (unsigned long){self.expressions.text(scope, 2)};"

    def mixed(self, scope: Scope, depth: int) -> str:
        return f"mix({self.expressions.text(scope, 4)});"

    def declare(self, scope: Scope, depth: int) -> str:
        name, kind = self.name("v"), self.random.choice(KINDS)
        if self.random.random() < 0.5:
            line = f"{kind.name} {name} = {self.expressions.text(scope)};"
            scope.declare(name, kind)
            return line
        values = ", ".join(f"({kind.name}){self.expressions.text(scope, 1)}" for _ in range(4))
        scope.arrays.append((name, kind, 4))
        return f"{kind.name} {name}[4] = {{{values}}};"

    def element(self, scope: Scope, depth: int) -> str:
        name, kind, length = self.random.choice(scope.arrays)
        index = self.expressions.below(scope, length)
        place = self.random.choice((f"{name}[{index}]", f"*({name} + {index})"))
        return f"{place} = ({kind.name}){self.expressions.text(scope, 2)};"

    def bit_field(self, scope: Scope, depth: int) -> str:
        member = self.random.choice(("f", "g", "h"))
        return f"world.{member} = {self.expressions.text(scope, 2)}; mix(world.{member});"

    def call(self, scope: Scope, depth: int) -> str:
        if not scope.functions:
            return self.mixed(scope, depth)
        first, second = self.expressions.text(scope, 2), self.expressions.text(scope, 2)
        called = f"{self.random.choice(scope.functions)}((int){first}, (long){second})"
        if self.random.random() < 0.5:
            return f"mix((unsigned long){called});"
        result = self.name("r")
        scope.declare(result, INT)
        return f"int {result} = {called};"

    def structures(self, scope: Scope, depth: int) -> str:
        name, value, other = self.name("s"), self.expressions.text(scope, 2), self.expressions.text(scope, 2)
        return self.random.choice(
            (
                f"struct pair {name} = {{(int){value}, 3}}; {name} = swap({name}); mix({name}.left ^ {name}.right);",
                f"struct outer {name} = touch(world, (int){value}); mix({name}.in.c ^ {name}.g); world = {name};",
                f"struct tagged {name} = make((int){value}, (long){other}); mix(look({name}));",
                f"struct inner {name} = globe; {name}.c ^= {value}; world.in = {name}; mix(world.in.c);",
                f"struct inner {name}[2] = {{globe, world.in}}; globe = {name}[{value} & 1]; mix(globe.a);",
            )
        )

    def pointers(self, scope: Scope, depth: int) -> str:
        name, kind, length = self.random.choice(scope.arrays)
        p, index = self.name("p"), self.expressions.below(scope, length)
        scalars = [target for target, own in scope.writes if own == kind] or [f"{name}[0]"]
        other, last = self.random.choice(scalars), f"&{name}[{length - 1}]"
        return self.random.choice(
            (
                f"{kind.name} *{p} = {name} + {index}; *{p} ^= 1; mix((unsigned long)({p} - {name}) + *{p});",
                f"{kind.name} *{p} = {index} ? {last} : &{other}; *{p} = 1; mix({p} == {last});",
                f"{kind.name} *{p} = {last}; while ({p} > {name}) mix(*{p}--); mix({p} == {name});",
                f"{kind.name} *{p} = ({kind.name} *)(uintptr_t)&{other}, **q{p} = &{p}; **q{p} = 1; mix(*{p});",
                f"struct inner *{p} = {index} ? &globe : &world.in; {p}->b += 3; mix({p}->b + world.link->b);",
            )
        )

    def copies(self, scope: Scope, depth: int) -> str:
        name, kind, length = self.random.choice(scope.arrays)
        copy = self.name("c")
        byte = self.random.choice((0, 1)) if kind.bits == 1 else self.random.randrange(256)
        return self.random.choice(
            (
                f"{kind.name} {copy}[{length}]; memcpy({copy}, {name}, sizeof {copy}); mix({copy}[{length - 1}]);",
                f"{kind.name} {copy}[{length}]; memset({copy}, {byte}, sizeof {copy}); mix({copy}[{length - 1}]);",
                f"struct outer {copy}; memcpy(&{copy}, &world, sizeof {copy}); mix({copy}.in.b + {copy}.link->a);",
                f"memset({name}, {byte}, {length} * sizeof {name}[0]); mix({name}[0]);",
                f"memmove({name}, {name} + {length // 2}, {length // 2} * sizeof {name}[0]); mix({name}[0]);",
            )
        )

    def helpers(self, scope: Scope, depth: int) -> str:
        a, b = self.expressions.text(scope, 2), self.expressions.text(scope, 2)
        return self.random.choice(
            (
                f"mix(gcd((int)({a} & 63), (int)({b} & 31)));",
                f"mix(even((unsigned){a} & 7));",
                f"put(&world.x, &globe, (int){a}); mix(world.x ^ globe.a);",
                f"mix(words[{a} & 1][{b} & 3]);",
            )
        )

    def conditional(self, scope: Scope, depth: int) -> str:
        then, other = self.block(scope, depth), self.block(scope, depth)
        return f"if ({self.expressions.text(scope)}) {then} else {other}"

    def block(self, scope: Scope, depth: int, tail: str = "") -> str:
        return "{\n" + self.body(scope.inner(), self.random.randrange(1, 4), depth - 1) + tail + "  }"

    def loop(self, scope: Scope, depth: int) -> str:
        i, times, inner = self.name("i"), self.random.randrange(1, 5), scope.inner()
        inner.reads.append((i, INT))
        leave = self.random.choice(("break", "continue"))
        body = self.block(inner, depth, f"  if ({self.expressions.text(inner, 2)}) {leave};\n  mix({i});\n")
        return self.random.choice(
            (
                f"for (int {i} = 0; {i} < {times}; {i}++) {body}",
                f"int {i} = {times}; while ({i}-- > 0) {body}",
                f"int {i} = 0; do {body} while (++{i} < {times});",
            )
        )

    def switch(self, scope: Scope, depth: int) -> str:
        cases = []
        for label in self.random.sample(range(-1, 4), 3):
            end = self.random.choice(("break;", "/* on */"))
            cases.append(f"  case {label}: {self.block(scope, depth)} {end}\n")
        cases.append(f"  default: {self.block(scope, depth)}\n")
        return f"switch ((int)({self.expressions.text(scope)} % 4)) {{\n{''.join(cases)}  }}"

    def jump(self, scope: Scope, depth: int) -> str:
        label, i = self.name("L"), self.name("i")
        if self.random.random() < 0.5:
            return f"if ({self.expressions.text(scope)}) goto {label};\n  {self.block(scope, depth)}\n  {label}:;"
        again = f"if (++{i} < 3 && {self.expressions.text(scope, 2)}) goto {label};"
        return f"int {i} = 0;\n  {label}:;\n  {self.block(scope, depth)}\n  {again}"

    def heap(self, scope: Scope, depth: int) -> str:
        name, kind, value = self.name("h"), self.random.choice(KINDS), self.expressions.text(scope, 2)
        if self.random.random() < 0.5:
            made = self.random.choice((f"malloc(4 * sizeof *{name})", f"calloc(4, sizeof *{name})"))
            inner = scope.inner()
            inner.arrays.append((name, kind, 4))
            filled = f"for (int i = 0; i < 4; i++) {name}[i] = ({kind.name}){value};"
            return f"{kind.name} *{name} = {made};\n  {filled}\n  {self.block(inner, depth)}\n  free({name});"
        return (
            f"struct item *{name} = 0;\n"
            f"  for (int i = 0; i < 3; i++) {{ struct item *x = malloc(sizeof *x); x->value = (long){value} ^ i;"
            f" x->next = {name}; {name} = x; }}\n"
            f"  mix(walk({name}));\n"
            f"  while ({name}) {{ struct item *x = {name}; {name} = x->next; mix(x->value); free(x); }}"
        )

    def effect(self, scope: Scope, depth: int) -> str:
        target, kind = self.random.choice(scope.writes)
        condition, value = self.expressions.text(scope, 2), self.expressions.text(scope, 2)
        sign = self.random.choice(("&&", "||"))
        return f"(void)({condition} {sign} ({target} = ({kind.name}){value}));"


def program(seed: int) -> str:
    return Program(seed).text()
