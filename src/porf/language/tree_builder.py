"""Lark's parse tree into ours, bottom up and without recursion, so that no nesting is too deep."""

from collections.abc import Callable
from typing import Any

from lark import Token

from porf.language import syntax as s
from porf.record import Record, replace

_BINARY = {"|": "union", "&": "intersection", "\\": "difference", ";": "sequence"}
_POSTFIX = {"PLUS": "plus", "STAR": "star", "OPTIONAL": "optional", "INVERSE": "inverse", "SYMMETRIC": "symmetric"}


class _Tuple(Record):
    """The arguments of an application, on their way to it."""

    place: s.Place
    items: tuple[s.Expression, ...]


class _Block(Record, eq=False):
    statements: tuple[s.Statement, ...]


class _Variant(Record):
    holds: bool


class _Unless(Record):
    constraint: s.Constraint


def _unless(parts: list[Any]) -> s.Constraint | None:
    return next((part.constraint for part in parts if isinstance(part, _Unless)), None)


class Builder:
    """One method per grammar alias; each gets tokens and finished nodes."""

    def __init__(self, source: s.Source) -> None:
        self.source = source

    def build(self, tree: Any) -> s.Tree:
        """`iter_subtrees` hands out children before parents."""
        for node in tree.iter_subtrees():
            method: Callable[[list[Any]], Any] = getattr(self, "on_" + node.data)
            node.children = [child.result if hasattr(child, "result") else child for child in node.children]
            node.result = method(node.children)
        result = tree.result
        assert isinstance(result, s.Tree)
        return result

    def at(self, first: Any, last: Any = None) -> s.Place:
        last = first if last is None else last
        start: Any = first.start_pos if isinstance(first, Token) else first.place.start
        end: Any = last.end_pos if isinstance(last, Token) else last.place.end
        return s.Place(self.source, start, end)

    def on_start(self, parts: list[Any]) -> s.Tree:
        title = None
        parts = [part for part in parts if not (isinstance(part, Token) and part.type == "CATDEP")]
        if parts and isinstance(parts[0], str):
            title, parts = str(parts[0]), parts[1:]
        return s.Tree(self.source, title, tuple(parts))

    def on_header(self, parts: list[Token]) -> str:
        return str(parts[-1]).strip('"')

    def on_include(self, parts: list[Token]) -> s.Include:
        return s.Include(self.at(parts[1]), str(parts[1])[1:-1])

    def on_define(self, parts: list[Any]) -> s.Define:
        bindings = next(part for part in parts if isinstance(part, tuple))
        return s.Define(self.at(parts[0], bindings[-1]), bindings, False)

    def on_define_rec(self, parts: list[Any]) -> s.Define:
        return replace(self.on_define(parts), recursive=True)

    on_define_view, on_define_view_rec = on_define, on_define_rec  # views are for exported code

    def on_bindings(self, parts: list[Any]) -> tuple[s.Binding, ...]:
        return tuple(part for part in parts if isinstance(part, s.Binding))

    def on_bind(self, parts: list[Any]) -> s.Binding:
        return s.Binding(self.at(parts[0], parts[-1]), str(parts[0]), None, parts[-1])

    def on_bind_function(self, parts: list[Any]) -> s.Binding:
        names = tuple(str(part) for part in parts[1:-1] if part.type == "NAME")
        return s.Binding(self.at(parts[0], parts[-1]), str(parts[0]), names, parts[-1])

    def on_qualifier(self, parts: list[Token]) -> str:
        return "flag" if parts[0].type == "FLAG" else "undefined"

    def on_chosen(self, parts: list[Any]) -> s.Chosen:
        return s.Chosen(self.at(parts[0], parts[-1]), str(parts[1]))

    def on_block(self, parts: list[Any]) -> _Block:
        return _Block(tuple(parts))

    def on_procedure(self, parts: list[Any]) -> s.Procedure:
        names = tuple(str(part) for part in parts if isinstance(part, Token) and part.type == "NAME")
        block = next(part for part in parts if isinstance(part, _Block))
        return s.Procedure(self.at(parts[0], parts[-1]), names[0], names[1:], block.statements)

    def on_call(self, parts: list[Any]) -> s.Call:
        argument = parts[2]
        arguments = argument.items if isinstance(argument, _Tuple) else (argument,)
        name = str(parts[3]) if len(parts) > 3 else None
        return s.Call(self.at(parts[0], argument), str(parts[1]), arguments, name)

    def on_forall(self, parts: list[Any]) -> s.Forall:
        return s.Forall(self.at(parts[0], parts[3]))

    def on_enum(self, parts: list[Any]) -> s.Enum:
        tags = tuple(str(part)[1:] for part in parts if isinstance(part, Token) and part.type == "TAG")
        return s.Enum(self.at(parts[0], parts[1]), str(parts[1]), tags)

    def on_tags(self, parts: list[Any]) -> None:
        return None

    # Variants of herd: none is set here.

    def on_variant_name(self, parts: list[Any]) -> _Variant:
        return _Variant(False)

    def on_variant_not(self, parts: list[Any]) -> _Variant:
        return _Variant(not parts[1].holds)

    def on_variant_parens(self, parts: list[Any]) -> _Variant:
        variant: _Variant = parts[1]
        return variant

    def on_variant_and(self, parts: list[Any]) -> _Variant:
        return _Variant(parts[0].holds and parts[2].holds)

    def on_variant_or(self, parts: list[Any]) -> _Variant:
        return _Variant(parts[0].holds or parts[2].holds)

    def on_if_block(self, parts: list[Any]) -> s.Block:
        blocks = [part for part in parts if isinstance(part, _Block)]
        taken = blocks[0] if parts[1].holds else blocks[1] if len(blocks) > 1 else _Block(())
        return s.Block(self.at(parts[0], parts[-1]), taken.statements)

    def on_if_expr(self, parts: list[Any]) -> s.Choice:
        return s.Choice(self.at(parts[0], parts[-1]), parts[3], parts[5], parts[1].holds)

    def on_not_test(self, parts: list[Token]) -> Token:
        return parts[0]

    def on_naming(self, parts: list[Token]) -> Token:
        return parts[1]

    def on_test(self, parts: list[Any]) -> s.Test:
        role = parts[0] if type(parts[0]) is str else "axiom"
        tokens = {part.type: part for part in parts if isinstance(part, Token)}
        expression = next(part for part in parts if not isinstance(part, str))
        name = tokens.get("NAME")
        return s.Test(
            self.at(tokens.get("NOT_TEST", tokens["CHECK"]), expression),
            str(tokens["CHECK"]),
            "NOT_TEST" in tokens,
            expression,
            None if name is None else str(name),
            role,
        )

    def on_other(self, parts: list[Any]) -> s.Other:
        return s.Other(self.at(parts[0]), str(parts[0]))

    def on_declare(self, parts: list[Any]) -> s.Declare:
        names = tuple(str(part) for part in parts[1:] if isinstance(part, Token) and part.type == "NAME")
        return s.Declare(self.at(parts[0]), str(parts[0]), names)

    def on_save_target(self, parts: list[Token]) -> None:
        return None

    on_extra = on_hint = on_save_target

    def on_unless(self, parts: list[Any]) -> _Unless:
        return _Unless(parts[1])

    def on_constraint(self, parts: list[Any]) -> s.Constraint:
        left, sign, right = parts
        relation = "=" if sign.type == "EQUAL" else "<="
        return s.Constraint(self.at(left, right), left, relation, right, sign.type == "AT_MOST_LOOPS")

    def on_claim(self, parts: list[Any]) -> s.Claim:
        kind = "assert" if str(parts[0]) == "check" else str(parts[0])
        return s.Claim(self.at(parts[0], parts[1]), kind, parts[1])

    def on_claim_total(self, parts: list[Any]) -> s.Claim:
        return s.Claim(self.at(parts[0], parts[2]), str(parts[0]), None, parts[2])

    def on_export(self, parts: list[Any]) -> s.Test | s.Other:
        found: s.Test | s.Other = next(part for part in parts if isinstance(part, s.Test | s.Other))
        return replace(found, unless=_unless(parts))

    def on_export_constraint(self, parts: list[Any]) -> s.Test:
        """`r = 0` and `r <= 0` are emptiness, `r <= t` emptiness of the difference, seen on one execution."""
        constraint = next(part for part in parts if isinstance(part, s.Constraint))
        expression: s.Expression = constraint.left
        if not isinstance(constraint.right, s.Empty):
            expression = s.Binary(constraint.place, "difference", constraint.left, constraint.right)
        return s.Test(constraint.place, "empty", False, expression, None, unless=_unless(parts))

    def on_exported_test(self, parts: list[Any]) -> s.Test:
        return s.Test(self.at(parts[0], parts[1]), str(parts[0]), False, parts[1], None)

    def on_exported_other(self, parts: list[Any]) -> s.Other | s.Test:
        if parts[0].type == "COHERENCE":
            return self._coherence(self.at(parts[0], parts[1]), parts[1])
        subject = str(parts[1]) if isinstance(parts[1], Token) else parts[1]
        return s.Other(self.at(parts[0], parts[1]), str(parts[0]), subject)

    def _coherence(self, place: s.Place, order: s.Expression) -> s.Test:
        """No cycle of a happens-before and of communication on one location: irreflexive hb ; (rf | mo | fr)+."""
        rf, mo, fr = (s.Name(place, name) for name in ("rf", "mo", "fr"))
        step = s.Binary(place, "union", s.Binary(place, "union", rf, mo), fr)
        communication = s.Unary(place, "plus", step)
        return s.Test(place, "irreflexive", False, s.Binary(place, "sequence", order, communication), "coherence")

    def on_let_in(self, parts: list[Any]) -> s.LetIn:
        bindings = next(part for part in parts if isinstance(part, tuple))
        return s.LetIn(self.at(parts[0], parts[-1]), bindings, False, parts[-1])

    def on_let_rec_in(self, parts: list[Any]) -> s.LetIn:
        return replace(self.on_let_in(parts), recursive=True)

    def on_try_with(self, parts: list[Any]) -> s.Try:
        return s.Try(self.at(parts[0], parts[3]), parts[1], parts[3])

    def on_binary(self, parts: list[Any]) -> s.Binary:
        left, sign, right = parts
        return s.Binary(self.at(left, right), _BINARY[str(sign)], left, right)

    def on_product(self, parts: list[Any]) -> s.Binary:
        return s.Binary(self.at(parts[0], parts[2]), "product", parts[0], parts[2])

    def on_prefix(self, parts: list[Any]) -> s.Unary:
        operator = "rotations" if parts[0].type == "ROT" else "complement"
        return s.Unary(self.at(parts[0], parts[1]), operator, parts[1])

    def on_postfix(self, parts: list[Any]) -> s.Unary:
        return s.Unary(self.at(parts[0], parts[1]), _POSTFIX[parts[1].type], parts[0])

    def on_name(self, parts: list[Token]) -> s.Name:
        return s.Name(self.at(parts[0]), str(parts[0]))

    def on_apply(self, parts: list[Any]) -> s.Apply:
        name, argument = parts
        arguments = argument.items if isinstance(argument, _Tuple) else (argument,)
        return s.Apply(self.at(name, argument), str(name), arguments)

    def on_tuple(self, parts: list[Any]) -> _Tuple:
        items = tuple(part for part in parts if not isinstance(part, Token))
        return _Tuple(self.at(parts[0], parts[-1]), items)

    def on_empty(self, parts: list[Token]) -> s.Empty:
        return s.Empty(self.at(parts[0], parts[-1]))

    def on_universe(self, parts: list[Token]) -> s.Universe:
        return s.Universe(self.at(parts[0]))

    def on_identity(self, parts: list[Token]) -> s.Name:
        return s.Name(self.at(parts[0], parts[-1]), "id")

    def on_parens(self, parts: list[Any]) -> s.Expression:
        widened: s.Expression = replace(parts[1], place=self.at(parts[0], parts[2]))
        return widened

    def on_brackets(self, parts: list[Any]) -> s.Unary:
        return s.Unary(self.at(parts[0], parts[2]), "test", parts[1])
