"""Which verb takes which kind of file, for the hint when a file is given to another verb."""

from pathlib import Path

from porf.errors import PorfError


def redirected(error: PorfError, verb: str, file: str) -> PorfError:
    """The error of reading a file; where only another verb takes such files, the hint says so."""
    from porf.formats import FORMATS, READ
    from porf.programs.c import SUFFIXES

    histories = tuple(suffix for name in READ for suffix in FORMATS[name].extensions)
    calls = {
        "check": (histories, "a history", f"porf check {file} --model M"),
        "explore": ((*SUFFIXES, ".litmus", ".py"), "a program", f"porf explore {file}"),
        "prove": ((".kat",), "a file of statements", f"porf prove {file}"),
    }
    taken = verb if verb in calls else "explore"  # as other verbs about programs do
    if Path(file).is_file():
        for other, (suffixes, what, call) in calls.items():
            if other != taken and file.lower().endswith(suffixes):
                error.hint = f"this looks like {what}: {call}"
    return error
