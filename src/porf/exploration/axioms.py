"""A model file as the core's parameter of exploration: its axioms, and how it sees updates."""

from porf._core import ExploreSettings
from porf.comparison.forward import only_forward
from porf.errors import ProgramError
from porf.models.registry import Model
from porf.programs.form import Opcode, Program

_UPDATES = (Opcode.RMW, Opcode.CAS, Opcode.LOCK, Opcode.TRYLOCK)
_OPERATIONS = {**dict.fromkeys(_UPDATES, "updates"), Opcode.FENCE: "fences"}


def set_file(settings: ExploreSettings, model: Model) -> None:
    """Sets the model. The file is compiled once per process.

    `suspect`: nothing says that whatever a thread does next is allowed in some way, so that must be looked at."""
    file = model.file
    settings.file = file.program
    settings.two_events = file.view == "two"
    settings.suspect = not only_forward(file)


def refuse_operations(program: Program, model: Model) -> None:
    """A program may not do what the header of a model file leaves out of `Interprets:`."""
    interprets = model.header.interprets
    for template in program.templates:
        for instruction in template.code:
            word = _OPERATIONS.get(instruction.opcode)
            if word is None or word in interprets:
                continue
            place = instruction.place
            raise ProgramError(
                f"{model.name} does not interpret {word}, and {template.name} has one",
                source=(place.file if place else "") or program.source or program.name,
                line=place.line if place else None,
                column=place.column if place else None,
                hint=f"it is a model of {' and '.join(interprets)}; use a model that covers more",
            )
