"""Parses functions: their heads, their blocks, and which registers hold variables of the source."""

import re
from collections.abc import Sequence

from porf.programs.c import ir
from porf.programs.c.text.debug import TypeTable
from porf.programs.c.text.instructions import Instructions
from porf.programs.c.text.metadata import Metadata
from porf.programs.c.text.operands import Operands
from porf.programs.c.text.tokens import Cursor, TextError, plain, tokens, unescape
from porf.programs.form import Place
from porf.record import replace

_LABEL = re.compile(r'(?:"([^"]*)"|([-\w$.]+)):')
_PLACE = re.compile(r"!dbg !(\d+)")
_ATTACHED = ", !dbg !"  # LLVM prints this before everything else that is attached to an instruction
_RECORD = re.compile(r"#dbg_(declare|value)\((?:metadata )?[^%,()]* %(\"[^\"]*\"|[-\w$.]+), !(\d+), !DIExpression\(\),")
_ALIGN = re.compile(r", align (\d+)")
_NO_CODE = " @llvm.experimental.noalias.scope.decl("  # left by the inliner for passes that porf does not run


class Functions:
    def __init__(self, operands: Operands, structs: dict[str, ir.Struct], metadata: Metadata, types: TypeTable) -> None:
        self._operands = operands
        self._instructions = Instructions(operands, structs)
        self._metadata = metadata
        self._types = types

    def declared(self, line: str) -> ir.Function:
        """`declare ...`, or the first line of `define ... {`."""
        attached = _PLACE.search(line)
        place = self._metadata.declared(int(attached[1])) if attached else None
        try:
            return self._head(line, place, self._types.title(int(attached[1])) if attached else "")
        except TextError as error:
            raise _placed(error, place) from None

    def _head(self, line: str, place: Place | None, title: str) -> ir.Function:
        cursor = Cursor(tokens(line))
        cursor.next()
        while cursor.here[:1] == "!":  # metadata of a declaration
            cursor.next()
            cursor.next()
        self._operands.attributes(cursor)  # linkage, calling convention, attributes of the result
        result = self._operands.type(cursor)
        name = cursor.next()
        if name[0] != "@":
            raise TextError(f"unsupported: '{name}' where the name of a function was expected")
        cursor.expect("(")
        parameters: list[ir.Register] = []
        copied: dict[str, ir.Type] = {}
        variadic = False
        while not cursor.take(")"):
            if parameters:
                cursor.expect(",")
            if cursor.take("..."):
                variadic = True
                continue
            kind = self._operands.type(cursor)
            byval = self._operands.attributes(cursor)
            register = plain(cursor.next()) if cursor.here[:1] == "%" else str(len(parameters))
            parameters.append(ir.Register(kind, register))
            if byval is not None:
                copied[register] = byval
        return ir.Function(
            plain(name),
            result,
            tuple(parameters),
            variadic,
            weak=line.startswith("declare extern_weak "),
            place=place,
            title=title or plain(name),
            copied=copied,
        )

    def defined(self, head: str, body: Sequence[str]) -> ir.Function:
        """`body`: the lines between the brackets."""
        function = self.declared(head)
        blocks: list[ir.Block] = []
        name, found = "", list[ir.Instruction]()
        addresses: dict[str, int] = {}
        values: dict[str, int] = {}
        for line in _statements(body):
            if line[:1] != " ":
                label = _LABEL.match(line)
                if label is None:
                    raise _placed(TextError(f"unsupported: '{line}' where a label was expected"), function.place)
                if found or name:
                    blocks.append(ir.Block(name or "entry", tuple(found)))
                name, found = unescape(label[1]) if label[1] is not None else label[2], []
            elif line.startswith("    #dbg"):
                if record := _RECORD.search(line):
                    into = addresses if record[1] == "declare" else values
                    into.setdefault(plain("%" + record[2]), int(record[3]))
            elif _NO_CODE not in line:
                found.append(self._instruction(line))
        if found or name:
            blocks.append(ir.Block(name or "entry", tuple(found)))
        if not blocks:
            raise _placed(TextError(f"unsupported: the function '{function.name}' has no instructions"), function.place)
        return replace(function, blocks=tuple(blocks), variables=self._variables(blocks, addresses, values))

    def _instruction(self, line: str) -> ir.Instruction:
        code, _, attached = line.partition(_ATTACHED)
        number = attached.partition(",")[0]
        place = self._metadata.place(int(number)) if number.isdecimal() else None
        try:
            found = self._instructions.parse(Cursor(tokens(code)))
        except TextError as error:  # it matters only if an execution gets there
            found = ir.Instruction("unsupported", kind=error.message)
        fields = found.__dict__  # nobody has seen it yet, and replace() is slow
        if found.opcode in ("load", "store") and (align := _ALIGN.search(code)):
            fields["align"] = int(align[1])
        if "!nosanitize" in line:
            fields["generated"] = True
        fields["place"] = place
        return found

    def _variables(
        self, blocks: Sequence[ir.Block], addresses: dict[str, int], values: dict[str, int]
    ) -> dict[str, ir.Variable]:
        """A pointer to a variable may also be the value of another; its own name matters more."""
        found: dict[str, ir.Variable] = {}
        local = {step.result for block in blocks for step in block.instructions if step.opcode == "alloca"}
        for register, number in addresses.items():
            if (variable := self._types.variable(number)) is not None:
                found[register] = replace(variable, address=True)
        for register, number in values.items():
            if register not in found and register not in local:
                variable = self._types.variable(number)
                if variable is not None:
                    found[register] = variable
        return found


def _statements(body: Sequence[str]) -> list[str]:
    """Lines, each joined with its continuations: the cases of a switch, the targets of an invoke."""
    found: list[str] = []
    opened = False
    for line in body:
        if opened or line.startswith("          "):
            if found:
                found[-1] += line
            opened = opened and not line.startswith("  ]")
        elif line.strip() and not line.startswith(";"):
            found.append(line)
            opened = line.endswith("[") and line.startswith("  switch")
    return found


def _placed(error: TextError, place: Place | None) -> TextError:
    if place is None or error.line is not None:
        return error
    return TextError(error.message, source=place.file or None, line=place.line, column=place.column, hint=error.hint)
