"""The initial state `{ … }`: shared locations with their types and values, and registers that are set initially."""

from dataclasses import dataclass, field

from porf.programs.litmus.cursor import Cursor
from porf.programs.litmus.kinds import Type
from porf.programs.litmus.tokens import Token


@dataclass(slots=True)
class Address:
    """The address of a location, or of an element of it."""

    at: int
    name: str
    index: int = 0


Value = int | Address


@dataclass(slots=True)
class Entry:
    """What the initial state says of one location. `count` is the length of an array, else None."""

    at: int
    name: str
    type: Type | None = None
    count: int | None = None
    values: list[Value] = field(default_factory=list)


@dataclass(slots=True)
class Setting:
    """A register that has a value when its thread begins."""

    at: int
    thread: int
    name: str
    type: Type | None
    value: Value


class Initial(Cursor):
    """Reads the initial state into `entries` and `settings`."""

    entries: dict[str, Entry]
    settings: dict[tuple[int, str], Setting]

    def initial(self) -> None:
        self.entries, self.settings = {}, {}
        opened = self.expect("{", "of the initial state")
        while not self.accept("}"):
            if self.accept(";"):
                continue
            if self.token.kind == "end":
                self.fail(opened, "the initial state is never closed", "close it with '}'")
            self._declarations()
            if self.token.text not in (";", "}"):
                self.unexpected("';' after the initial value", "entries are x = 1; [y] = 2; int z = 3; 0:r0 = x;")

    def _declarations(self) -> None:
        base = self.base_type() if self.at_type() else None
        while True:
            self._entry(base)
            if base is None or not self.accept(","):
                return

    def _entry(self, base: Type | None) -> None:
        kind = self.stars(base) if base is not None else None
        if self.token.kind == "number" and self.peek().text == ":":
            self._setting(kind)
            return
        bracket = self.accept("[")
        name = self.name("a location", "entries are x = 1; [y] = 2; int z = 3; 0:r0 = x;")
        entry = Entry(name.at, name.text, kind)
        if bracket:
            self.expect("]", "after the location")
        elif self.accept("["):
            entry.count = self._count() if self.token.text != "]" else 0
            self.expect("]", "after the length of the array")
        if entry.name in self.entries:
            self.fail(name, f"'{name.text}' is already in the initial state")
        if self.accept("="):
            self._values(entry, name)
        if entry.count == 0:
            self.fail(name, "this array has no length", f"write {name.text}[4]")
        self.entries[entry.name] = entry

    def _setting(self, kind: Type | None) -> None:
        thread = self.number().value
        self.advance()
        name = self.name("the name of a register")
        if (thread, name.text) in self.settings:
            self.fail(name, f"'{thread}:{name.text}' is already in the initial state")
        if kind is not None and not (kind.is_number or kind.kind == "pointer"):
            self.fail(name, f"a register holds a number or an address, not a {kind.name}")
        value: Value = 0
        if kind is None or self.token.text not in (";", "}"):
            self.expect("=", "after the register")
            value = self.value()
        self.settings[thread, name.text] = Setting(name.at, thread, name.text, kind, value)

    def _count(self) -> int:
        if self.token.kind != "number":
            self.unexpected("the length of the array")
        token = self.token
        count = self.number().value
        if not 0 < count <= 2**16:
            self.fail(token, "an array has 1 to 65536 elements")
        return count

    def _values(self, entry: Entry, name: Token) -> None:
        opened = self.accept("{")
        if opened is None:
            if entry.count is not None:
                self.unexpected("'{' before the values of the array")
            entry.values.append(self.value())
            return
        while self.token.text != "}":
            entry.values.append(self.value())
            if not self.accept(","):
                break
        self.expect("}", "after the values of the array")
        if entry.count is None:
            self.fail(
                name, f"'{name.text}' is not an array, but has several values", f"write int {name.text}[4] = {{ … }}"
            )
        entry.count = entry.count or len(entry.values)
        if len(entry.values) > entry.count:
            self.fail(opened, f"{len(entry.values)} values for {entry.count} elements")

    def value(self) -> Value:
        """A number, or the address of a location: x, &x, &a[1]."""
        if self.accept("("):
            inner = self.value()
            self.expect(")", "to close the parenthesis")
            return inner
        if self.token.kind == "number":
            return self.number().value
        if self.accept("-"):
            if self.token.kind != "number":
                self.unexpected("a number")
            return -self.number().value
        if self.token.text == "ATOMIC_INIT":
            self.advance()
            self.expect("(", "after ATOMIC_INIT")
            inner = self.value()
            self.expect(")", "after the value of ATOMIC_INIT")
            return inner
        self.accept("&")
        if self.token.text == "NULL":
            self.advance()
            return 0
        name = self.name("a number or the address of a location")
        address = Address(name.at, name.text)
        if self.accept("["):
            if self.token.kind != "number":
                self.unexpected("the index of an element")
            address.index = self.number().value
            self.expect("]", "after the index")
        return address
