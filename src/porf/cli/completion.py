"""`porf completion`: scripts for bash, zsh and fish, made from the parser."""

import argparse
from collections.abc import Iterator
from typing import NamedTuple

from porf.cli.output import Output
from porf.cli.parser import Parser

DESCRIPTION = """Prints a script that completes verbs, options and file names. For bash, put eval "$(porf completion
bash)" into ~/.bashrc; for zsh, eval "$(porf completion zsh)" into ~/.zshrc after compinit; for fish, run porf
completion fish > ~/.config/fish/completions/porf.fish."""


def add_arguments(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("shell", choices=tuple(_SCRIPTS), metavar="SHELL", help="bash, zsh or fish")


def run(options: argparse.Namespace, out: Output) -> None:
    from porf.cli.command import parser_of

    print(_SCRIPTS[options.shell](list(_words(parser_of()))), end="")


class Word(NamedTuple):
    """Something to complete: after these verbs, or after an option of theirs."""

    path: str  # the verbs before it, separated by spaces
    option: str  # the option whose value it is, if it is one
    text: str
    said: str


def _words(parser: argparse.ArgumentParser, path: str = "") -> Iterator[Word]:
    if isinstance(parser, Parser):
        parser.explain()
    for action in parser._actions:
        said = action.help or ""
        for option in action.option_strings:
            yield Word(path, "", option, said)
        if isinstance(action, argparse._SubParsersAction):
            helps = {choice.dest: choice.help or "" for choice in action._choices_actions}
            for name, verb in action.choices.items():
                yield Word(path, "", name, helps.get(name, ""))
                yield from _words(verb, f"{path} {name}".strip())
        else:
            for choice in action.choices or ():
                for option in action.option_strings or ("",):
                    yield Word(path, option, str(choice), "")
    if path in ("check", "show", "explore", "orders", "robust", "stress"):
        from porf.models import ALL_MODELS

        for name in ALL_MODELS:
            for option in ("--model", "-m"):
                yield Word(path, option, name, "")


def _cases(words: list[Word]) -> dict[str, list[str]]:
    """What may follow, by the verbs and the option before it."""
    out: dict[str, list[str]] = {}
    for word in words:
        out.setdefault(f"{word.path}|{word.option}", []).append(word.text)
    return out


_BASH = """_porf() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} verbs="" words=""
  for at in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    case "$verbs $at" in {verbs}) verbs="${{verbs:+$verbs }}$at";; esac
  done
  case "$verbs|$before" in
{values}
    *) case "$verbs|" in
{options}
    esac;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  [[ ${{#COMPREPLY[@]}} -gt 0 || "$word" == -* ]] || COMPREPLY=($(compgen -f -- "$word"))
}}
complete -o filenames -F _porf porf
"""


def _bash(words: list[Word]) -> str:
    cases = _cases(words)
    paths = sorted({word.path for word in words if word.path})
    verbs = "|".join(f'"{" " if " " not in path else ""}{path}"' for path in paths)
    lines = {key: f'    "{key}") words="{" ".join(found)}";;' for key, found in cases.items()}
    values = "\n".join(line for key, line in lines.items() if not key.endswith("|"))
    options = "\n".join(f"  {line}" for key, line in lines.items() if key.endswith("|"))
    return _BASH.format(verbs=verbs, values=values, options=options)


def _zsh(words: list[Word]) -> str:
    return "autoload -U +X bashcompinit && bashcompinit\n" + _bash(words)


def _fish(words: list[Word]) -> str:
    lines = []
    for word in words:
        verbs = word.path.split()
        seen = "; and ".join(f"__fish_seen_subcommand_from {verb}" for verb in verbs) or "__fish_use_subcommand"
        said = f" -d {_quoted(word.said)}" if word.said else ""
        shown = _fish_option(word.option) + f" -x -a {word.text}" if word.option else _fish_option(word.text)
        lines.append(f"complete -c porf -n {_quoted(seen)}{shown}{said}")
    return "\n".join(lines) + "\n"


def _fish_option(text: str) -> str:
    if text.startswith("--"):
        return f" -l {text[2:]}"
    return f" -s {text[1:]}" if text.startswith("-") else f" -a {text}"


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


_SCRIPTS = {"bash": _bash, "zsh": _zsh, "fish": _fish}
