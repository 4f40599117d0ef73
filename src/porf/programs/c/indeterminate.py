"""Makes the beginnings and ends of variables visible in LLVM's text, before any pass can remove what they mean.

A variable that is never set has no value, and LLVM may put any value in its place. So a *never-set* value, the result
of a function that no pass knows, is stored into every variable where its life begins; passes then carry that value to
where it is used. A variable whose address is kept may be used after its life has ended, which passes do not notice,
either. So such a variable is *pinned*: a call with its address holds it in memory until `dangling` has seen its uses.
"""

import re
from collections.abc import Collection, Iterator

from porf.programs.c.library.names import MEMSET, NEVER, PIN
from porf.programs.c.spans import ALLOCA, LIFE, NAME, STORED, Spans
from porf.record import Record, field

_DECLARED = re.compile(rf"    #dbg_declare\(ptr ({NAME}), !(\d+),")
_VARIABLE = re.compile(r'^!(\d+) = !DILocalVariable\(name: "([^"]*)"', re.MULTILINE)
_POINTER = re.compile(rf"ptr(?: \w+(?:\(\d+\))?)* ({NAME})")
_COUNTED = re.compile(r", i\d+ (?:%|\d)")
_WIDE = re.compile(r"\bi(?:6[5-9]|[7-9]\d|\d{3,}) ")
_MAYBE_WIDE = re.compile(r"i(?:6[5-9]|[7-9]\d|\d{3,}) ")  # quick to find that there are none in a whole text
_CONSTANT = re.compile(r"""(@(?:"[^"]*"|[-\w$.]+)) = (?:[\w()"]+ )*?constant """)
_NAMES = re.compile(NAME)
_NUMBERS = ("i8", "i16", "i32", "i64", "float", "double")
_RESULT = re.compile(rf"  ({NAME}) = (\w+)")


class _Body(Record, frozen=False):
    """A function: its lines, its allocas, and which of them have a mark at their beginning."""

    lines: list[str] = field(default_factory=list)
    allocas: dict[str, str] = field(default_factory=dict)  # name -> type
    begun: set[str] = field(default_factory=set)
    names: dict[str, str] = field(default_factory=dict)  # name -> the number of its variable in the debug information
    special: set[str] = field(default_factory=set)  # named by accesses that no register takes the place of
    wide: set[str] = field(default_factory=set)  # accessed as integers that no register holds: copies of the compiler


class Marks:
    """Adds never-set values and pins to the text of a module. Constants become variables, because LLVM takes what is
    read outside of them for any value."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self._variables = dict(_VARIABLE.findall(text))
        self._spans = Spans(self._lines)
        self._declared: dict[str, str] = {}  # functions
        self._memset = "" if f" {MEMSET}(" in text else f"declare void {MEMSET}(ptr, i8, i64, i1 immarg)"
        self._count = 0
        self._has_wide = _MAYBE_WIDE.search(text) is not None
        self.pins = 0
        self.constants: set[str] = set()  # globals that LLVM does not know to be constant

    def text(self, roots: Collection[str]) -> str:
        out: list[str] = []
        at, lines = 0, self._lines
        while at < len(lines):
            line = lines[at]
            at += 1
            if line.startswith("@") and (found := _CONSTANT.match(line)):
                self.constants.add(found[1])
                line = line.replace(" constant ", " global ", 1)
            out.append(line)
            if line.startswith("define "):
                end = lines.index("}", at)
                body = lines[at:end]
                is_root = any(f" @{root}(" in line for root in roots)
                out += self._function(without_last_ends(body) if is_root else body)
                at = end
        pins = [f"define internal void @{PIN}{n}(ptr %0) noinline {{\n  ret void\n}}" for n in range(self.pins)]
        return "\n".join([*out, *self._declared.values(), *pins, ""])

    def _function(self, lines: list[str]) -> list[str]:
        body = _read(lines, self._has_wide)
        kept = _kept(body)
        out: list[str] = []
        for at, line in enumerate(body.lines):
            if line.startswith("    #dbg_declare") and _is_of_no_interest(body, kept, line):
                continue
            out.append(line)
            if " = alloca " in line and (found := ALLOCA.match(line)) and found[1] in body.allocas:
                if found[1] not in body.begun and not _is_set_at_once(body, kept, found[1], at):
                    out += self._never(body, found[1])
                if found[1] in kept:
                    out.append(f"  call void @{PIN}{self.pins}(ptr {found[1]})")
                    self.pins += 1
            elif ".lifetime.start." in line and (mark := LIFE.match(line)) and mark[2] in body.allocas:
                place = line[start:] if (start := line.find(", !dbg")) > 0 else ""
                is_set = _is_set_at_once(body, kept, mark[2], at)
                out += [step + place for step in self._never(body, mark[2])] if not is_set else []
        return out

    def _never(self, body: _Body, name: str) -> Iterator[str]:
        """The code that gives a variable a value that was never set."""
        variable = self._variables.get(body.names.get(name, ""), "")
        self._count += 1
        type, value = body.allocas[name], f"%{NEVER}{self._count}"
        if type[0] not in "[{%" and not type.startswith("<{"):
            yield f"  {value} = call {type} {self._function_for(type, variable)}()"
            yield f"  store {type} {value}, ptr {name}"
        elif (variable or name in body.begun or name not in body.wide) and (size := self._spans.size(type)):
            self._declared.setdefault(MEMSET, self._memset)
            yield f"  {value} = call i8 {self._function_for('i8', variable)}()"
            yield f"  call void {MEMSET}(ptr {name}, i8 {value}, i64 {size}, i1 false)"

    def _function_for(self, type: str, variable: str) -> str:
        name = f'@"{NEVER}{type}.{variable}"'
        self._declared.setdefault(name, f"declare {type} {name}()")
        return name


def _read(lines: list[str], has_wide: bool) -> _Body:
    body = _Body(lines)
    for line in lines:
        if " = alloca " in line:
            found = ALLOCA.match(line)
            if found and not _COUNTED.search(found[2]):  # an array of a variable length is a new object each time
                body.allocas[found[1]] = found[2]
        elif ".lifetime.start." in line:
            if mark := LIFE.match(line):
                body.begun.add(mark[2])
        elif line.startswith("    #dbg_declare") and (declared := _DECLARED.match(line)):
            body.names[declared[1]] = declared[2]
        else:
            if "atomic" in line or "volatile" in line or "cmpxchg" in line:
                body.special.update(_NAMES.findall(line))
            if has_wide and _WIDE.search(line):
                body.wide.update(_POINTER.findall(line))
    return body


def _kept(body: _Body) -> set[str]:
    """The variables whose addresses are used other than by an access: these may be kept, or moved elsewhere."""
    found: set[str] = set()
    of = {name: name for name in body.allocas}  # register -> the variable that it points into
    for line in body.lines:
        if line.startswith("  store "):
            if (stored := STORED.match(line)) and stored[1] in of:
                found.add(of[stored[1]])
            continue
        if "ptr" not in line or line.startswith("    #") or ".lifetime." in line or MEMSET in line:
            continue
        result = _RESULT.match(line)
        if result and result[2] in ("load", "atomicrmw", "cmpxchg"):
            continue
        used = [of[name] for name in _POINTER.findall(line) if name in of]
        if not used:
            continue
        if result and result[2] == "getelementptr":
            of[result[1]] = used[0]
            if f" {body.allocas[used[0]]}, ptr " not in line:
                found.add(used[0])  # not by way of its type: it may leave the variable
        else:
            found.update(used)
    return found


def _is_of_no_interest(body: _Body, kept: Collection[str], declaration: str) -> bool:
    """Whether a variable is a number that a register will hold: then nobody asks for its name or its type."""
    found = _DECLARED.match(declaration)
    if found is None or found[1] in kept or found[1] in body.special:
        return False
    return body.allocas.get(found[1], "") in _NUMBERS


def _is_set_at_once(body: _Body, kept: Collection[str], name: str, begins: int) -> bool:
    """Whether a variable that only accesses use is set as a whole, before anything else is done with it, in the block
    in which its life begins, at this line."""
    if name in kept:
        return False
    store, end = f"  store {body.allocas[name]} ", f", ptr {name}, "
    for line in body.lines[begins + 1 :]:
        if line[:2] != "  " or line.startswith("  br "):
            return False
        if line.startswith(store) and end in line:
            return True
        if name in line and not line.startswith("    #") and name in _NAMES.findall(line):
            return False
    return False


def without_last_ends(lines: list[str]) -> list[str]:
    """Without the ends of the variables of main where main returns: the program ends there as a whole."""
    last = next((n for n in range(len(lines) - 1, -1, -1) if lines[n].startswith("  ret ")), len(lines))
    at = last - 1
    gone: set[int] = set()
    while at >= 0 and (".lifetime.end." in lines[at] or " = load " in lines[at] or lines[at].startswith("    #")):
        if ".lifetime.end." in lines[at]:
            gone.add(at)
        at -= 1
    return [line for n, line in enumerate(lines) if n not in gone]


def with_constants(text: str, names: Collection[str]) -> str:
    """The text in which these globals are constants again."""
    lines = text.split("\n")
    for n, line in enumerate(lines):
        if line.startswith("@") and line.partition(" = ")[0] in names:
            lines[n] = line.replace(" global ", " constant ", 1)
    return "\n".join(lines)
