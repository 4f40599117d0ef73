"""Loops of threads: `while`, `for` over ranges, and `for` over things that are known, written out one by one."""

import ast
from collections.abc import Callable, Sequence
from typing import TypeGuard

from porf.programs.assemble import Label, Loop
from porf.programs.form import Binary
from porf.programs.python.constants import constant, truth
from porf.programs.python.expressions import branch, held, kept, numbers, value
from porf.programs.python.frame import Around, Assigned, Frame, join
from porf.programs.python.shared import SharedArray
from porf.programs.python.values import Known, Number, Value

Block = Callable[[Frame, Sequence[ast.stmt]], None]
Assign = Callable[[Frame, ast.expr, ast.expr, Value], None]


def while_loop(frame: Frame, node: ast.While, block: Block) -> None:
    known = constant(frame, node.test)
    if known is not None and not truth(frame, node.test, known):
        block(frame, node.orelse)
        return
    loop = frame.asm.loop()
    otherwise = frame.asm.label()
    with frame.asm.statement():
        branch(frame, node.test, otherwise, when=False)
    tested = frame.assigned if known is None else None
    around = iteration(frame, node, block, lambda: frame.asm.again(loop))
    end_iteration(frame, node, loop)
    finish(frame, node, around, otherwise, tested, block)


def iteration(frame: Frame, node: ast.While | ast.For, block: Block, again: Callable[[], None]) -> Around:
    """The body of a loop; `again` is what `continue` does."""
    around = Around(frame.asm.label(), again, len(frame.locks))
    frame.loops.append(around)
    block(frame, node.body)
    frame.loops.pop()
    return around


def end_iteration(frame: Frame, node: ast.stmt, loop: Loop) -> None:
    if frame.assigned is not None:
        frame.at(node)
        frame.asm.again(loop)


def finish(
    frame: Frame, node: ast.While | ast.For, around: Around, otherwise: Label, ended: Assigned, block: Block
) -> None:
    """The loop is over, by itself (then its `else` follows) or by `break`."""
    frame.asm.put(otherwise)
    frame.assigned = ended
    block(frame, node.orelse)
    frame.asm.put(around.leave)
    frame.assigned = join([frame.assigned, *around.left])


def leave(frame: Frame) -> None:
    """`break`."""
    around = frame.loops[-1]
    around.left.append(frame.assigned)
    frame.unlock(around.locks)
    frame.asm.jump(around.leave)
    frame.assigned = None


def proceed(frame: Frame) -> None:
    """`continue`."""
    around = frame.loops[-1]
    around.proceeded.append(frame.assigned)
    frame.unlock(around.locks)
    around.proceed()
    frame.assigned = None


def for_loop(frame: Frame, node: ast.For, block: Block, assign: Assign) -> None:
    iterated, backwards = node.iter, False
    if is_call(iterated, "reversed", frame) and is_call(iterated.args[0], "range", frame):
        iterated, backwards = iterated.args[0], True
    if is_call(iterated, "range", frame):
        range_loop(frame, node, iterated, backwards, block, assign)
    else:
        written_out(frame, node, items(frame, node.iter), block, assign)


def is_call(node: ast.expr, name: str, frame: Frame) -> TypeGuard[ast.Call]:
    """Whether this calls the function of Python with that name."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == name
        and not frame.is_local(name)
        and bool(node.args)
    )


def range_loop(frame: Frame, node: ast.For, call: ast.Call, backwards: bool, block: Block, assign: Assign) -> None:
    """A counter of its own goes up or down, so that the body may set the variable, as in Python."""
    if call.keywords or not 1 <= len(call.args) <= 3:
        raise frame.error(call, f"'range' takes 1 to 3 arguments, not {len(call.args) + len(call.keywords)}")
    step, known = step_of(frame, call), known_range(frame, call)
    if backwards:
        if known is None:
            raise frame.error(call, "a reversed range needs constant bounds", "count down: range(n - 1, -1, -1)")
        reverse = known[::-1]
        start, stop, step = frame.asm.constant(reverse.start), frame.asm.constant(reverse.stop), reverse.step
    else:
        bounds = [kept(frame, operand) for operand in numbers(frame, call.args[:2])]
        start, stop = (frame.asm.constant(0), *bounds)[-2:]
    counter, ended = frame.asm.result(), frame.asm.label()
    frame.at(node)
    frame.asm.copy(counter, start)
    before = frame.assigned
    loop = frame.asm.loop()
    with frame.asm.statement():
        within = frame.asm.binary(Binary.LT if step > 0 else Binary.GT, counter, stop)
        frame.asm.jump_unless(within, ended)
    if frame.is_read(node.target):
        assign(frame, node.target, node.target, Number(counter))
    frame.asm.binary(Binary.ADD, counter, frame.asm.constant(step), into=counter)
    around = iteration(frame, node, block, lambda: frame.asm.again(loop))
    if known:  # then what every iteration sets is set
        before = join([frame.assigned, *around.proceeded])
    end_iteration(frame, node, loop)
    finish(frame, node, around, ended, before, block)


def known_range(frame: Frame, call: ast.Call) -> range | None:
    known = [constant(frame, a) for a in call.args[:2]]
    ends = [k.integer for k in known if k is not None and k.integer is not None]
    if len(ends) < len(known):
        return None
    start, stop = (0, *ends)[-2:]
    return range(start, stop, step_of(frame, call))


def step_of(frame: Frame, call: ast.Call) -> int:
    if len(call.args) < 3:
        return 1
    known = constant(frame, call.args[2])
    step = known.integer if known is not None else None
    if not step:
        raise frame.error(call.args[2], "the step of a range is a constant other than 0")
    return step


def items(frame: Frame, node: ast.expr) -> list[Value]:
    """What a loop goes over that is known when the program is compiled."""
    if isinstance(node, ast.Tuple | ast.List):
        return [held(frame, value(frame, e)) for e in node.elts]
    known = constant(frame, node)
    if known is not None and isinstance(known.value, tuple | list | range | SharedArray):
        return [Known(v) for v in known.value]
    raise frame.error(
        node, f"'{ast.unparse(node)}' cannot be looped over", "loop over range(…), a tuple, or a shared array"
    )


def written_out(frame: Frame, node: ast.For, values: Sequence[Value], block: Block, assign: Assign) -> None:
    """Each iteration is compiled by itself."""
    end = frame.asm.label()
    left: list[Assigned] = []
    for single in values:
        if frame.assigned is None:
            break
        onward = frame.asm.label()
        assign(frame, node.target, node.iter, single)
        around = Around(end, lambda label=onward: frame.asm.jump(label), len(frame.locks))  # type: ignore[misc]
        frame.loops.append(around)
        block(frame, node.body)
        frame.loops.pop()
        frame.asm.put(onward)
        left += around.left
        frame.assigned = join([frame.assigned, *around.proceeded])
    block(frame, node.orelse)
    frame.asm.put(end)
    frame.assigned = join([frame.assigned, *left])
