"""What Python has and threads do not: each construct with what to write in its place."""

import ast

from porf.errors import ProgramError
from porf.programs.python.frame import Frame

_ARRAYS = "shared arrays are made with p.array outside the thread; a thread's own variables are integers"
_DEFINE = "define it outside the thread; helper functions are decorated with @p.function"

CONSTRUCTS: dict[type[ast.AST], tuple[str, str]] = {
    ast.List: ("lists", _ARRAYS),
    ast.Tuple: ("tuples", "unpack them: 'a, b = b, a'"),
    ast.Dict: ("dictionaries", _ARRAYS),
    ast.Set: ("sets", _ARRAYS),
    ast.ListComp: ("list comprehensions", "write a 'for' loop"),
    ast.SetComp: ("set comprehensions", "write a 'for' loop"),
    ast.DictComp: ("dictionary comprehensions", "write a 'for' loop"),
    ast.GeneratorExp: ("generator expressions", "write a 'for' loop"),
    ast.Lambda: ("lambdas", _DEFINE),
    ast.FunctionDef: ("nested functions", _DEFINE),
    ast.AsyncFunctionDef: ("asynchronous functions", "threads are plain functions"),
    ast.ClassDef: ("classes", _DEFINE),
    ast.JoinedStr: ("f-strings", "threads compute with integers only"),
    ast.Starred: ("starred expressions", "write the arguments one by one"),
    ast.Await: ("'await'", "wait with a loop, a mutex or join()"),
    ast.Yield: ("'yield'", "threads are plain functions"),
    ast.YieldFrom: ("'yield from'", "threads are plain functions"),
    ast.Try: ("'try'", "there are no exceptions; branch with 'if'"),
    ast.TryStar: ("'try'", "there are no exceptions; branch with 'if'"),
    ast.Raise: ("'raise'", "report an error with 'assert False, \"message\"'"),
    ast.Match: ("'match'", "branch with 'if' and 'elif'"),
    ast.Delete: ("'del'", "a variable that is no longer used does no harm"),
    ast.Global: ("'global'", "threads share only what p.int, p.array, p.plain and p.mutex declare"),
    ast.Nonlocal: ("'nonlocal'", "threads share only what p.int, p.array, p.plain and p.mutex declare"),
    ast.Import: ("'import'", "import outside the thread"),
    ast.ImportFrom: ("'import'", "import outside the thread"),
    ast.AsyncFor: ("'async for'", "loops are 'while' and 'for … in range(…)'"),
    ast.AsyncWith: ("'async with'", "a mutex is held with 'with m:'"),
    ast.Slice: ("slices", "an index is one number"),
}
OPERATORS: dict[type[ast.operator], tuple[str, str]] = {
    ast.Div: ("'/'", "integers are divided with '//', which rounds down"),
    ast.Pow: ("'**' of numbers that are not constant", "multiply in a loop, or shift with '<<'"),
    ast.MatMult: ("'@'", "threads compute with integers only"),
}


def unsupported(frame: Frame, node: ast.AST) -> ProgramError:
    """The error for a construct that threads cannot have."""
    op = getattr(node, "op", None)
    what, hint = OPERATORS.get(type(op)) or CONSTRUCTS.get(type(node)) or (f"'{ast.unparse(node)}'", None)  # type: ignore[arg-type]
    verb = "are" if what.endswith("s") and not what.startswith("'") else "is"
    return frame.error(node, f"{what} {verb} not supported in threads", hint)
