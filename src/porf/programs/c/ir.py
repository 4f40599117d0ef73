"""LLVM's intermediate representation as values, as far as programs in C and C++ need it: what the parser makes."""

from __future__ import annotations

from typing import Protocol, TypeAlias

from porf.programs.form import Place
from porf.record import Record, field

# Types. `Opaque` stands for all others (floating point, vectors, ...), by their names.


class Integer(Record):
    bits: int


class Pointer(Record):
    pass


class Void(Record):
    pass


class Array(Record):
    count: int
    element: Type


class Struct(Record):
    """Literal if it has no name. The elements of a named one are in Module.structs (None there: only declared)."""

    name: str = ""
    elements: tuple[Type, ...] = ()
    packed: bool = False


class Opaque(Record):
    """A type that no instruction of a supported program has: `double`, `<4 x i32>`, `metadata`, `label`, ..."""

    name: str


Type: TypeAlias = Integer | Pointer | Void | Array | Struct | Opaque

# Operands: what an instruction uses, and what a global begins as.


class Register(Record):
    """%name"""

    type: Type
    name: str


class Number(Record):
    type: Type
    value: int  # of an integer type as a signed number (i1: 0 or 1); null is 0 of a pointer type


class Undefined(Record):
    """undef and poison"""

    type: Type


class Zero(Record):
    """zeroinitializer"""

    type: Type


class Aggregate(Record):
    """An array or a structure, element by element."""

    type: Type
    elements: tuple[Operand, ...]


class Text(Record):
    """c"..." """

    type: Type
    data: bytes


class Symbol(Record):
    """@name: the address of a global or a function."""

    type: Type
    name: str


class Label(Record):
    """blockaddress: the address of a block, where a computed goto may lead."""

    type: Type
    function: str
    block: str


class Expression(Record):
    """A constant expression: getelementptr, ptrtoint, inttoptr, trunc, add, sub, xor, ..."""

    opcode: str
    type: Type
    operands: tuple[Operand, ...]
    source: Type | None = None  # getelementptr: the type that the first index counts


class Unsupported(Record):
    """A constant that the program form cannot express, as it is in the text: a floating-point number, ..."""

    type: Type
    text: str


Operand: TypeAlias = Register | Number | Undefined | Zero | Aggregate | Text | Symbol | Label | Expression | Unsupported

# Code.


class Instruction(Record):
    """One instruction; which fields mean something depends on its opcode, which is LLVM's word.

    operands, in the order of the text:
      arithmetic, icmp, select, conversions, insertvalue, extractvalue: as written
      load: (pointer,)  store: (value, pointer)  cmpxchg: (pointer, expected, new)  atomicrmw: (pointer, value)
      getelementptr: (pointer, index, ...)  call, invoke: arguments; `callee` is what is called
      br: () or (condition,)  switch: (value, case, ...)  ret: () or (value,)  phi: values  alloca: (count,)
      indirectbr: (address,)
    labels: br, indirectbr and switch: targets (switch: the default first, then one a case); phi: one a value, where it
      comes from; invoke: normal, unwind
    An instruction that the parser does not know is `unsupported`, and `kind` says why.
    """

    opcode: str
    result: str = ""  # the name of the register that it sets; "" if none
    type: Type = field(default_factory=Void)  # of the result
    operands: tuple[Operand, ...] = ()
    labels: tuple[str, ...] = ()
    callee: Operand | None = None  # Symbol, Register, or Unsupported (inline assembly, by its text)
    fixed: int = -1  # of a call with a variable number of arguments: how many have a parameter; -1 all
    copied: tuple[Type | None, ...] = ()  # of a call: arguments (byval) that point to what is passed
    kind: str = ""  # icmp: predicate; atomicrmw: operation; fence: "singlethread" if of a signal, else "";
    # landingpad: "cleanup" if it takes all exceptions
    source: Type | None = None  # getelementptr, alloca, load: the type in the text
    indices: tuple[int, ...] = ()  # extractvalue, insertvalue
    order: str = ""  # LLVM's word: "" not atomic, "unordered", "monotonic", "acquire", ...
    failure: str = ""  # of a cmpxchg
    volatile: bool = False
    weak: bool = False  # of a cmpxchg
    inbounds: bool = False  # of a getelementptr
    align: int = 0  # of a load or a store, in bytes
    generated: bool = False  # part of a check that the compiler has added
    place: Place | None = None


class Block(Record):
    name: str
    instructions: tuple[Instruction, ...]


class DebugType(Record):
    """What the source says about a type, without typedefs, qualifiers and _Atomic.

    kind: "integer", "boolean", "float", "pointer", "struct", "union", "array", "enum", "function", "other".
    """

    kind: str
    name: str = ""
    size: int = 0  # bytes
    signed: bool = True
    members: tuple[tuple[str, int, int], ...] = ()  # name, offset in bytes, debug type (by number, see Debug)
    element: int = -1  # debug type that a pointer points to, or of an array's elements; -1 unknown
    count: int = 0  # of an array


class Variable(Record):
    """A variable of the source: its name and its type, by number (-1 unknown)."""

    name: str
    type: int = -1
    place: Place | None = None
    address: bool = False  # of a register: it is the variable's address, not its value


class Function(Record):
    name: str
    result: Type
    parameters: tuple[Register, ...]
    variadic: bool = False
    blocks: tuple[Block, ...] = ()  # none: it is only declared
    place: Place | None = None
    title: str = ""  # what the source calls it
    variables: dict[str, Variable] = field(default_factory=dict)  # register (an alloca, a pointer) -> variable
    copied: dict[str, Type] = field(default_factory=dict)  # parameters (byval): a pointer to what is copied at a call
    weak: bool = False  # if nobody defines it, its address is null


class Global(Record):
    name: str
    type: Type
    initial: Operand | None = None  # None: it is only declared
    constant: bool = False
    thread_local: bool = False
    variable: Variable | None = None
    weak: bool = False  # if nobody defines it, its address is null


class Debug(Protocol):
    """The debug information of a module, read on demand."""

    def type(self, number: int) -> DebugType: ...


class Module(Record):
    structs: dict[str, Struct]
    globals: dict[str, Global]
    functions: dict[str, Function]
    debug: Debug
    constructors: tuple[str, ...] = ()  # functions that run before main, in their order
    notes: tuple[str, ...] = ()  # what people should know about how it was made
