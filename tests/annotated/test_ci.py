"""`porf ci`: annotations are read in every language, what differs is told, and what is wrong has its place."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml

from porf.annotated.annotation import Annotation, annotations_of
from porf.cli import main
from porf.cli.command import parser_of
from tests.cli.calling import refused
from tests.schemas import SARIF, WORKFLOW, wrong

ROOT = Path(__file__).parents[2]
RACE = """#include <pthread.h>
#ifndef N
#define N 1
#endif
int x;
void *f(void *a) { x = 1; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  if (N == 2) x = 2;
  pthread_join(t, 0);
  return 0;
}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    inside = tmp_path / "src" / "deep"
    inside.mkdir(parents=True)
    (tmp_path / "src" / "plain.c").write_text(RACE)
    (tmp_path / "src" / "race.c").write_text(
        f"// porf: model=rc11,sc expect=unsafe:data-race -DN=2\n/* porf: expect=safe -D N=1 */\n{RACE}"
    )
    litmus = (ROOT / "examples" / "litmus" / "MP+relaxed.litmus").read_text().splitlines()
    marks = ["(* porf: model=rc11 expect=sometimes *)", "(* porf: model=sc expect=never *)"]
    (inside / "mp.litmus").write_text("\n".join([litmus[0], *marks, *litmus[1:], ""]))
    lock = (ROOT / "examples" / "programs" / "ticket_lock.py").read_text()
    (inside / "lock.py").write_text(f"# porf: model=ra executions=6\n{lock}")
    hidden = tmp_path / "src" / ".git"
    hidden.mkdir()
    (hidden / "no.c").write_text("// porf: nonsense\n")
    return tmp_path


def read(path: Path, text: str) -> Annotation:
    path.write_text(f"{text}\n")
    [found] = annotations_of(str(path))
    return found


def test_an_annotation_says_how_to_explore(tmp_path: Path) -> None:
    (tmp_path / "b.c").write_text("")
    file = tmp_path / "a.c"
    found = read(
        file,
        "  // porf: model=rc11,sc expect=unsafe:double-free unroll=3 -DA -D B=2 nondet=-1..2 leaks with=b.c allow=x",
    )
    assert found == Annotation(
        str(file),
        1,
        models=("rc11", "sc"),
        expect="unsafe:double-free",
        unroll=3,
        macros=("A", "B=2"),
        nondet=(-1, 2),
        flags=frozenset({"leaks"}),
        parts=(str(tmp_path / "b.c"),),
        allow=("x",),
    )
    assert read(file, "/* porf: seconds=1.5 */").seconds == 1.5
    assert read(file, "# porf:") == read(file, "//porf:") == read(file, "(* porf: *)") == Annotation(str(file), 1)
    for no in ("int x; // porf: model=sc", "// see porf: model=sc", "// porf", 's = "// porf: x"'):
        file.write_text(no)
        assert annotations_of(str(file)) == []


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_what_is_as_expected_is_only_counted(jobs: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ci", "src", "--jobs", jobs]) == 0
    assert capsys.readouterr().out == "6 explorations, 0 not as expected\n"
    assert main(["ci", "src", "--jobs", jobs, "--json"]) == 0
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(Path(r["file"]).name, r["line"], r["model"], r["found"]) for r in records] == [
        ("race.c", 1, "rc11", "unsafe:data-race"),
        ("race.c", 1, "sc", "unsafe:data-race"),
        ("race.c", 2, "cpp20", "safe"),
        ("lock.py", 1, "ra", "safe"),
        ("mp.litmus", 2, "rc11", "sometimes"),
        ("mp.litmus", 3, "sc", "never"),
    ]
    assert all(record["as_expected"] for record in records)


@pytest.mark.parametrize(
    ("said", "code", "found"),
    [
        ("expect=safe -DN=2", 1, "unsafe:data-race"),
        ("expect=unsafe", 1, "safe"),
        ("expect=unsafe:deadlock -DN=2", 1, "unsafe:data-race"),
        ("expect=unsafe -DN=2", 0, ""),
        ("expect=never", 1, "no litmus test"),
        ("executions=7", 1, "executions"),
        ("expect=undecided", 1, "safe"),
    ],
)
def test_what_differs_is_in_the_table(
    said: str,
    code: int,
    found: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("r.c").write_text(f"// porf: {said}\n{RACE}")
    assert main(["ci", "r.c", "--sarif", "o.sarif", "--junit", "o.xml"]) == code
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == f"1 exploration, {code} not as expected"
    document = json.loads(Path("o.sarif").read_text())
    assert wrong(document, SARIF) == []
    assert len(document["runs"][0]["results"]) == code
    if code:
        assert lines[0].split() == ["annotation", "program", "model", "expected", "found"]
        assert lines[1].startswith("r.c:1 ") and found in lines[1]


def test_a_bound_that_is_hit_is_never_as_expected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "examples" / "litmus" / "SB.litmus").read_text().splitlines()
    for said, code in (("limit=1", 3), ("limit=1 expect=sometimes", 3), ("limit=1 expect=undecided", 0)):
        Path("sb.litmus").write_text("\n".join([text[0], f"(* porf: model=rc11 {said} *)", *text[1:], ""]))
        assert main(["ci", ".", "--github"]) == code
        assert ("::warning file=sb.litmus,line=2" in capsys.readouterr().out) == (code == 3)


@pytest.mark.parametrize(
    ("said", "message", "under", "hint"),
    [
        ("modle=rc11", "unknown key 'modle'", "modle", "did you mean 'model'?"),
        ("model=sc,rc12", "unknown model 'rc12'", "rc12", "rc"),
        ("expect=unsafe:data-rac", "'data-rac' is no kind of bug", "data-rac", "did you mean 'data-race'?"),
        ("expect=save", "'save' is nothing to expect", "save", "did you mean 'safe'?"),
        ("expect=safe:deadlock", "'safe' has no kind of bug", "safe:deadlock", "unsafe:data-race"),
        ("unroll=x", "'x' is no number for unroll", "x", "unroll=3"),
        ("unroll=0", "'0' is no number for unroll", "0", "unroll=3"),
        ("model", "'model' needs a value", "model", "model=…"),
        ("leaks=1", "'leaks' takes no value", "leaks=1", "write leaks alone"),
        ("model=sc model=ra", "'model' is there twice", "model", "a line of its own"),
        ("nondet=3..1", "'3..1' is no range of numbers", "3..1", "nondet=0..3"),
        ("volatile=no", "'no' is no kind of volatile access", "no", "plain or relaxed"),
        ("with=none.c", "there is no file 'none.c' beside this one", "none.c", "with="),
        ("program=f", "only a Python file has programs with names", "f", "leave out"),
        ("-D", "-D needs a name", "-D", "-DN=2"),
    ],
)
def test_a_wrong_annotation_has_its_place(
    said: str,
    message: str,
    under: str,
    hint: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    line = f"  // porf: {said}"
    Path("a.c").write_text(f"\n{line}\n{RACE}")
    lines = refused(capsys, "ci", ".").splitlines()
    place = re.fullmatch(r"error: \./a\.c:2:(\d+): (.*)", lines[0])
    assert place is not None and place[2] == message
    assert line[int(place[1]) - 1 :].startswith(under)
    assert lines[1:3] == [f"  {line}", f"  {' ' * (int(place[1]) - 1)}{'^' * len(under)}"]
    assert lines[3].startswith("  hint: ") and hint in lines[3]


@pytest.mark.usefixtures("folder")
def test_other_wrong_input(capsys: pytest.CaptureFixture[str]) -> None:
    assert "no source has an annotation" in refused(capsys, "ci", "src/plain.c")
    assert main(["ci", "src/plain.c", "--if-any"]) == 0
    assert "no such file or directory" in refused(capsys, "ci", "none")
    Path("x.txt").write_text("")
    assert "not a source that can be explored" in refused(capsys, "ci", "x.txt")
    Path("src/broken.c").write_text("// porf: model=sc\nint main(void) { return }\n")
    assert main(["ci", "src"]) == 2
    said = capsys.readouterr()
    assert "broken.c:2:" in said.err and said.out == "6 explorations, 0 not as expected\n"


def test_the_workflow_and_the_hooks_of_the_page_are_what_they_claim() -> None:
    blocks = re.findall(r"```yaml\n(.*?)```", (ROOT / "docs" / "ci.md").read_text(encoding="utf-8"), re.DOTALL)
    workflow, published_hook, local = map(yaml.safe_load, blocks)
    workflow["on"] = workflow.pop(True)  # YAML 1.1 reads the key as a truth value, and GitHub does not
    assert wrong(workflow, WORKFLOW) == []
    [hook] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert published_hook["repos"][0]["hooks"] == [{"id": hook["id"]}]
    [ours] = local["repos"][0]["hooks"]
    assert ours["files"] == hook["files"] and ours["entry"] == hook["entry"]
    calls = [step["run"] for step in workflow["jobs"]["porf"]["steps"] if step.get("run", "").startswith("porf ")]
    for call in (*calls, hook["entry"] + " a.c"):
        assert parser_of(["ci"]).parse_args(call.split()[1:]).targets
