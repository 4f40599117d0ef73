"""From bitcode to LLVM's text, by llvmlite.

Old versions are upgraded, the runtime is linked in, functions are inlined, variables that no other thread can see are
moved to registers, and constants are propagated. No pass merges, reorders or speculates accesses of memory.
"""

from collections.abc import Callable
from typing import Any

from porf.errors import ProgramError, UsageError
from porf.programs.c.dangling import free_pins
from porf.programs.c.indeterminate import Marks, with_constants
from porf.programs.c.inlining import inlinable
from porf.programs.c.library.names import NEVER, PIN

ROOTS = ("main", "user_main")
ROUNDS = 5  # of looking for variables that need not stay in memory


def llvm() -> Any:
    """llvmlite's binding. It is slow to import, so it is imported only when it is needed."""
    try:
        import llvmlite.binding
    except ImportError:
        raise UsageError("programs in C need llvmlite", hint="pip install 'porf[c]'") from None
    return llvmlite.binding


def parse(code: bytes, path: str, context: Any) -> Any:
    """A module of llvmlite, from bitcode or from text. Modules of one context share the names of types."""
    binding = llvm()
    try:
        if code[:2] == b"BC" or code[:4] == b"\xde\xc0\x17\x0b":
            return binding.parse_bitcode(code, context)
        return binding.parse_assembly(code.decode("utf-8", "replace"), context)
    except RuntimeError as error:
        version = ".".join(map(str, binding.llvm_version_info))
        said = str(error).strip().splitlines() or ["no reason given"]
        reason = next((line for line in said if "error:" in line), said[0]).removeprefix("<string>:")
        raise ProgramError(
            f"{path}: LLVM {version} cannot read this: {reason}",
            hint="it may be damaged, or its compiler too new; PORF_CLANG may be an older clang",
        ) from None


def prepared_text(code: bytes, path: str, runtime: Callable[[], bytes | None]) -> str:
    """The text of a module after the passes. `runtime` gives the bitcode of the runtime, or None to leave it out."""
    marks = Marks(str(parse(code, path, llvm().create_context())))
    context = llvm().create_context()
    module = parse(marks.text(ROOTS).encode(), path, context)
    _link(module, runtime, context)
    _internalize(module)
    builder, manager = _passes()
    manager.add_global_dead_code_eliminate_pass()
    manager.run(module, builder)
    for name in inlinable(str(module), ROOTS):
        module.get_function(name).add_function_attribute("alwaysinline")
    builder, manager = _passes()
    manager.add_always_inliner_pass()
    manager.add_global_dead_code_eliminate_pass()
    manager.add_sroa_pass()
    if marks.pins:
        manager.run(module, builder)
        builder, manager = _unpinned(module, marks.pins)
    manager.add_sccp_pass()  # in C++, orders are parameters: of the accesses for all orders, one is left
    manager.add_instruction_namer_pass()
    manager.run(module, builder)
    return with_constants(str(module), marks.constants)


def _unpinned(module: Any, pins: int) -> tuple[Any, Any]:
    """Moves variables to registers whose uses all lie within their lives: each may show the uses of others."""
    left = set(range(pins))
    for _ in range(ROUNDS):
        free = left & free_pins(str(module))
        if not free:
            break
        left -= free
        for number in free:
            module.get_function(f"{PIN}{number}").add_function_attribute("alwaysinline")
        builder, manager = _passes()
        manager.add_always_inliner_pass()
        manager.add_sroa_pass()
        manager.run(module, builder)
    return _passes()


def _passes() -> tuple[Any, Any]:
    binding = llvm()
    binding.initialize_native_target()
    machine = binding.Target.from_default_triple().create_target_machine()
    builder = binding.create_pass_builder(machine, binding.create_pipeline_tuning_options(0))
    return builder, binding.create_new_module_pass_manager()


def _link(module: Any, runtime: Callable[[], bytes | None], context: Any) -> None:
    """Adds the runtime if the module calls something that only the runtime defines."""
    missing = {function.name for function in module.functions if function.is_declaration}
    missing = {name for name in missing if not name.startswith(("llvm.", NEVER))}
    code = runtime() if missing else None
    if code is None:
        return
    library = parse(code, "the runtime of porf", context)
    defined = [function.name for function in library.functions if not function.is_declaration]
    if missing.isdisjoint(defined):
        return
    _put_stand_ins(module, defined)
    own = {function.name for function in module.functions if not function.is_declaration}
    for function in library.functions:
        if not function.is_declaration and function.name in own:
            function.linkage = "available_externally"  # the program's own definition counts
    library.triple, library.data_layout = module.triple, module.data_layout
    try:
        module.link_in(library)
    except RuntimeError as error:
        raise ProgramError(f"the program cannot be linked with the runtime of porf: {error}") from None


def _put_stand_ins(module: Any, defined: list[str]) -> None:
    """The runtime's function f__with__g__or__h takes the place of f in a program that calls g or h."""
    declared = {function.name: function for function in module.functions if function.is_declaration}
    for name in defined:
        replaced, _, triggers = name.partition("__with__")
        if replaced in declared and not declared.keys().isdisjoint(triggers.split("__or__")):
            declared[replaced].name = name


def _internalize(module: Any) -> None:
    """Only main is called from outside, so what the program does not use can be removed."""
    for function in module.functions:
        if not function.is_declaration and function.name not in ROOTS:
            function.linkage = "internal"
