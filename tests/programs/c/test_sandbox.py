"""What the compiler may read for a program that is not trusted: its folder and system headers, and nothing else."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import porf
from porf.cli import main
from porf.errors import PorfError, ProgramError, UsageError
from porf.programs.c.compiler import find_compiler
from porf.programs.c.sandbox import sandbox_of

SECRET = "secret_word = 17"
HARMLESS = "int main(void) { return 0; }\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """With a secret beside it, a header in it, and a link to the secret."""
    folder = tmp_path / "program"
    (folder / "sub").mkdir(parents=True)
    (tmp_path / "secret").write_text(SECRET + "\n")
    (folder / "own.h").write_text("#define OWN 4\n")
    (folder / "sub" / "inner.h").write_text("#define INNER 5\n")
    (folder / "leads-out.h").symlink_to(tmp_path / "secret")
    (folder / "leads-in.h").symlink_to(folder / "own.h")
    return folder


def program(folder: Path, text: str, name: str = "main.c") -> str:
    (folder / name).write_text(text)
    return str(folder / name)


def refused(path: str, *arguments: str) -> str:
    with pytest.raises(PorfError) as error:
        porf.load_program(path, arguments=arguments, sandbox=True)
    assert "secret_word" not in str(error.value)
    return str(error.value)


def test_a_program_has_its_own_files_and_the_systems(folder: Path) -> None:
    text = """
#include <assert.h>
#include <stdatomic.h>
#include "own.h"
#include "leads-in.h"
#include "sub/inner.h"
#include <inner.h>
static const unsigned char bytes[] = {
#embed "own.h"
};
int main(void) { assert(OWN == 4 && INNER == 5 && bytes[0] == '#' && N == 3); return 0; }
"""
    path = program(folder, text)
    arguments = ["-DN=3", "-I", str(folder / "sub"), "-std=gnu2x", "-Wall", "-O2"]
    assert porf.explore(porf.load_program(path, arguments=arguments, sandbox=True), "sc").verdict == "safe"


@pytest.mark.parametrize("name", ["../secret", "{outside}/secret", "sub/../../secret", "leads-out.h"])
@pytest.mark.parametrize("how", ['#include "{}"\n', "#include <{}>\n", 'const char bytes[] = {{\n#embed "{}"\n}};\n'])
def test_other_files_are_not_there(folder: Path, name: str, how: str) -> None:
    named = name.format(outside=folder.parent)
    assert (folder / named).is_file()
    assert "is not there" in (said := refused(program(folder, how.format(named) + HARMLESS))) or "not found" in said


@pytest.mark.parametrize("text", ["assert(0);", '__asm__ volatile("syscall");', "*(volatile int *)0 = 1;"])
@pytest.mark.parametrize("name", ["../secret", "{outside}/secret", "/dev/zero", "leads-out.h"])
def test_a_line_of_a_file_that_the_program_only_names_is_not_shown(
    folder: Path, name: str, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    named = name.format(outside=folder.parent)
    source = program(folder, f'#include <assert.h>\n#line 1 "{named}"\nint main(void) {{ {text} return 0; }}\n')
    for arguments in ([source, "--sandbox"], [source]):
        assert main(["explore", *arguments]) in (1, 2)
        said = capsys.readouterr()
        assert Path(named).name in said.out + said.err
        assert "secret_word" not in said.out + said.err and "\n\n    ^" not in said.out + said.err


def test_lines_of_the_programs_own_files_are_shown(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "checks.h").write_text("#include <assert.h>\nstatic inline void check(void) { assert(0); }\n")
    assert main(["explore", program(folder, '#include "checks.h"\nint main(void) { check(); }\n'), "--sandbox"]) == 1
    assert "static inline void check(void) { assert(0); }\n" in capsys.readouterr().out


def test_not_even_that_a_file_exists_is_seen(folder: Path) -> None:
    asks = f'#if __has_include("{folder.parent}/secret")\n#error visible\n#endif\n' + HARMLESS
    path = program(folder, asks)
    with pytest.raises(ProgramError, match="visible"):
        porf.load_program(path)
    porf.load_program(path, sandbox=True)


def test_the_assembler_opens_no_file(folder: Path) -> None:
    assert "assembly" in refused(program(folder, f'__asm__(".include \\"{folder.parent}/secret\\"");\n' + HARMLESS))


def test_a_program_may_not_lead_elsewhere_itself(folder: Path) -> None:
    (folder / "main.c").symlink_to(folder.parent / "secret")
    assert "link" in refused(str(folder / "main.c"))


@pytest.mark.parametrize(
    "arguments",
    [
        ["-fplugin=evil.so"],
        ["-fpass-plugin=evil.so"],
        ["-Xclang", "-load", "-Xclang", "evil.so"],
        ["-load", "evil.so"],
        ["-include", "../secret"],
        ["-include../secret"],
        ["-imacros", "../secret"],
        ["-I", "/"],
        ["-I/"],
        ["-I.."],
        ["-isystem", "../"],
        ["-iquote/etc"],
        ["-o", "made"],
        ["-omade"],
        ["@options"],
        ["-Wp,-include,../secret"],
        ["-Wa,--version"],
        ["-fprofile-use"],
        ["-fmodules"],
        ["-x", "c++"],
        ["--config", "x"],
        ["-B."],
        ["-save-temps"],
        ["-MF", "made"],
        ["-ivfsoverlay", "x"],
        ["--sysroot=/"],
        ["-D"],
        [""],
        ["-"],
    ],
)
def test_arguments_that_could_do_more_are_refused(folder: Path, arguments: list[str]) -> None:
    assert "--sandbox" in refused(program(folder, HARMLESS), *arguments)


def test_sources_of_other_folders_are_refused(folder: Path) -> None:
    path, inner = program(folder, "int f(void);\nint main(void) { return f(); }\n"), "int f(void) { return 0; }\n"
    outer = program(folder.parent, inner, "other.c")
    assert porf.load_program(path, arguments=[program(folder, inner, "sub/f.c")], sandbox=True)
    assert porf.load_program(path, arguments=[outer])
    assert "other.c is not in" in refused(path, outer)


def test_a_database_of_flags_is_not_read(folder: Path) -> None:
    path = program(folder, "#ifdef FLAG\n#error flag\n#endif\n" + HARMLESS)
    known = {"directory": str(folder), "file": "main.c", "arguments": ["cc", "-DFLAG", "-c", "main.c"]}
    (folder / "compile_commands.json").write_text(json.dumps([known]))
    with pytest.raises(ProgramError, match="flag"):
        porf.load_program(path)
    porf.load_program(path, sandbox=True)


def test_what_was_read_without_a_sandbox_is_not_recalled(
    folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (folder.parent / "plain.h").write_text("#define N 1\n")
    path = program(folder, '#include "../plain.h"\n' + HARMLESS)
    for made in (folder.parent / "plain.h", Path(path)):
        os.utime(made, (1, 1))
    porf.load_program(path)
    porf.load_program(path)
    refused(path)


def test_what_the_compiler_has_read_is_compared(folder: Path) -> None:
    path = program(folder, HARMLESS)
    sandbox, compiler = sandbox_of(path), find_compiler()
    sandbox.compare(path, [path, str(folder / "leads-in.h")], compiler)
    for name in ("leads-out.h", "../secret"):
        with pytest.raises(ProgramError, match="not in its folder"):
            sandbox.compare(path, [path, str(folder / name)], compiler)


def test_python_is_refused_and_a_replay_is_sandboxed_too(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = folder / "p.py"
    script.write_text("raise SystemExit(7)\n")
    assert main(["explore", str(script), "--sandbox"]) == 2
    assert "a Python file is run" in capsys.readouterr().err
    path = program(folder, "#include <assert.h>\nint main(void) { assert(0); return 0; }\n")
    assert main(["explore", path, "--sandbox"]) == 1
    assert capsys.readouterr().out.count("--sandbox") == 1
    assert main(["test", path, "--sandbox", "--runs", "1", "--", "-fplugin=x"]) == 2
    with pytest.raises(UsageError):
        porf.load_program(path, arguments=["-fplugin=x"], sandbox=True)


@pytest.mark.parametrize("name", ["-x.c", "@x.c"])
def test_a_name_is_no_option(folder: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    program(folder, HARMLESS, name)
    assert porf.load_program(name)
    assert porf.load_program(name, sandbox=True)
