"""A Python function that was decorated: a thread, or a helper. It is compiled from its source and never run."""

import inspect
from types import FunctionType
from typing import Any, NoReturn

from porf.programs.python.shared import only_in_threads
from porf.programs.python.source import wrong_call


class ThreadFunction:
    """A decorated function. `starts` has the arguments of each thread that runs it from the beginning."""

    def __init__(self, function: object, starts: list[tuple[Any, ...]] | None, numbered: bool = False) -> None:
        if not isinstance(function, FunctionType):
            raise wrong_call(f"{function!r} is not a function", "decorate a function that is written with 'def'")
        if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
            raise wrong_call(f"'{function.__name__}' is asynchronous", "threads are plain functions: write 'def'")
        self.function = function
        self.parameters, self.defaults = parameters_of(function)
        self.starts = starts
        self.numbered = numbered  # several threads without arguments, distinguished by a number
        self.__name__ = function.__name__
        self.__doc__ = function.__doc__

    def __call__(self, *arguments: Any, **keywords: Any) -> NoReturn:
        only_in_threads(f"'{self.__name__}'")

    def join(self) -> int:
        """Waits for the threads that run this function."""
        only_in_threads("join")

    def names(self) -> list[str]:
        """What its threads are called."""
        if self.numbered:
            return [f"{self.__name__}[{n}]" for n in range(len(self.starts or ()))]
        return [self.__name__ + (f"({','.join(map(show, a))})" if a else "") for a in self.starts or ()]


def show(argument: object) -> str:
    """An argument in the name of a thread, which has no blanks."""
    declaration = getattr(argument, "declaration", None)
    text = str(argument) if declaration is None else declaration.label(getattr(argument, "index", 0))
    return "".join(c if c.isprintable() and c not in " #=" else "_" for c in text)


def parameters_of(function: FunctionType) -> tuple[list[str], dict[str, Any]]:
    """The names of the parameters, and the defaults that some have."""
    parameters = inspect.signature(function).parameters.values()
    for parameter in parameters:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise wrong_call(
                f"'{function.__name__}' has a starred parameter '{parameter.name}'", "name the parameters one by one"
            )
    return [p.name for p in parameters], {p.name: p.default for p in parameters if p.default is not p.empty}
