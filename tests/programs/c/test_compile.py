"""From a source to bitcode to text: compilers found, errors told, nothing left behind; what is inlined and linked."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from porf.cli import main
from porf.errors import PorfError, ProgramError, UsageError
from porf.programs.c import compiler as compiling
from porf.programs.c import inlining, ir, llvm, read_module, runtime_library
from porf.programs.c.bitcode import Part, Runtime, names_of, parse, part_of, prepared_text
from porf.programs.c.compile import compile_source, run_compiler
from porf.programs.c.compiler import Compiler, find_compiler
from porf.programs.c.llvm import Context
from porf.programs.read import Settings, read_programs

EMPTY = "int main(void) { return 0; }\n"


def written(folder: Path, text: str, name: str = "program.c") -> str:
    path = folder / name
    path.write_text(text)
    return str(path)


def prepared(path: str) -> str:
    return prepared_text(compile_source(path), path, lambda: None)


def program(folder: Path, name: str) -> str:
    path = folder / name
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return str(path)


def test_compilers_are_found_in_their_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PORF_CLANG", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_compiler().zig
    old, plus = program(tmp_path, "clang-14"), program(tmp_path, "clang++-14")
    assert find_compiler() == compiling.Compiler((old,), (plus,))
    newer = program(tmp_path, "clang-16")
    assert find_compiler() == compiling.Compiler((newer,), (newer,))
    plain, plus = program(tmp_path, "clang"), program(tmp_path, "clang++")
    assert find_compiler() == compiling.Compiler((plain,), (plus,))
    monkeypatch.setenv("PORF_CLANG", old)
    assert find_compiler().c == (old,)
    monkeypatch.setenv("PORF_CLANG", str(tmp_path / "nothing"))
    with pytest.raises(UsageError, match="no such program"):
        find_compiler()


def test_without_a_compiler_the_error_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PORF_CLANG", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(compiling, "find_spec", lambda name: None)
    with pytest.raises(UsageError) as caught:
        compile_source(written(tmp_path, EMPTY))
    assert "clang" in caught.value.message and "porf[c]" in (caught.value.hint or "")


@pytest.mark.parametrize("kind", [llvm.Context, llvm.Module])
def test_what_a_limit_has_ended_before_it_began_is_given_up_in_silence(kind: type[llvm.Context | llvm.Module]) -> None:
    kind.__new__(kind).__del__()


def test_without_llvmlite_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(llvm, "find_spec", lambda name: None)
    llvm.library.cache_clear()
    with pytest.raises(UsageError) as caught:
        llvm.library()
    assert "llvmlite" in caught.value.message and "porf[c]" in (caught.value.hint or "")


def test_a_compiler_that_does_not_run_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / "clang"
    broken.write_text("#!/nothing/here\n")
    broken.chmod(0o755)
    monkeypatch.setenv("PORF_CLANG", str(broken))
    with pytest.raises(UsageError, match="clang"):
        compile_source(written(tmp_path, EMPTY))


def test_errors_of_the_source_are_the_compilers_own_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, "int main(void) {\n  return nothing;\n}\n")
    assert main(["explore", path]) == 2
    said = capsys.readouterr().err
    assert f"{path}:2:10: error: use of undeclared identifier 'nothing'" in said and "^~~~~~~" in said
    assert "bug in porf" not in said


@pytest.mark.parametrize("name", ["missing.c", "missing.cpp", "missing.bc", "folder.c"])
def test_paths_that_are_no_files(tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "folder.c").mkdir()
    assert main(["explore", str(tmp_path / name)]) == 2
    assert name in capsys.readouterr().err


def test_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path, EMPTY)
    found = read_module("program.c")
    assert [path.name for path in tmp_path.iterdir()] == ["program.c"]
    place = found.functions["main"].place
    assert place is not None and place.file == "program.c"


def test_arguments_come_last_and_macros_before_them(tmp_path: Path) -> None:
    (tmp_path / "include").mkdir()
    written(tmp_path / "include", "#define M 4\n", "m.h")
    text = '#include <m.h>\n_Static_assert(N == 3 && M == 4 && __PORF__ && __STDC_VERSION__ == V, "");\n' + EMPTY
    path = written(tmp_path, text)
    include = ["-I", str(tmp_path / "include")]
    assert compile_source(path, ["-DN=3", "-DV=201112L", *include])
    assert compile_source(path, ["-DN=3", "-DV=199901L", "-std=c99", *include])
    with pytest.raises(ProgramError, match="does not compile"):
        compile_source(path, ["-DN=2", "-DV=201112L", *include])
    with pytest.raises(ProgramError, match=r"static assertion failed|static_assert"):
        read_programs(path, Settings(["N=5", "V=201112L"], include))


def test_arguments_that_change_the_output_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path, EMPTY)
    with pytest.raises(UsageError, match="made no bitcode"):
        compile_source(path, ["-o", str(tmp_path / "mine.bc")])


def test_optimisation_stays_off(tmp_path: Path) -> None:
    path = written(tmp_path, "int g;\nint main(void) { g = 1; g = 2; return g; }\n")
    text = prepared_text(compile_source(path, ["-O2"]), path, lambda: None)
    assert text.count("store i32 ") == 2


def test_old_programs_compile(tmp_path: Path) -> None:
    compile_source(
        written(tmp_path, "add(a, b) int a; { return a + b + undeclared(3); }\nint main() { return add(1, 2); }\n")
    )


@pytest.mark.parametrize("name", ["a.cc", "a.cpp", "a.cxx", "a.C", "a.c++"])
def test_suffixes_of_c_plus_plus(tmp_path: Path, name: str) -> None:
    path = written(
        tmp_path, "template <class T> T f(T x) { return x; }\nint main() { auto y = f(3); return y; }\n", name
    )
    assert "main" in read_module(path).functions


def test_compiled_files_are_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = written(tmp_path, "int x; static int f(void) { return x; }\nint main(void) { return f(); }\n")
    code = compile_source(source)
    (tmp_path / "program.bc").write_bytes(code)
    (tmp_path / "program.ll").write_text(str(parse(code, source, Context())))
    for name in ("program.bc", "program.ll"):
        functions = read_module(str(tmp_path / name)).functions.values()
        assert [function.name for function in functions if function.blocks] == ["main"]
    assert main(["explore", str(tmp_path / "program.bc"), "--", "-DN=3"]) == 2
    (tmp_path / "program.bc").write_bytes(code[:100])
    (tmp_path / "program.ll").write_text("this is no text of LLVM")
    for name in ("program.bc", "program.ll"):
        with pytest.raises(PorfError, match="cannot read this"):
            read_module(str(tmp_path / name))
    assert "-DN=3" in capsys.readouterr().err


def test_functions_are_inlined_unless_they_call_themselves(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        """static int even(int n); static int odd(int n) { return n ? even(n - 1) : 0; }
static int even(int n) { return n ? odd(n - 1) : 1; }
int loop(int n) { return n ? loop(n - 1) : 0; }
int leaf(int n) { return n + 1; } int middle(int n) { return leaf(n) + leaf(n); }
int many(int n, ...) { return n; } int unused(void) { return 7; } int taken(int n) { return n; }
int (*pointer)(int) = taken;
int main(int c, char **v) { return even(c) + loop(c) + middle(c) + many(1, 2) + pointer(3) + taken(4); }
""",
    )
    left = inlining.definitions(prepared(path))
    assert left.keys() == {"main", "loop", "many", "taken", *({"even", "odd"} & left.keys())}
    assert {"even", "odd"} & left.keys()
    assert "taken" not in left["main"].calls and "leaf" not in left["main"].calls


def test_inlining_stops_before_the_whole_is_too_large() -> None:
    """Each function calls the one before it ten times: a million calls of the first, if all were inlined."""
    text = "define void @f0() {\nbb:\n  ret void\n}\n"
    for level in range(1, 8):
        calls = f"  call void @f{level - 1}()\n" * 10
        text += f"define void @f{level}() {{\nbb:\n{calls}  ret void\n}}\n"
    text += "define i32 @main() {\nbb:\n  call void @f7()\n  ret i32 0\n}\n"
    chosen = inlining.inlinable(inlining.definitions(text), ("main",))
    assert {"f0", "f1", "f2"} < set(chosen) < {f"f{level}" for level in range(8)}
    sizes: dict[str, int] = {}
    for name, found in inlining.definitions(text).items():
        sizes[name] = found.size + sum(sizes[called] for called in found.calls if called in chosen)
    assert sum(size for name, size in sizes.items() if name not in chosen) <= inlining.LIMIT


def test_names_with_quotes_are_the_same_in_calls_and_definitions() -> None:
    text = 'define void @"a b"() {\nbb:\n  call void @"a b"()\n  ret void\n}\n'
    known = inlining.definitions(text)
    assert known["a b"].calls == ["a b"]
    assert inlining.inlinable(known, ()) == []


def test_loads_of_shared_memory_are_not_speculated(tmp_path: Path) -> None:
    """To read `global` before one knows whether to would be a race that the program does not have."""
    path = written(
        tmp_path,
        """#include <pthread.h>
int global;
void *thread(void *unused) { global = 1; return 0; }
int main(int argc, char **argv) {
  pthread_t t;
  pthread_create(&t, 0, thread, 0);
  int local = 3, *p = &global;
  if (argc == 1) p = &local;
  int seen = *p;
  pthread_join(t, 0);
  return seen;
}
""",
    )
    found = read_module(path).functions["main"]
    reading = [
        block
        for block in found.blocks
        if any(
            step.opcode == "load" and step.operands[0] == ir.Symbol(ir.Pointer(), "global")
            for step in block.instructions
        )
    ]
    assert all(len(block.instructions[-1].labels) == 1 for block in reading)
    assert main(["explore", path]) == 0


RUNTIME = "int helped(int *p) { return *p; }\nint own(int n) { return n + 1000; }\nint other(void) { return 5; }\n"


def test_the_runtime_gives_what_the_program_does_not_define(tmp_path: Path) -> None:
    runtime = compile_source(written(tmp_path, RUNTIME, "runtime.c"))
    asked: list[int] = []

    def library() -> Runtime:
        asked.append(1)
        return Runtime(names_of(runtime), lambda wanted, own: part_of(runtime, wanted, own))

    path = written(
        tmp_path,
        "int helped(int *p); int own(int n) { return n; } int x;\nint main(void) { return helped(&x) + own(2); }\n",
    )
    text = prepared_text(compile_source(path), path, library)
    assert "@helped" not in text and "1000" not in text and "other" not in text and "load i32, ptr @x" in text
    path = written(tmp_path, "void extern_only(void); int main(void) { extern_only(); }\n")
    assert "declare void @extern_only" in prepared_text(compile_source(path), path, library)
    asked.clear()
    path = written(tmp_path, EMPTY)
    prepared_text(compile_source(path), path, library)
    assert not asked


def test_the_runtime_is_compiled_once_and_anew_when_it_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, RUNTIME, "runtime.c")
    monkeypatch.setattr(runtime_library, "RUNTIME", Path(path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    compiled: list[str] = []

    def counted(compiler: Compiler, path: str, arguments: Sequence[str]) -> bytes:
        compiled.append(path)
        return run_compiler(compiler, path, arguments)

    monkeypatch.setattr(runtime_library, "run_compiler", counted)

    def part(*wanted: str, own: tuple[str, ...] = ()) -> Part:
        known = runtime_library.runtime(find_compiler())
        assert known is not None and set(known.names) == {"helped", "own", "other"}
        return known.part(wanted, own)

    first = part("own")
    assert first.definitions.keys() == {"own"} and part("own") == first and len(compiled) == 1
    assert part("own", "other").definitions.keys() == {"own", "other"} and len(compiled) == 1
    assert not part("other", own=("own",)).definitions.keys() - {"other", "own"} and len(compiled) == 1
    written(tmp_path, RUNTIME.replace("1000", "2000"), "runtime.c")
    assert part("own") != first and len(compiled) == 2
    monkeypatch.setenv("XDG_CACHE_HOME", os.devnull)  # no folder can be there
    assert part("own").definitions.keys() == {"own"} and len(compiled) == 3
    monkeypatch.setattr(runtime_library, "RUNTIME", tmp_path / "nothing.c")
    assert runtime_library.runtime(find_compiler()) is None


@pytest.mark.parametrize("option", [["--", "-DN=3"], ["--nondet", "0..3"]])
def test_what_is_for_c_is_refused_elsewhere(
    tmp_path: Path, option: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, "C test\n{}\nP0 (atomic_int* x) { }\nexists (x=0)\n", "test.litmus")
    assert main(["explore", path, *option]) == 2
    assert "for programs in C and C++" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["3..1", "a..b", "", "..", "0..99999999999999999999"])
def test_ranges_that_are_none(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["explore", "program.c", "--nondet", text])
    assert caught.value.code == 2 and "not a range" in capsys.readouterr().err


def test_the_command_line_starts_without_llvm() -> None:
    assert importlib.util.find_spec("llvmlite") is not None
    code = (
        "import sys, porf.cli, porf.programs.read; sys.exit('llvmlite' in sys.modules or 'subprocess' in sys.modules)"
    )
    assert os.spawnl(os.P_WAIT, sys.executable, sys.executable, "-c", code) == 0
