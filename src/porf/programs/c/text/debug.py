"""From debug information to what the source says about types and variables."""

import re

from porf.programs.c import ir
from porf.programs.c.text.metadata import Metadata, integer, reference, string
from porf.programs.c.text.tokens import words

_TRANSPARENT = words(
    "DW_TAG_typedef DW_TAG_const_type DW_TAG_volatile_type DW_TAG_atomic_type DW_TAG_restrict_type "
    "DW_TAG_member DW_TAG_inheritance DW_TAG_template_alias DW_TAG_immutable_type"
)
_POINTERS = words("DW_TAG_pointer_type DW_TAG_reference_type DW_TAG_rvalue_reference_type")
_COMPOSITES = {
    "DW_TAG_structure_type": "struct",
    "DW_TAG_class_type": "struct",
    "DW_TAG_union_type": "union",
    "DW_TAG_enumeration_type": "enum",
    "DW_TAG_array_type": "array",
}
_ENCODINGS = {
    "DW_ATE_signed": ("integer", True),
    "DW_ATE_signed_char": ("integer", True),
    "DW_ATE_unsigned": ("integer", False),
    "DW_ATE_unsigned_char": ("integer", False),
    "DW_ATE_UTF": ("integer", False),
    "DW_ATE_boolean": ("boolean", False),
    "DW_ATE_float": ("float", True),
}
_UNKNOWN = ir.DebugType("other")
_DEPTH = 1000  # no chain of types is longer; a broken one may be a circle
_LAMBDA = re.compile(r"\(lambda at .*?(\d+):\d+\)")


class TypeTable:
    """Debug types by the numbers of their nodes. Inner dimensions of arrays have no node: they get new numbers."""

    def __init__(self, metadata: Metadata) -> None:
        self._metadata = metadata
        self._known: dict[int, ir.DebugType] = {}
        self._next = 1 << 32

    def type(self, number: int) -> ir.DebugType:
        if number not in self._known:
            self._known[number] = self._read(number)
        return self._known[number]

    def _read(self, number: int) -> ir.DebugType:
        name = ""
        for _ in range(_DEPTH):
            fields = self._metadata.fields(number)
            if fields.get("tag") not in _TRANSPARENT:
                return self._named(fields, name)
            if fields.get("tag") == "DW_TAG_typedef" and not name:
                name = string(fields.get("name", ""))
            number = reference(fields.get("baseType", ""))
        return _UNKNOWN

    def _named(self, fields: dict[str, str], name: str) -> ir.DebugType:
        """The type of a node; `name` is that of its outermost typedef, for a type that has no name itself."""
        kind, tag, size = fields[""], fields.get("tag", ""), integer(fields.get("size", "0")) // 8
        name = string(fields.get("name", "")) or name
        if kind == "DIBasicType":
            word, signed = _ENCODINGS.get(fields.get("encoding", ""), ("other", True))
            return ir.DebugType(word, name, size, signed)
        if tag in _POINTERS:
            return ir.DebugType("pointer", name, size or 8, False, element=reference(fields.get("baseType", "")))
        if kind == "DISubroutineType":
            return ir.DebugType("function", name)
        word = _COMPOSITES.get(tag, "other")
        if word in ("struct", "union"):
            return ir.DebugType(word, name, size, members=self._members(fields))
        if word == "enum":
            base = self.type(reference(fields.get("baseType", "")))
            return ir.DebugType(word, name, size, base.signed)
        if word == "array":
            return self._array(fields, name, size)
        return ir.DebugType("other", name, size)

    def _members(self, fields: dict[str, str]) -> tuple[tuple[str, int, int], ...]:
        found = []
        for number in self._metadata.elements(reference(fields.get("elements", ""))):
            member = self._metadata.fields(number)
            placed = member.get("tag") in ("DW_TAG_member", "DW_TAG_inheritance")
            if not placed or "DIFlagStaticMember" in member.get("flags", ""):
                continue
            offset = integer(member.get("offset", "0")) // 8
            found.append((string(member.get("name", "")), offset, reference(member.get("baseType", ""))))
        return tuple(found)

    def _array(self, fields: dict[str, str], name: str, size: int) -> ir.DebugType:
        """An array of arrays is one node with several ranges."""
        counts = [self._count(number) for number in self._metadata.elements(reference(fields.get("elements", "")))]
        element = reference(fields.get("baseType", ""))
        for count in reversed(counts[1:]):
            size_of_row = self.type(element).size * count
            self._known[self._next] = ir.DebugType("array", "", size_of_row, element=element, count=count)
            element = self._next
            self._next += 1
        return ir.DebugType("array", name, size, element=element, count=counts[0] if counts else 0)

    def _count(self, number: int) -> int:
        return max(0, integer(self._metadata.fields(number).get("count", "0")))

    def variable(self, number: int) -> ir.Variable | None:
        """Of a DILocalVariable, a DIGlobalVariable, or a DIGlobalVariableExpression."""
        fields = self._metadata.fields(number)
        if fields[""] == "DIGlobalVariableExpression":
            number = reference(fields.get("var", ""))
            fields = self._metadata.fields(number)
        name = string(fields.get("name", ""))
        if not name:
            return None
        return ir.Variable(name, reference(fields.get("type", "")), self._metadata.declared(number))

    def title(self, number: int) -> str:
        """What the source calls a function: with the class that it belongs to, if any."""
        parts = [self._metadata.name(number)]
        for _ in range(_DEPTH):
            number = reference(self._metadata.fields(number).get("scope", ""))
            kind = self._metadata.fields(number)[""] if number >= 0 else ""
            if kind not in ("DICompositeType", "DINamespace"):
                break
            parts.append(self._metadata.name(number) or "(anonymous)")
        return spoken("::".join(reversed(parts))) if parts[0] else ""


def spoken(title: str) -> str:
    """A title for people, without blanks. A thread that was started with a lambda is called by the lambda's line."""
    found = _LAMBDA.search(title)
    if found:
        return f"lambda:{found[1]}"
    if title.startswith("std::porf_"):
        return "std::thread"
    return title.replace(", ", ",").replace(" ", "_")
