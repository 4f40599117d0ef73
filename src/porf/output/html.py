"""Results as one page that a browser shows without a network: the answer, why, the execution to step through, and the
source beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files

from porf.errors import UsageError, shown
from porf.result import Exit, Result, View

SUFFIXES = (".html", ".htm")
FEW = 2  # events: with fewer there is nothing to step through


def render(results: Sequence[Result]) -> str:
    folder = files("porf.output")
    style, script = (folder.joinpath(name).read_text(encoding="utf-8") for name in ("page.css", "page.js"))
    title = _text(results[0].headline()) if results else "porf"
    body = "\n".join(_section(result) for result in results)
    return (
        "<!doctype html>\n"
        '<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
        '<header><h1>porf</h1><button id="theme" type="button">dark or light</button></header>\n'
        f"<main>\n{body}\n</main>\n<script>\n{script}</script>\n</body>\n</html>\n"
    )


def _section(result: Result) -> str:
    looks = {Exit.HOLDS: "holds", Exit.FAILS: "fails"}
    look = looks.get(Exit(result.exit_code), "open")
    parts = [f'<h2 class="{look}">{_text(result.headline())}</h2>']
    parts += [_view(view) for view in _views(result)]
    parts.append(f"<details><summary>as text</summary><pre>{_text(result.report())}</pre></details>")
    return f"<section>\n{chr(10).join(parts)}\n</section>"


def _views(result: Result) -> Iterator[View]:
    """What the result shows of executions; its picture, if that is all it has."""
    views = getattr(result, "views", None)
    if views is not None:
        yield from views()
        return
    try:
        yield View("", result.draw())
    except UsageError:
        return


def _view(view: View) -> str:
    relations = list(dict.fromkeys(_attributes(view.svg, "data-relation")))
    steps = len([ref for ref in _attributes(view.svg, "data-ref") if not ref.startswith("-")])
    controls = []
    if steps > FEW:
        controls.append(
            f'<label>step <input type="range" min="0" max="{steps}" value="{steps}"><output>{steps}</output></label>'
        )
    controls += [f'<label><input type="checkbox" value="{name}" checked>{name}</label>' for name in relations]
    parts = [f"<h3>{_text(view.title)}</h3>"] if view.title else []
    if view.words:
        parts.append(f'<ul class="why">{"".join(map(_word, view.words))}</ul>')
    sources = "".join(_source(file, text, view) for file, text in view.sources.items())
    picture = f'<div class="picture" tabindex="0">{view.svg}</div>'
    shown_here = f'<div>{_controls(controls)}{picture}<p class="said" aria-live="polite"></p></div>'
    side = f"<div>{sources}</div>" if sources else ""
    parts.append(f'<div class="view{"" if sources else " alone"}">{shown_here}{side}</div>')
    return "\n".join(parts)


def _controls(controls: Sequence[str]) -> str:
    return f'<div class="controls">{"".join(controls)}</div>' if controls else ""


def _word(word: str) -> str:
    step = ' class="step"' if word.startswith(" ") else ""
    return f"<li{step}>{_text(word.strip())}</li>"


def _source(file: str, text: str, view: View) -> str:
    used = {place for place in view.used if place.startswith(f"{file}:")}
    rows = []
    for number, line in enumerate(text.splitlines(), 1):
        place = f"{file}:{number}"
        mark = f' class="used" data-place="{_text(place)}"' if place in used else ""
        rows.append(f"<li{mark}><span>{number}</span>{_text(line) or ' '}</li>")
    return f'<div class="source" tabindex="0"><h4>{_text(file)}</h4><ol>{"".join(rows)}</ol></div>'


def _attributes(svg: str, name: str) -> list[str]:
    """The values of an attribute in porf's own SVG."""
    import re

    return re.findall(rf'{name}="([^"]*)"', svg)


def _text(text: str) -> str:
    return escape(shown(text))
