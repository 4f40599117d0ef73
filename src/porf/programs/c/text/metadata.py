"""The numbered lines at the end of LLVM's text, kept as text and parsed on demand. Places come from here."""

import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from porf.programs.c.text.tokens import unescape
from porf.programs.form import Place

_FIELD = re.compile(r'(\w+): ("[^"]*"|!\w*\([^()]*\)|[^,()]+)')
_NUMBER = re.compile(r"!(\d+)")
# By far the most nodes.
_LOCATION = re.compile(
    r"(?:distinct )?!DILocation\(line: (\d+)(?:, column: (\d+))?, scope: !(\d+)(?:, inlinedAt: !(\d+))?[,)]"
)

# Headers with nothing but atomic accesses as functions: what is in them belongs to who calls them.
_ATOMICS = re.compile(
    r"(?:^|/)(?:c?stdatomic(?:\.h)?|impatomic\.h|porf_atomic_functions|atomic(?:_\w+\.h)?|__atomic/\w+\.h)$"
)
# Where the headers of systems and compilers are: reports point to the program's own lines instead.
SYSTEM_FOLDERS = ("/usr/include", "/usr/lib", "/usr/local/include", "/Library/Developer", "/Applications/Xcode.app")


class Metadata:
    """`main` is the path of the program as the user gave it; files in `foreign` folders are not the user's own. Of a
    file that is not `known`, people are shown the name alone: any name can stand in a program."""

    def __init__(
        self, main: str = "", foreign: Sequence[str] = (), known: Callable[[str], bool] = lambda _: True
    ) -> None:
        self._lines: list[str] = []
        self._main = main
        self._main_path = os.path.realpath(main) if main else ""
        self._foreign = tuple(folder.rstrip("/") + "/" for folder in (*SYSTEM_FOLDERS, *foreign))
        self._fields: dict[int, dict[str, str]] = {}
        self._files: dict[int, str] = {}
        self._scopes: dict[int, int] = {}
        self._places: dict[int, Place | None] = {}
        self._known = known
        self._names: dict[str, tuple[str, bool]] = {}  # path -> what people are shown, and whether its lines are not

    def add(self, line: str) -> None:
        """A line `!12 = ...`."""
        if line[1:2].isdigit():
            self._lines.append(line)

    def _text(self, number: int) -> str:
        """What is said of a node. LLVM prints them in their order."""
        head = f"!{number} = "
        if 0 <= number < len(self._lines) and self._lines[number].startswith(head):
            return self._lines[number][len(head) :]
        return next((line[len(head) :] for line in self._lines if line.startswith(head)), "")

    def fields(self, number: int) -> dict[str, str]:
        """The fields of a node, each as its text; `kind` is the node's own word (DILocation, ...)."""
        found = self._fields.get(number)
        if found is None:
            text = self._text(number).removeprefix("distinct ")
            kind, _, rest = text.partition("(")
            found = {name: value.strip() for name, value in _FIELD.findall(rest)}
            found[""] = kind.lstrip("!")
            self._fields[number] = found
        return found

    def elements(self, number: int) -> list[int]:
        """The numbers in a node `!{!1, !2}`."""
        return [int(text) for text in _NUMBER.findall(self._text(number))]

    def name(self, number: int) -> str:
        return string(self.fields(number).get("name", ""))

    def place(self, number: int) -> Place | None:
        """Of a DILocation: the place in the user's own source. Code of a library has the place of the call, and is
        internal if it is more than the atomic access that the call stands for."""
        if number not in self._places:
            self._places[number] = self._place(number)
        return self._places[number]

    def _place(self, number: int) -> Place | None:
        first: Place | None = None
        internal = False
        for _ in range(1000):
            location = _LOCATION.match(self._text(number))
            if location is None:
                break
            line, column, scope, outer = location.groups()
            if line != "0":
                file = self._file_of_scope(int(scope))
                is_foreign = self._is_foreign(file)
                internal |= is_foreign and _ATOMICS.search(file) is None
                name, hidden = self._shown(file)
                found = Place(int(line), max(1, int(column or 1)), name, internal or is_foreign, hidden)
                if not is_foreign:
                    return found
                first = first or found
            if outer is None:
                break
            number = int(outer)
        return first

    def declared(self, number: int) -> Place | None:
        """Of a node that has a file and a line: a variable, a function."""
        fields = self.fields(number)
        line, file = integer(fields.get("line", "0")), reference(fields.get("file", ""))
        if line <= 0 or file < 0:
            return None
        name, hidden = self._shown(self._file(file))
        return Place(line, 1, name, hidden=hidden)

    def _file_of_scope(self, scope: int) -> str:
        found = self._scopes.get(scope, -2)
        if found == -2:
            at = scope
            for _ in range(1000):
                fields = self.fields(at)
                found = reference(fields.get("file", ""))
                at = reference(fields.get("scope", ""))
                if found >= 0 or at < 0:
                    break
            self._scopes[scope] = found
        return self._file(found) if found >= 0 else ""

    def _file(self, number: int) -> str:
        """The whole path of a DIFile."""
        if number not in self._files:
            fields = self.fields(number)
            name = string(fields.get("filename", ""))
            path = Path(string(fields.get("directory", "")), name)
            self._files[number] = os.path.normpath(path) if name else ""
        return self._files[number]

    def _shown(self, path: str) -> tuple[str, bool]:
        found = self._names.get(path)
        if found is None:
            found = self._names[path] = self._near(path), not self._known(path)
        return found

    def _near(self, path: str) -> str:
        if not path or path == self._main_path or os.path.realpath(path) == self._main_path:
            return self._main
        try:
            near = os.path.relpath(path)
        except ValueError:
            return path
        return near if len(near) < len(path) else path

    def _is_foreign(self, path: str) -> bool:
        return path != self._main_path and path.startswith(self._foreign)


def reference(text: str) -> int:
    """The number of `!12`; -1 for anything else."""
    return int(text[1:]) if text[:1] == "!" and text[1:].isdecimal() else -1


def integer(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        return 0


def string(text: str) -> str:
    return unescape(text[1:-1]) if text[:1] == '"' else ""
