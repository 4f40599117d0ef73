"""Every kind of bug: what is said of it, where it is, the execution that shows it, and its replay."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

import porf
from porf.cli import main
from porf.exploration import explore
from porf.exploration.report import table
from porf.programs.assemble import Assembler
from porf.programs.form import Opcode, Place, Program, Start
from porf.programs.litmus import read_litmus
from porf.programs.python import fence, relaxed, seq_cst
from tests.exploration import buggy_programs as buggy

FILE = str(Path(buggy.__file__))
EXAMPLES = Path(__file__).parents[2] / "examples"

# program -> kind, what the message says, the threads it names, what the last event or the end of the table says
BUGS = {
    "assertion": ("assertion", "left was first", ["left"], "! assertion fails"),
    "race_of_read_and_write": ("data race", "writer writes data and reader reads it", ["reader", "writer"], "> r data"),
    "race_of_writes": ("data race", "writes data", ["right", "left"], "> w data 2"),
    "race_with_an_atomic": ("data race", "atomic atomically writes x and plain reads it", ["plain", "atomic"], "> r x"),
    "deadlock": ("deadlock", "left waits for b, which right holds", ["left", "right"], "> lock b (waits)"),
    "locked_twice": ("deadlock", "only waits for m, which it holds itself", ["only"], "> lock m (waits)"),
    "uninitialised": ("uninitialised read", "data is read before anything is written", ["reader"], "> r data"),
    "out_of_bounds": ("out of bounds", "a[3] is accessed, but a goes from a[0] to a[2]", ["writer"], "! w a[3]"),
    "before_the_first": ("out of bounds", "a[-1] is accessed", ["reader"], "! r a[-1]"),
    "null_pointer": ("invalid pointer", "the null pointer", ["user"], "! w null"),
    "not_held": ("unlock of a mutex not held", "thief unlocks m without holding it", ["thief"], "! unlock m"),
    "division": ("division by zero", "division by zero", ["divider"], "! division by zero"),
    "endless": ("endless loop", "runner runs forever", ["runner"], "! loops forever"),
}


def program(name: str, **parameters: int) -> porf.ProgramBuilder:
    built = getattr(buggy, name)(**parameters)
    assert isinstance(built, porf.ProgramBuilder)
    return built


def lines_of(name: str) -> set[int]:
    """The lines of a program that end in `# here`."""
    text, first = inspect.getsourcelines(getattr(buggy, name))
    return {first + n for n, line in enumerate(text) if line.rstrip().endswith("# here")}


@pytest.mark.parametrize("name", BUGS)
def test_what_is_said_of_a_bug(name: str) -> None:
    kind, words, threads, fault = BUGS[name]
    found = explore(program(name), "rc20")
    assert found.verdict == "unsafe"
    [bug] = found.bugs
    assert (bug.kind, sorted(thread for thread, _ in bug.where)) == (kind, sorted(threads))
    assert words in bug.message
    assert {place.line for _, place in bug.where if place is not None} == lines_of(name)
    text = found.report()
    for line in lines_of(name):
        shown = Path(FILE).read_text().splitlines()[line - 1].strip()
        assert re.search(rf"buggy_programs.py:{line}:\d+ in .*\n    {re.escape(shown)}\n +\^", text)
    mark, _, cell = fault.partition(" ")
    last = table(bug)[-1]
    assert last.startswith(mark) and cell in last, text


@pytest.mark.parametrize("model", ["sc", "ra", "rc11", "rc20", "relaxed", "tso"])
@pytest.mark.parametrize("name", BUGS)
def test_a_token_replays_its_bug(name: str, model: str) -> None:
    found = explore(program(name), model)
    if not found.bugs:  # some need weak behaviour
        assert name in ("race_of_read_and_write", "uninitialised")
        return
    [bug] = found.bugs
    again = explore(program(name), model, replay=bug.token)
    assert [b.token for b in again.bugs] == [bug.token]
    assert table(again.bugs[0]) == table(bug)
    assert (again.verdict, again.bugs[0].message) == ("unsafe", bug.message)


@pytest.mark.parametrize("name", BUGS)
def test_tracer_finds_and_replays_it_too(name: str) -> None:
    [bug] = explore(program(name), "rc20", strategy="tracer").bugs
    assert bug.kind == BUGS[name][0]
    assert {place.line for _, place in bug.where if place is not None} == lines_of(name)
    [again] = explore(program(name), "rc20", strategy="tracer", replay=bug.token).bugs
    assert (again.token, again.message, table(again)) == (bug.token, bug.message, table(bug))
    with pytest.raises(porf.PorfError, match="does not belong to"):
        explore(program(name), "rc20", replay=bug.token)


def test_all_distinct_bugs_are_collected_and_each_is_replayed_as_itself() -> None:
    found = explore(program("several"), "ra", keep_going=True)
    assert sorted(bug.kind for bug in found.bugs) == ["assertion", "assertion", "data race"]
    assert found.finished
    assert len({bug.token for bug in found.bugs}) == 3
    for bug in found.bugs:
        again = explore(program("several"), "ra", replay=bug.token)
        assert [(b.token, b.message, table(b)) for b in again.bugs] == [(bug.token, bug.message, table(bug))]


def test_without_keep_going_the_first_is_the_end() -> None:
    found = explore(program("several"), "ra")
    assert len(found.bugs) == 1
    assert not found.finished
    assert "--keep-going" in found.report()


@pytest.mark.parametrize("keep_going", [False, True])
def test_several_processes_report_the_same_bugs(keep_going: bool) -> None:
    alone = explore(program("several"), "ra", keep_going=keep_going)
    shared = explore(program("several"), "ra", keep_going=keep_going, jobs=2)
    assert [b.token for b in shared.bugs] == [b.token for b in alone.bugs]
    assert [table(b) for b in shared.bugs] == [table(b) for b in alone.bugs]


def test_a_report_prints_the_command_that_replays_it(capsys: pytest.CaptureFixture[str]) -> None:
    """Parameters and bounds are part of it; and what the file's other programs are does not matter."""
    target = f"{FILE}:parametric"
    assert main(["explore", target, "-m", "ra", "-D", "n=3", "-D", "wanted=5", "--unroll", "9", "--jobs", "2"]) == 1
    out = capsys.readouterr().out
    [command] = re.findall("Again: porf (.*)", out)
    assert "-D n=3 -D wanted=5 --unroll 9" in command
    assert main(command.split()) == 1
    again = capsys.readouterr().out
    shown = out.partition("assertion failed")[2].partition("  Repair:")[0]
    assert shown and shown == again.partition("assertion failed")[2]
    assert main(command.replace("wanted=5", "wanted=6").split()) == 2  # another program
    assert main(command.replace("--unroll 9", "--unroll 8").split()) == 2
    assert main(command.replace(":parametric", "").replace(" -D n=3 -D wanted=5", "").split()) == 2
    assert "does not belong to" in capsys.readouterr().err


def test_a_token_finds_its_program_in_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "two.py").write_text(
        "import porf\n\n\ndef locked(n: int = 1) -> porf.ProgramBuilder:\n    p = porf.program(f'locked({n})')\n"
        "    m = p.mutex('m')\n\n    @p.thread\n    def t():\n        for _ in range(n):\n            m.lock()\n\n"
        "    return p\n\n\ndef twice() -> porf.ProgramBuilder:\n    return locked(2)\n"
    )
    path = str(tmp_path / "two.py")
    assert main(["explore", path, "-m", "sc"]) == 1
    [command] = re.findall("Again: porf (.*)", capsys.readouterr().out)
    assert main(command.split()) == 1
    out = capsys.readouterr().out
    assert "locked(2): unsafe" in out and "locked(1)" not in out


@pytest.mark.parametrize("number", [3, -1, 2**40])
def test_join_of_no_thread(number: int) -> None:
    assembler = Assembler("main")
    assembler.place = Place(5, 1, "made.c")
    assembler.emit(Opcode.JOIN, a=assembler.register(), b=assembler.constant(number))
    found = explore(Program("joins", (), (assembler.template(),), (Start(0),)), "sc")
    [bug] = found.bugs
    assert (bug.kind, bug.message) == ("join of no thread", "what is joined is not a thread")
    assert bug.where == (("main", Place(5, 1, "made.c")),)


LITMUS = """C racy
{{ }}
P0 (int* x, atomic_int* y) {{
  *x = 1;
  atomic_store_explicit(y, 1, {order});
}}
P1 (int* x, atomic_int* y) {{
  int r0 = atomic_load_explicit(y, memory_order_acquire);
  if (r0) {{
    int r1 = *x;
  }}
}}
exists (1:r0=1)
"""


def test_a_race_in_a_litmus_test(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "racy.litmus"
    path.write_text(LITMUS.format(order="memory_order_relaxed"))
    assert main(["explore", str(path), "-m", "rc20"]) == 1
    out = capsys.readouterr().out
    assert "Observation racy Sometimes" in out
    assert "racy.litmus:10:14 in P1\n    int r1 = *x;\n" in out
    assert "racy.litmus:4:3 in P0\n    *x = 1;\n" in out
    path.write_text(LITMUS.format(order="memory_order_release"))
    assert main(["explore", str(path), "-m", "rc20"]) == 0
    assert "race" not in capsys.readouterr().out


FORBIDDEN = """C forbidden
{ }
P0 (atomic_int* x, atomic_int* y) {
  atomic_store_explicit(x, 1, memory_order_release);
  atomic_store_explicit(y, 2, memory_order_release);
}
P1 (atomic_int* x, atomic_int* y) {
  atomic_store_explicit(y, 1, memory_order_release);
  atomic_store_explicit(x, 2, memory_order_release);
}
"""


@pytest.mark.parametrize("condition", ["~exists (x=1 /\\ y=1)", "forall (x=2 \\/ y=2)"])
def test_a_broken_condition_is_shown_by_an_execution(
    condition: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "test.litmus"
    path.write_text(FORBIDDEN + condition)
    assert main(["explore", str(path), "-m", "ra", "-o", str(tmp_path / "bug.svg")]) == 1
    out = capsys.readouterr().out
    assert "forbidden: unsafe under ra: condition" in out
    assert "condition: an execution ends with x=1; y=1;" in out
    assert re.search(r"e4 +r x 1 <- e0\n +e5 +r y 1 <- e2\n", out)
    assert "forbidden: condition" in (tmp_path / "bug.svg").read_text()
    [command] = re.findall("Again: porf (.*)", out)
    assert main(command.split()) == 1
    again = capsys.readouterr().out
    assert "Observation" not in again
    assert again.partition("condition:")[2].strip() == out.partition("condition:")[2].strip()
    assert main(["explore", str(path), "-m", "sc"]) == 0
    assert main(["explore", str(path), "-m", "ra", "--strategy", "tracer"]) == 1


def test_the_state_that_is_shown_is_found_among_many() -> None:
    """The one bad execution of thousands, in whatever step of the search it comes."""
    threads = "".join(f"P{n} (atomic_int* x) {{ int r = atomic_fetch_add(x, 1); }}\n" for n in range(7))
    last_first = " /\\ ".join(f"{n}:r={6 - n}" for n in range(7))
    test = read_litmus(f"C many\n{{ }}\n{threads}~exists ({last_first})\n", "many.litmus")
    found = explore(test, "ra")
    assert found.executions == 5040
    assert found.verdict == "unsafe"
    assert found.observation is not None and found.observation.positive == 1
    [bug] = found.bugs
    assert [cell.split()[2] for cell in bug.execution.words] == [f"{n}->{n + 1}" for n in range(7)]
    assert list(bug.execution.thread_names) == [f"P{n}" for n in range(7)]
    assert [bug.execution.thread_names[t] for t in bug.execution.thread] == [f"P{6 - n}" for n in range(7)]


@pytest.mark.parametrize(
    ("code", "kind", "line"),
    [
        ("assert(0);", "assertion", 4),
        ("int r0 = 1; assert(r0 == 1);\n  int r1 = r0 / (r0 - 1);", "division by zero", 5),
        ("t[3] = 1;", "out of bounds", 4),
        ("int* p = 0;\n  *p = 1;", "invalid pointer", 5),
        ("lock(m);\n  lock(m);", "deadlock", 5),
        ("unlock(m);", "unlock of a mutex not held", 4),
        ("while (1) { }", "endless loop", 4),
    ],
)
def test_bugs_of_litmus_tests(code: str, kind: str, line: int) -> None:
    text = f"C test\n{{ int t[3]; }}\nP0 (int* t, mutex_t* m) {{\n  {code}\n}}\n"
    found = explore(read_litmus(text, "test.litmus"), "rc20")
    [bug] = found.bugs
    assert (bug.kind, [place and place.line for _, place in bug.where]) == (kind, [line])


def test_sc_fences_under_rc20_are_replayed_too() -> None:
    """There the program is not explored as it is written."""
    p = porf.program("fenced")
    x = p.int("x")

    @p.thread
    def left() -> None:
        x.store(1, relaxed)

    @p.thread
    def right() -> None:
        fence(seq_cst)
        assert x.load(relaxed) == 0

    [bug] = explore(p, "rc20").bugs
    assert explore(p, "rc20", replay=bug.token).bugs[0].token == bug.token


def test_an_execution_has_only_what_comes_before_the_bug() -> None:
    p = porf.program("bystander")
    x, y = p.int("x"), p.int("y")

    @p.thread
    def bystander() -> None:
        for _ in range(20):
            y.store(1)

    @p.thread
    def left() -> None:
        x.store(1)

    @p.thread
    def right() -> None:
        assert x.load() == 0

    [bug] = explore(p, "ra").bugs
    assert list(bug.execution.thread_names) == ["left", "right"]
    assert len(bug.execution) == 2


@pytest.mark.parametrize("name", BUGS)
def test_a_bug_is_drawn(name: str, tmp_path: Path) -> None:
    found = explore(program(name), "rc20")
    [bug] = found.bugs
    (tmp_path / "bug.svg").write_text(found.draw())
    root = ElementTree.fromstring((tmp_path / "bug.svg").read_text())
    words = " ".join("".join(text.itertext()) for text in root.iter("{http://www.w3.org/2000/svg}text"))
    assert f"{name}: {bug.kind}" in words
    assert f"under rc20: {bug.message.split()[0]}" in words
    for thread in bug.execution.thread_names:
        assert thread in words
    glowing = [e for e in root.iter("{http://www.w3.org/2000/svg}rect") if e.get("fill-opacity") == "0.28"]
    explained = () if bug.why is None else bug.why.edges
    assert len(glowing) == len({*bug.marked, *(row for a, _, b in explained for row in (a, b))})


def test_the_first_bug_of_several_programs_is_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "bug.svg"
    assert main(["explore", f"{FILE}:division,deadlock", "-m", "sc", "-o", str(picture)]) == 1
    assert "division: division by zero" in picture.read_text()
    picture.unlink()
    assert main(["explore", str(EXAMPLES / "litmus" / "SB.litmus"), "-m", "sc", "-o", str(picture)]) == 0
    assert not picture.exists()


def test_of_a_long_execution_what_matters_is_shown(tmp_path: Path) -> None:
    """One thread's own accesses play no part; of those that two threads make the last ones are shown."""
    p = porf.program("long")
    x = p.int("x")

    @p.thread
    def worker() -> None:
        for i in range(300):
            x.store(i, relaxed)
        assert x.load(relaxed) == 0

    found = explore(p, "ra")
    [bug] = found.bugs
    assert "299 events" in table(bug)[1] and "assertion fails" in table(bug)[-1] and len(table(bug)) == 5
    assert len(bug.record(FILE)["execution"]) == 301
    assert "without what plays no part: 2 of 301 events" in found.draw() and "w x 299" in found.draw()

    @p.thread
    def other() -> None:
        x.store(300, relaxed)
        x.store(301, relaxed)
        assert x.load(relaxed) != 299

    found = explore(p, "ra")
    bug = next(bug for bug in explore(p, "ra", keep_going=True).bugs if bug.where[0][0] == "other")
    lines = table(bug)
    assert len(lines) == 102
    assert "earlier events" in lines[0] and "assertion fails" in lines[-1]
    (tmp_path / "bug.svg").write_text(porf.exploration.picture.draw_bug([bug], "long", "ra", FILE))
    assert f"60 of {len(bug.execution)} events" in (tmp_path / "bug.svg").read_text()


def test_a_record_of_a_program_with_sc_fences_under_rc20() -> None:
    p = porf.program("fenced")
    x = p.int("x")

    @p.thread(args=["a b", "c"])
    def worker(_name: str) -> None:
        fence(seq_cst)
        assert x.fetch_add(1, relaxed) == 0

    [bug] = explore(p, "rc20").bugs
    assert any("(sc-fences)" in line for line in bug.record(FILE)["execution"])
