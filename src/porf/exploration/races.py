"""By which happens-before races are judged: the model's, that of the user's file, or that of C++20."""

from porf._core import Check, ExploreSettings, HappensBefore, Order, RelationProgram
from porf.exploration.recognise import HB as NAME
from porf.exploration.recognise import recognise
from porf.models.registry import FOLDER, Model
from porf.programs.form import Opcode, Program
from porf.record import replace

ACCESSES = (Opcode.LOAD, Opcode.STORE)


def defines(model: Model) -> bool:
    """Whether the file of a model, which has no record of its own, says what happens before what."""
    if model.path.parent != FOLDER:
        return recognise(model).defines_hb
    return model.races is None and NAME in model.file.relations and model.file.relations[NAME][0] == "relation"


def set_races(settings: ExploreSettings, model: Model) -> None:
    """A user's file that defines `hb` decides. If events that come later can change what it orders, or if it depends on
    the modification order, races are looked for when an execution has ended."""
    settings.races = HappensBefore.ATOMIC_ORDERS if model.races is None else model.races
    if model.races is not None:
        return
    known = recognise(model).hb
    if known is not None:
        settings.races = known
        return
    if not defines(model):
        return
    from porf.comparison.forward import settled

    file = model.file
    register = file.relations[NAME][1]
    row = [register, Check.IRREFLEXIVE, False, False, True]
    settings.happens_before = RelationProgram(file.compiled.rows(), row)
    node = next(node for node, at in file.registers.items() if at == register)
    settings.late_races = file.compiled.traits[register].uses_mo or not settled(node)


def noted(program: Program, model: Model) -> Program:
    """The program with a note on races, if there can be some and no record says how the model judges them."""
    code = (i for template in program.templates for i in template.code)
    if model.races is not None or not any(i.opcode in ACCESSES and i.order is Order.NA for i in code):
        return program
    how = f"by `{NAME}` of {model.shown_path}"
    if not defines(model):
        how = f"as in C++20: {model.shown_path} defines no `{NAME}`"
    return replace(program, notes=(*program.notes, f"data races are judged {how}"))
