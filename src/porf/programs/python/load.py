"""Programs of a Python file: the file is run as a module, and what it leaves is collected and compiled."""

import inspect
import linecache
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any

from porf.errors import PorfError, ProgramError, SpentError, UsageError, nearest
from porf.programs.form import Program
from porf.programs.python.builder import ProgramBuilder


def load_programs(path: str, names: Sequence[str] = (), parameters: Mapping[str, int] | None = None) -> list[Program]:
    """The programs of a file, compiled.

    Without names: the programs that are variables of the module, in the order of their definition; if it has none, what
    its factories make. A *factory* is a function of the module whose result is annotated as `porf.ProgramBuilder`. A
    name may be that of a program, or of any function that makes one. Factories are called with those of the parameters
    that they have; a parameter that none of them has is an error.
    """
    given = dict(parameters or {})
    with imported(path) as module:
        found = [named(path, module, name) for name in names] if names else collected(path, module)
        check_parameters(path, found, given)
        builders = [item if isinstance(item, ProgramBuilder) else made(path, item, given) for item in found]
        return [builder.build() for builder in builders]


@contextmanager
def imported(path: str) -> Iterator[ModuleType]:
    """The module, run. It can import what stands beside it, as a script can."""
    file = Path(path)
    module = ModuleType(f"porf program {file.stem}")
    module.__file__ = path
    try:
        code = compile(file.read_bytes(), path, "exec", dont_inherit=True)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from None
    except SyntaxError as error:
        raise syntax_error(path, error) from None
    except (ValueError, RecursionError, MemoryError) as error:  # null bytes, or nested too deeply
        raise ProgramError(f"not a Python file: {error or 'nested too deeply'}", source=path) from None
    linecache.cache.pop(path, None)  # of an earlier state of the file
    folder = str(file.resolve().parent)
    sys.path.insert(0, folder)
    sys.modules[module.__name__] = module
    try:
        with blamed(path):
            exec(code, vars(module))
        yield module
    finally:
        sys.path.remove(folder)
        del sys.modules[module.__name__]


@contextmanager
def blamed(path: str) -> Iterator[None]:
    """What goes wrong within is shown as an error at a line of this file."""
    try:
        yield
    except (PorfError, KeyboardInterrupt, SpentError):
        raise
    except SyntaxError as error:
        raise syntax_error(error.filename or path, error) from None
    except BaseException as error:
        what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        line = last_line(path, error.__traceback__)
        text = Path(path).read_text(encoding="utf-8", errors="replace").splitlines()[line - 1] if line else None
        column = len(text) - len(text.lstrip()) + 1 if text else None
        width = len(text) - (column or 1) + 1 if text else 1
        raise ProgramError(what, source=path, line=line, column=column, text=text, width=width) from None


def syntax_error(path: str, error: SyntaxError) -> ProgramError:
    text = error.text.rstrip("\n") if error.text else None
    column = error.offset if error.offset and error.offset > 0 else None
    return ProgramError(error.msg, source=path, line=error.lineno, column=column, text=text)


def last_line(path: str, trace: TracebackType | None) -> int | None:
    """The innermost line of the file that was being run."""
    line = None
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == path:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


Found = ProgramBuilder | Callable[..., Any]


def collected(path: str, module: ModuleType) -> list[Found]:
    """The programs of the module, or else its factories."""
    builders = {id(v): v for v in vars(module).values() if isinstance(v, ProgramBuilder)}
    if builders:
        return list(builders.values())
    factories: list[Found] = [v for v in vars(module).values() if is_factory(module, v)]
    if not factories:
        raise ProgramError(
            "the file has no program",
            source=path,
            hint="make one with p = porf.program(\"name\"), or in a function '-> porf.ProgramBuilder'",
        )
    return factories


def is_factory(module: ModuleType, value: object) -> bool:
    """A function of this module whose result is annotated as a program."""
    if not inspect.isfunction(value) or value.__globals__ is not vars(module):
        return False
    annotation = value.__annotations__.get("return")
    if isinstance(annotation, str):
        return annotation.strip("'\"").split(".")[-1] == ProgramBuilder.__name__
    return annotation is ProgramBuilder


def named(path: str, module: ModuleType, name: str) -> Found:
    value = vars(module).get(name)
    if isinstance(value, ProgramBuilder) or inspect.isfunction(value):
        return value
    builders = [v for v in vars(module).values() if isinstance(v, ProgramBuilder)]
    for builder in builders:
        if builder.name == name:
            return builder
    known = [k for k, v in vars(module).items() if isinstance(v, ProgramBuilder) or is_factory(module, v)]
    known += [b.name for b in builders]
    near = nearest(name, known) or (f"the file has {', '.join(dict.fromkeys(known))}" if known else None)
    raise UsageError(f"{path}: no program '{name}'", hint=near)


def check_parameters(path: str, found: Sequence[Found], given: Mapping[str, int]) -> None:
    known = {p for f in found if not isinstance(f, ProgramBuilder) for p in inspect.signature(f).parameters}
    for parameter in given:
        if parameter not in known:
            near = nearest(parameter, known) or (
                f"the parameters are {', '.join(sorted(known))}"
                if known
                else "only functions that make programs have any"
            )
            raise UsageError(f"{path}: no program has a parameter '{parameter}'", hint=near)


def made(path: str, factory: Callable[..., Any], given: Mapping[str, int]) -> ProgramBuilder:
    """What a factory makes with these parameters."""
    parameters = inspect.signature(factory).parameters.values()
    for parameter in parameters:
        if parameter.default is parameter.empty and parameter.name not in given and parameter.kind < 2:
            raise UsageError(
                f"{path}: '{factory.__name__}' needs a value for '{parameter.name}'",
                hint=f"give one with -D {parameter.name}=…, or give the parameter a default",
            )
    with blamed(path):
        result = factory(**{p.name: given[p.name] for p in parameters if p.name in given})
    if not isinstance(result, ProgramBuilder):
        raise ProgramError(
            f"'{factory.__name__}' did not return a program, but {result!r}", source=path, hint="return p"
        )
    return result
