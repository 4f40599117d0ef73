"""Every way to write a history wrongly in text: the message, the line, the caret, and a hint."""

from __future__ import annotations

import pytest

from porf import formats
from porf.errors import FormatError
from porf.formats.stream import Stream

# name: (text, line, what the caret underlines, part of the message)
PARSE = {
    "missing op": ("T0\n", 1, 3, 1, "the operation is missing"),
    "unknown op": ("T0 write x 1\n", 1, 4, 5, "unknown operation 'write'"),
    "unknown letter": ("T0 q x 1\n", 1, 4, 1, "unknown operation 'q'"),
    "missing location": ("T0 w   # x\n", 1, 5, 1, "the location is missing"),
    "missing value": ("T0 w x\n", 1, 7, 1, "the value is missing"),
    "order instead of value": ("T0 w x rel\n", 1, 8, 3, "a value is expected before 'rel'"),
    "key instead of value": ("T0 w x id=a\n", 1, 8, 4, "a value is expected before 'id=a'"),
    "not a number": ("T0 w x 1one\n", 1, 8, 4, "'1one' is not a value"),
    "a fraction": ("T0 w x 1.5\n", 1, 8, 3, "'1.5' is not a value"),
    "a plus": ("T0 w x +1\n", 1, 8, 2, "'+1' is not a value"),
    "a bare minus": ("T0 w x -\n", 1, 8, 1, "'-' is not a value"),
    "a bare 0x": ("T0 w x 0x\n", 1, 8, 2, "'0x' is not a value"),
    "too large": ("T0 w x 18446744073709551616\n", 1, 8, 20, "out of range"),
    "too small": ("T0 w x -9223372036854775809\n", 1, 8, 20, "out of range"),
    "too large in hex": ("T0 w x 0x10000000000000000\n", 1, 8, 19, "out of range"),
    "no time": ("T0 w x 1 time=\n", 1, 10, 5, "'time=' has no value"),
    "not a time": ("T0 w x 1 time=5...7\n", 1, 15, 5, "'5...7' is not a time"),
    "a time in words": ("T0 f time=noon\n", 1, 11, 4, "'noon' is not a time"),
    "only an end": ("T0 f time=..7\n", 1, 11, 3, "'..7' is not a time"),
    "large time": ("T0 f time=9223372036854775808\n", 1, 11, 19, "out of range"),
    "times of too many scales": ("T0 f time=1000000000000000000\nT1 f time=1.001\n", 2, 11, 5, "out of range"),
    "two times": ("T0 f time=1 time=2\n", 1, 13, 6, "the key of 'time=2' was already given"),
    "two of a note": ("T0 f note:a=1 note:b=1 note:a=2\n", 1, 24, 8, "the key of 'note:a=2' was already given"),
    "a note without a key": ("T0 f note:=1\n", 1, 6, 5, "unknown key 'note:'"),
    "an empty note": ("T0 f src=\n", 1, 6, 4, "'src=' has no value"),
    "update without arrow": ("T0 u x 1\n", 1, 8, 1, "an update needs two values, not '1'"),
    "half an arrow": ("T0 u x 1->\n", 1, 8, 3, "both sides of ->"),
    "the other half": ("T0 u x ->1\n", 1, 8, 3, "both sides of ->"),
    "arrow in a read": ("T0 r x 0->1\n", 1, 8, 4, "only an update has two values"),
    "arrow in a write": ("T0 w x 0->1\n", 1, 8, 4, "only an update has two values"),
    "unknown order": ("T0 w x 1 release\n", 1, 10, 7, "unknown order 'release'"),
    "order of a fence": ("T0 f full\n", 1, 6, 4, "unknown order 'full'"),
    "location of a fence": ("T0 f sc x\n", 1, 9, 1, "'x' is one field too many"),
    "second order": ("T0 w x 1 rel sc\n", 1, 14, 2, "a second order 'sc'"),
    "late order": ("T0 w x 1 id=a rel\n", 1, 15, 3, "the order 'rel' comes after the keys"),
    "extra field": ("T0 w x 1 rel 5\n", 1, 14, 1, "'5' is one field too many"),
    "extra after key": ("T0 w x 1 id=a 5\n", 1, 15, 1, "'5' is one field too many"),
    "unknown key": ("T0 w x 1 di=a\n", 1, 10, 2, "unknown key 'di'"),
    "no key": ("T0 w x 1 =a\n", 1, 10, 1, "unknown key '='"),
    "repeated key": ("T0 w x 1 id=a id=b\n", 1, 15, 4, "the key of 'id=b' was already given"),
    "empty key": ("T0 w x 1 id=\n", 1, 10, 3, "'id=' has no value"),
    "id with equals": ("T0 w x 1 id=a=b\n", 1, 13, 3, "'a=b' is not an id"),
    "id with comma": ("T0 w x 1 id=a,b\n", 1, 13, 3, "'a,b' is not an id"),
    "id init": ("T0 w x 1 id=init\n", 1, 13, 4, "no event may be called 'init'"),
    "duplicate id": ("T0 w x 1 id=aé\nT0 w é 2 id=aé\n", 2, 13, 2, "the id 'aé' is already taken"),
    "empty item": ("T0 w x 1 id=a\nT0 w x 2 data=a,,a\n", 2, 17, 1, "an id is missing in this list"),
    "item at the end": ("T0 w x 1 id=a\nT0 w x 2 data=a,\n", 2, 17, 1, "an id is missing in this list"),
    "rf of a write": ("T0 w x 1 rf=init\n", 1, 10, 7, "only a read or an update reads"),
    "rf of a fence": ("T0 f rf=init\n", 1, 6, 7, "only a read or an update reads"),
    "bad thread": ("T=0 w x 1\n", 1, 1, 3, "'T=0' is not a thread name"),
    "bad location": ("T0 w x=y 1\n", 1, 6, 3, "'x=y' is not a location name"),
    "init without location": ("init\n", 1, 5, 1, "init names no location"),
    "init without value": ("init x\n", 1, 7, 1, "init gives no value"),
    "location of all others": ("T0 w * 1\n", 1, 6, 1, "'*' is not a location name"),
    "id of nobody": ("T0 w x 1 id=?\n", 1, 13, 1, "'?' is not an id"),
    "init twice": ("init x 1\n\ninit x 1\n", 3, 6, 1, "'x' already has an initial value"),
    "init with order": ("init x 1 rlx\n", 1, 10, 3, "'rlx' is one field too many"),
    "control character": ("T0 w x\x01 1\n", 1, 7, 1, "a control character"),
    "binary": ("\x00\x01\x02", 1, 1, 1, "a control character"),
    "wide characters count as one": ("Tµ w ε 1 rk\n", 1, 10, 2, "unknown order 'rk'"),
    "after a mark and CRLF": ("\ufeffT0 w x 1\r\nT0 w x 1 rlxx\r\n", 2, 10, 4, "unknown order 'rlxx'"),
}
RESOLVE = {
    "unwritten": ("T0 w x 1\nT1 r x 2 acq\n", 2, 8, 1, "nothing writes 2 to this location"),
    "unwritten here": ("T0 w x 1\nT1 r y 1\n", 2, 8, 1, "nothing writes 1 to this location"),
    "not the initial value": ("init x 7\nT1 r x 0\n", 2, 8, 1, "nothing writes 0 to this location"),
    "unwritten, and open": ("T0 w x 1\nT0 r x 2 rf=?\n", 2, 8, 1, "nothing writes 2 to this location"),
    "two starts": ("init x _\nT0 r x 1\nT0 r x 2\n", 3, 8, 1, "cannot have started with 2"),
    "two starts, one said": ("init * _\nT0 w x 1\nT0 r x 3\nT1 r x 1 rf=init\n", 4, 8, 1, "started with 1"),
    "rf missing": ("T0 w x 1\nT1 r x _\n", 2, 8, 1, "nothing says what is read here"),
    "rf missing in update": ("T0 w x 1\nT1 u x _->2\n", 2, 8, 1, "nothing says what is read here"),
    "rf unknown": ("T0 w x 1 id=abc\nT1 r x 1 rf=abd\n", 2, 13, 3, "no event is called 'abd'"),
    "rf to a read": ("T0 r x 0 id=a\nT1 r x 0 rf=a\n", 2, 13, 1, "'a' (line 1) does not write"),
    "rf to a fence": ("T0 f id=a\nT1 r x 0 rf=a\n", 2, 13, 1, "'a' (line 1) does not write"),
    "rf elsewhere": ("T0 w y 1 id=a\nT1 r x 1 rf=a\n", 2, 13, 1, "'a' (line 1) writes another location"),
    "rf other value": (
        "T0 w x 1 id=a\nT1 r x 2 rf=a\n",
        2,
        8,
        1,
        "this reads 2, but line 1 writes another value",
    ),
    "rf other initial": ("T1 u x 2->3 rf=init\n", 1, 8, 1, "its location starts with another value"),
    "a time that ends early": ("T0 f time=1..2\nT1 f time=7..6.5\n", 2, 11, 6, "ends before it starts"),
    "time runs backwards": ("T0 f time=5..9\nT1 f time=1\nT0 f time=4..10\n", 3, 11, 5, "line 1 of this thread starts"),
    "dependency unknown": ("T0 r x 0 id=ab\nT0 w x 2 data=ab,ac\n", 2, 18, 2, "no event is called 'ac'"),
    "dependency on itself": ("T0 w x 2 id=a ctrl=a\n", 1, 20, 1, "cannot depend on itself"),
    "dependency across": ("T0 r x 0 id=a\nT1 w x 2 addr=a\n", 2, 15, 1, "'a' belongs to another thread"),
    "dependency on later": ("T0 w x 2 addr=a\nT0 w x 3 id=a\n", 1, 15, 1, "'a' comes later in the thread"),
}


@pytest.mark.parametrize("name", [*PARSE, *RESOLVE])
def test_wrong_text(name: str) -> None:
    text, line, column, width, message = {**PARSE, **RESOLVE}[name]
    with pytest.raises(FormatError) as caught:
        formats.loads(text, source="h.txt")
    error = caught.value
    assert message in error.message
    assert (error.source, error.line, error.column, error.width) == ("h.txt", line, column, width)
    assert error.text == text.removeprefix("\ufeff").split("\n")[line - 1].rstrip("\r")
    assert error.hint
    shown = str(error).split("\n")
    assert shown[0].startswith(f"h.txt:{line}:{column}: ")
    assert shown[2] == " " * (column + 1) + "^" * width


@pytest.mark.parametrize("name", sorted(PARSE.keys() - {"times of too many scales"}))  # a stream has no scale
def test_a_stream_says_the_same(name: str) -> None:
    text, line, column, width, message = PARSE[name]
    with pytest.raises(FormatError) as caught:
        list(Stream(text.encode().splitlines(keepends=True)))
    assert message in caught.value.message
    assert (caught.value.line, caught.value.column, caught.value.width) == (line, column, width)


def hint(text: str) -> str:
    with pytest.raises(FormatError) as caught:
        formats.loads(text)
    return caught.value.hint or ""


def test_hints_name_the_way_out() -> None:
    assert "write rf=ID to say which write is read, or rf=? if nobody knows" in hint("T0 w x 0\nT1 r x _\n")
    assert "line 2 shows that it started with another" in hint("init x _\nT0 r x 1\nT0 r x 2\n")
    assert "did you mean 'abc'?" in hint("T0 w x 1 id=abc\nT1 r x 1 rf=abd\n")
    assert "did you mean 'rel'?" in hint("T0 w x 1 release\n")
    assert "did you mean 'acq_rel'?" in hint("T0 u x 0->1 acq-rel\n")
    assert "did you mean 'w'?" in hint("T0 write x 1\n")
    assert "did you mean 'ctrl'?" in hint("T0 w x 1 ctl=a\n")
    assert "line 1 has it" in hint("T0 w x 1 id=a\nT0 w x 2 id=a\n")
    assert "it is on line 2" in hint("T0 w x 2 addr=a\nT0 w x 3 id=a\n")


def test_bad_bytes_are_placed() -> None:
    for data, line, column in (
        (b"T0 w x 1\nT\xc3\xa9 w \xff 1\n", 2, 6),
        (b"# \xe9\n", 1, 3),
        (b"T0 w \xe2\x82", 1, 6),
    ):
        with pytest.raises(FormatError, match="not UTF-8") as caught:
            formats.loads(data)
        assert (caught.value.line, caught.value.column) == (line, column)
    with pytest.raises(FormatError, match="unknown operation"):
        formats.loads(b"T0 q\n\xff\n")


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing\n", "init x 1\n", "\ufeff", "   "])
def test_no_events(text: str) -> None:
    with pytest.raises(FormatError, match="no events"):
        formats.loads(text)


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("T0 f mfnce", 6, "unknown order 'mfnce'"),
        ("T0 f mfence sync", 13, "'sync' is one field too many"),
        ("T0 f X", 6, "unknown order 'X'"),
        ("T0 w x 1 mfence", 10, "unknown order 'mfence'"),
        ("T0 w x 1 rel L", 14, "'L' is one field too many"),
        ("T0 w x 1 L rel", 12, "a second order 'rel'"),
        ("T0 w x 1 id=a L", 15, "'L' is one field too many"),
        ("T0 w x 1 id=a\nT0 w x 2 lxsx=a", 15, "lxsx goes from a load to the store"),
        ("T0 r x 0 id=a\nT1 w x 2 lxsx=a", 15, "belongs to another thread"),
    ],
)
def test_words_of_architectures_in_wrong_places(text: str, column: int, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        formats.loads(text)
    assert message in str(caught.value) and caught.value.column == column


def test_the_nearest_word_is_named() -> None:
    with pytest.raises(FormatError) as caught:
        formats.loads("T0 f mfnce")
    assert caught.value.hint == "did you mean 'mfence'?"
