"""Reports as pages: what they hold, that no input can break out of them, and what they do in a browser."""

from __future__ import annotations

import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest

import porf
from porf.cli import main
from porf.output.html import render
from porf.result import View
from tests.exploration import buggy_programs as buggy

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
ACTIONS = """
<script>
const all = (what) => [...document.querySelectorAll(what)];
const seen = (what) => all(what).filter((each) => !each.classList.contains("hidden")).length;
const told = [seen(".event"), seen(".arrow[data-relation=rf]")];
const box = all("input[type=checkbox]").find((each) => each.value === "rf");
box.click();
told.push(seen(".arrow[data-relation=rf]"));
box.click();
const slider = document.querySelector("input[type=range]");
slider.value = 1;
slider.dispatchEvent(new Event("input"));
told.push(seen(".event[data-ref^='0'], .event[data-ref^='1']"));
slider.value = slider.max;
slider.dispatchEvent(new Event("input"));
all(".source li.used")[0].click();
told.push(seen(".event.chosen"));
document.getElementById("theme").click();
told.push(document.documentElement.dataset.theme);
document.title = told.join(" ");
</script>
"""


class Checked(HTMLParser):
    """Whether elements are closed as they were opened; and which there are."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in ("meta", "input"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def checked(page: str) -> Checked:
    found = Checked()
    found.feed(page)
    assert found.open == []
    return found


def race() -> porf.exploration.found.Exploration:
    return porf.explore(buggy.race_of_read_and_write())


def test_a_bug_is_shown_with_its_source_and_its_reason() -> None:
    page = render([race()])
    found = checked(page)
    assert "would synchronise if the store were release" in page
    places = {attrs["data-place"] for tag, attrs in found.seen if tag == "g" and attrs.get("data-place")}
    used = {attrs["data-place"] for tag, attrs in found.seen if tag == "li" and attrs.get("class") == "used"}
    assert places and places == used
    assert not [attrs for _, attrs in found.seen if any(key in attrs for key in ("src", "href"))]


@pytest.mark.parametrize(
    "call",
    [
        ["check", "examples/histories/iriw.txt", "--model", "sc,ra"],
        ["compare", "ra", "tso"],
        ["prove", "examples/proofs/c11_to_tso.kat"],
        ["models", "--hierarchy"],
        ["explore", "examples/litmus/SB.litmus"],
        ["test", "examples/programs/message_passing.py", "--runs", "100"],
    ],
)
def test_every_verb_writes_pages(call: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main([*call, "-o", str(tmp_path / "out.html")])
    capsys.readouterr()
    checked((tmp_path / "out.html").read_text())


def test_no_name_breaks_out_of_a_page() -> None:
    hostile = '</script><script>alert(1)</script>"><img/src>\u202e'
    execution = porf.Execution.from_events([(hostile, "w", hostile, 1), ("T", "r", hostile, 1)])
    page = render([porf.check(execution, "sc")])
    found = checked(page)
    assert [tag for tag, _ in found.seen].count("script") == 1
    assert "img" not in [tag for tag, _ in found.seen]
    assert "\u202e" not in page


def test_a_result_without_views_shows_its_picture() -> None:
    assert View("", "<svg/>").words == ()
    page = render([porf.check("examples/histories/iriw.txt", "sc")])
    assert "<svg" in page and "data-relation" in page


@pytest.mark.skipif(BROWSER is None, reason="there is no Chromium (Debian's package chromium)")
def test_what_a_page_does_in_a_browser(tmp_path: Path) -> None:
    assert BROWSER is not None
    found = race()
    page = tmp_path / "page.html"
    page.write_text(render([found]).replace("</body>", f"{ACTIONS}</body>"), encoding="utf-8")
    options = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path}", "--dump-dom"]
    done = subprocess.run([BROWSER, *options, page.as_uri()], capture_output=True, text=True, timeout=120)
    title = done.stdout.partition("<title>")[2].partition("</title>")[0]
    events, reads, hidden, first, chosen, theme = title.split()
    execution = found.bugs[0].execution
    initial = sum(1 for row in range(len(execution)) if execution.reads(row) and execution.rf[row] < 0)
    assert int(events) == len(execution) + initial
    assert int(reads) == sum(execution.reads(row) for row in range(len(execution)))
    assert (hidden, first, chosen, theme) == ("0", "1", "1", "dark")
