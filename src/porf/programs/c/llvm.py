"""LLVM, as the library in the package llvmlite: modules that are read, linked, changed by passes and printed.

llvmlite's own Python layer prepares for everything that LLVM can do, which takes longer than a small program needs. So
its library is called here directly, for the little that is done with it.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Iterator
from ctypes import CDLL, POINTER, byref, c_char_p, c_int, c_size_t, c_uint, c_void_p, string_at
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from porf.errors import UsageError

EXTERNAL, AVAILABLE_EXTERNALLY, INTERNAL, DLL_EXPORT = 0, 1, 8, 11  # kinds of linkage
_NAMES = {"darwin": "libllvmlite.dylib", "win32": "llvmlite.dll"}
_TEXT = POINTER(c_char_p)
# Functions of the library: what they return, and what they take.
_FUNCTIONS: dict[str, tuple[Any, ...]] = {
    "AddFunctionAttr": (None, c_void_p, c_uint),
    "ContextCreate": (c_void_p,),
    "ContextDispose": (None, c_void_p),
    "CreateNewModulePassManager": (c_void_p,),
    "CreatePassBuilder": (c_void_p, c_void_p, c_void_p),
    "CreatePipelineTuningOptions": (c_void_p,),
    "CreateTargetMachine": (
        *(c_void_p, c_void_p, c_char_p, c_char_p, c_char_p, c_int, c_char_p, c_char_p),
        *(c_int, c_int, c_char_p),
    ),
    "DisposeFunctionsIter": (None, c_void_p),
    "DisposeGlobalsIter": (None, c_void_p),
    "DisposeModule": (None, c_void_p),
    "DisposeNewModulePassManger": (None, c_void_p),
    "DisposePassBuilder": (None, c_void_p),
    "DisposePipelineTuningOptions": (None, c_void_p),
    "DisposeString": (None, c_void_p),
    "FunctionsIterNext": (c_void_p, c_void_p),
    "GetDataLayout": (None, c_void_p, _TEXT),
    "GetDefaultTargetTriple": (None, _TEXT),
    "GetEnumAttributeKindForName": (c_uint, c_char_p, c_size_t),
    "GetLinkage": (c_int, c_void_p),
    "GetNamedFunction": (c_void_p, c_void_p, c_char_p),
    "GetTarget": (None, c_void_p, _TEXT),
    "GetTargetFromTriple": (c_void_p, c_char_p, _TEXT),
    "GetValueName": (c_char_p, c_void_p),
    "GetVersionInfo": (c_uint,),
    "GlobalsIterNext": (c_void_p, c_void_p),
    "InitializeNativeTarget": (None,),
    "IsDeclaration": (c_int, c_void_p),
    "LinkModules": (c_int, c_void_p, c_void_p, _TEXT),
    "ModuleFunctionsIter": (c_void_p, c_void_p),
    "ModuleGlobalsIter": (c_void_p, c_void_p),
    "ParseAssembly": (c_void_p, c_void_p, c_char_p, _TEXT),
    "ParseBitcode": (c_void_p, c_void_p, c_char_p, c_size_t, _TEXT),
    "PrintModuleToString": (None, c_void_p, _TEXT),
    "PrintValueToString": (None, c_void_p, _TEXT),
    "RunNewModulePassManager": (None, c_void_p, c_void_p, c_void_p),
    "SetDataLayout": (None, c_void_p, c_char_p),
    "SetLinkage": (None, c_void_p, c_int),
    "SetTarget": (None, c_void_p, c_char_p),
    "SetValueName": (None, c_void_p, c_char_p),
    "VerifyModule": (c_int, c_void_p, _TEXT),
    "WriteBitcodeToString": (None, c_void_p, _TEXT, POINTER(c_size_t)),
}


class _Library:
    """The functions of the library by their names, each found when it is first called."""

    def __init__(self, path: str) -> None:
        self._found = CDLL(path)

    def __getattr__(self, name: str) -> Any:
        known = _FUNCTIONS.get(name, (None, c_void_p))  # all that add a pass take its manager
        try:
            function = self._found[f"LLVMPY_{name}"]
        except AttributeError:
            raise UsageError(
                f"this llvmlite has no '{name}'", hint="pip install 'porf[c]' installs one that has"
            ) from None
        function.restype, function.argtypes = known[0], known[1:]
        setattr(self, name, function)
        return function


@cache
def library() -> _Library:
    """Loaded when it is first needed, because that is slow."""
    spec = find_spec("llvmlite")
    for folder in (spec.submodule_search_locations or ()) if spec is not None else ():
        path = Path(folder) / "binding" / _NAMES.get(sys.platform, "libllvmlite.so")
        if path.is_file():
            return _Library(str(path))
    raise UsageError("programs in C need llvmlite", hint="pip install 'porf[c]'")


def version() -> tuple[int, int, int]:
    """Of LLVM."""
    number = library().GetVersionInfo()
    return number >> 16 & 0xFF, number >> 8 & 0xFF, number & 0xFF


class _Text:
    """A text that the library gives: of its own, or to be given back."""

    def __init__(self) -> None:
        self._pointer = c_char_p(None)
        self.place = byref(self._pointer)

    def take(self, owned: bool = True) -> str:
        found = (self._pointer.value or b"").decode("utf-8", "surrogateescape")
        if owned and self._pointer:
            library().DisposeString(self._pointer)
            self._pointer.value = None
        return found


class Context:
    """What modules that are linked share: the names of types. At its end it disposes of the modules that are left, as
    LLVM does; where both are garbage of one cycle, Python may end it first."""

    pointer: int | None = None  # also if a limit ends the work before it has one

    def __init__(self) -> None:
        self.modules: set[int] = set()  # those that are there
        self.pointer = library().ContextCreate()

    def __del__(self) -> None:
        pointer, self.pointer = self.pointer, None
        if pointer is None:
            return
        self.modules.clear()
        if not sys.is_finalizing():
            library().ContextDispose(pointer)


class Global:
    """A function or a variable of a module."""

    __slots__ = ("_library", "pointer")

    def __init__(self, pointer: int) -> None:
        self._library = library()
        self.pointer = pointer

    def __str__(self) -> str:
        text = _Text()
        self._library.PrintValueToString(self.pointer, text.place)
        return text.take()

    @property
    def name(self) -> str:
        name: bytes = self._library.GetValueName(self.pointer)
        return name.decode("utf-8", "surrogateescape")

    def rename(self, name: str) -> None:
        self._library.SetValueName(self.pointer, name.encode("utf-8", "surrogateescape"))

    @property
    def is_declaration(self) -> bool:
        return bool(self._library.IsDeclaration(self.pointer))

    @property
    def linkage(self) -> int:
        kind: int = self._library.GetLinkage(self.pointer)
        return kind

    @linkage.setter
    def linkage(self, kind: int) -> None:
        self._library.SetLinkage(self.pointer, kind)


class Module:
    """From bitcode or from text; LLVM's words are the message of a ValueError if it cannot be read."""

    _pointer: int | None = None  # also if a limit ends the work before it has one

    def __init__(self, code: bytes, context: Context) -> None:
        self._context = context  # it must live as long
        said = _Text()
        if code[:2] == b"BC" or code[:4] == b"\xde\xc0\x17\x0b":
            self._pointer = library().ParseBitcode(context.pointer, code, len(code), said.place)
        elif b"\0" in code:
            raise ValueError("there is a zero byte in the text")  # LLVM would read as far as that
        else:
            self._pointer = library().ParseAssembly(context.pointer, code, said.place)
        if self._pointer is not None:
            context.modules.add(self._pointer)
        error = said.take()
        if error:
            raise ValueError(error)

    def __del__(self) -> None:
        if not sys.is_finalizing():
            self.close()

    def close(self) -> None:
        if (pointer := self._given_up()) is not None:
            library().DisposeModule(pointer)

    def _given_up(self) -> int | None:
        """The pointer, if it still stands for something; from now on it is somebody else's. Whatever ends the call that
        it is given to, nothing is disposed of twice."""
        pointer, self._pointer = self._pointer, None
        if pointer is None or pointer not in self._context.modules:
            return None
        self._context.modules.discard(pointer)
        return pointer

    def __str__(self) -> str:
        text = _Text()
        library().PrintModuleToString(self._pointer, text.place)
        return text.take()

    def bitcode(self) -> bytes:
        pointer, size = c_char_p(None), c_size_t(0)
        library().WriteBitcodeToString(self._pointer, byref(pointer), byref(size))
        found = string_at(pointer, size.value)
        library().DisposeString(pointer)
        return found

    def error(self) -> str:
        """What is wrong with it, by LLVM's own rules; nothing if it is well."""
        said = _Text()
        library().VerifyModule(self._pointer, said.place)
        return said.take()

    @property
    def functions(self) -> Iterator[Global]:
        return self._globals(library().ModuleFunctionsIter, library().FunctionsIterNext, library().DisposeFunctionsIter)

    @property
    def variables(self) -> Iterator[Global]:
        return self._globals(library().ModuleGlobalsIter, library().GlobalsIterNext, library().DisposeGlobalsIter)

    def _globals(self, begin: Any, following: Any, end: Any) -> Iterator[Global]:
        iterator = begin(self._pointer)
        try:
            while pointer := following(iterator):
                yield Global(pointer)
        finally:  # also if nobody wants the rest
            end(iterator)

    def function(self, name: str) -> Global | None:
        pointer = library().GetNamedFunction(self._pointer, name.encode("utf-8", "surrogateescape"))
        return Global(pointer) if pointer else None

    def always_inline(self, names: Iterable[str]) -> None:
        word = b"alwaysinline"
        kind = library().GetEnumAttributeKindForName(word, len(word))
        for name in names:
            if (function := self.function(name)) is not None:
                library().AddFunctionAttr(function.pointer, kind)

    @property
    def machine(self) -> tuple[str, str]:
        """What it is made for: triple and data layout."""
        triple, layout = _Text(), _Text()
        library().GetTarget(self._pointer, triple.place)
        library().GetDataLayout(self._pointer, layout.place)
        return triple.take(owned=False), layout.take(owned=False)

    @machine.setter
    def machine(self, given: tuple[str, str]) -> None:
        library().SetTarget(self._pointer, given[0].encode())
        library().SetDataLayout(self._pointer, given[1].encode())

    def link(self, other: Module) -> None:
        """Adds the other one, which is then no more; a ValueError says why they do not fit."""
        said = _Text()
        failed = library().LinkModules(self._pointer, other._given_up(), said.place)
        error = said.take()
        if failed:
            raise ValueError(error)

    def run(self, passes: Collection[str]) -> None:
        """Runs passes, by the names that the library has for them."""
        manager = library().CreateNewModulePassManager()
        for name in passes:
            getattr(library(), f"module_Add{name}Pass")(manager)
        options = library().CreatePipelineTuningOptions()
        builder = library().CreatePassBuilder(_machine(), options)
        library().RunNewModulePassManager(manager, self._pointer, builder)
        library().DisposePassBuilder(builder)
        library().DisposePipelineTuningOptions(options)
        library().DisposeNewModulePassManger(manager)


@cache
def _machine() -> Any:
    """The machine that passes think of: this one."""
    library().InitializeNativeTarget()
    triple, said = _Text(), _Text()
    library().GetDefaultTargetTriple(triple.place)
    name = triple.take().encode()
    target = library().GetTargetFromTriple(name, said.place)
    return library().CreateTargetMachine(target, name, b"", b"", 2, b"default", b"jitdefault", 0, 0, b"")
