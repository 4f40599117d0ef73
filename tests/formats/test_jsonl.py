"""JSON Lines: the fields, what they mean, and where the caret goes when one is wrong."""

from __future__ import annotations

import pytest

from porf import formats
from porf.errors import FormatError
from porf.formats.stream import Stream
from tests.formats.histories import assert_same

SAME = {
    "text": (
        "init z 7\nT0 w x 1 rel id=a\nT0 r y 0 acq id=q\nT1 u y 0->1 acq_rel rf=init\nT1 f sc\n"
        "T1 r x 1 rf=a id=b\nT1 r x 1 data=b ctrl=b\n"
    ),
    "jsonl": (
        '{"init":"z","value":7}\n'
        '{"thread":"T0","op":"w","loc":"x","value":1,"order":"rel","id":"a"}\n\n'
        '{"thread":"T0","op":"read","loc":"y","value":0,"order":"acq","id":"q","rf":null}\n'
        '{"thread":"T1","op":"update","loc":"y","read":0,"write":1,"order":"acq_rel","rf":"init"}\n'
        '{"thread":"T1","op":"fence","order":"sc"}\r\n'
        '{"rf":"a","thread":"T1","op":"r","loc":"x","value":1,"id":"b"}\n'
        '  {"thread":"T1","op":"r","loc":"x","value":1,"data":["b"],"ctrl":["b"],"addr":[]}'
    ),
}


def test_the_two_line_formats_say_the_same() -> None:
    text, jsonl = (formats.loads(data, kind) for kind, data in SAME.items())
    assert_same(text, jsonl)
    assert formats.loads(SAME["jsonl"], format=None).rf.tolist() == text.rf.tolist()
    assert formats.dumps(jsonl, "jsonl").decode().split("\n")[3] == (
        '{"thread":"T1","op":"u","loc":"y","read":0,"write":1,"order":"acq_rel","id":"x"}'.replace(',"id":"x"', "")
    )


W = '{"thread":"T0","op":"w","loc":"x","value":1,"id":"a"}\n'
# name: (text, line, column, width, part of the message)
PARSE = {
    "not JSON": ("{thread}\n", 1, 2, 1, "not JSON"),
    "cut off": (W + '{"thread":"T0"\n', 2, 15, 1, "not JSON"),
    "not an object": (W + "[1]\n", 2, 1, 1, "a line must hold an object"),
    "no thread": (' {"op":"w"}\n', 1, 2, 1, '"thread" is missing'),
    "no op": ('{"thread":"T0"}\n', 1, 1, 1, '"op" is missing'),
    "no location": ('{"thread":"T0","op":"w"}\n', 1, 1, 1, '"loc" is missing'),
    "thread is a number": ('{"thread":0,"op":"w"}\n', 1, 2, 8, '"thread" must be a name'),
    "thread init": ('{"thread":"init","op":"w"}\n', 1, 2, 8, "no thread may be called 'init'"),
    "blank in a name": ('{"thread":"T 0","op":"w"}\n', 1, 2, 8, '"thread" must be a name'),
    "surrogate in a name": ('{"thread":"\\ud800","op":"w"}\n', 1, 2, 8, '"thread" must be a name'),
    "unknown op": ('{"thread":"T0","op":"q"}\n', 1, 16, 4, 'unknown op "q"'),
    "unknown order": ('{"thread":"T0","op":"f","order":7}\n', 1, 25, 7, "unknown order 7"),
    "unknown key": ('{"thread":"op","op":"f","ordre":"sc"}\n', 1, 25, 7, 'unknown key "ordre"'),
    "a key twice": ('{"thread":"T0","thread":"T1","op":"f"}\n', 1, 2, 8, 'the key "thread" is given twice'),
    "value of an update": (
        '{"thread":"T0","op":"u","loc":"x","value":1}\n',
        1,
        35,
        7,
        'an update has no "value"',
    ),
    "rf of a write": ('{"thread":"T0","op":"w","loc":"x","rf":"a"}\n', 1, 35, 4, 'a write has no "rf"'),
    "loc of a fence": ('{"thread":"T0","op":"f","loc":"x"}\n', 1, 25, 5, 'a fence has no "loc"'),
    "value is a float": (
        '{"thread":"T0","op":"w","loc":"x","value":1.0}\n',
        1,
        35,
        7,
        "must be a whole number",
    ),
    "value is a truth": (
        '{"thread":"T0","op":"w","loc":"x","value":true}\n',
        1,
        35,
        7,
        "must be a whole number",
    ),
    "large": ('{"thread":"T0","op":"w","loc":"x","value":18446744073709551616}\n', 1, 35, 7, "out of range"),
    "blanks in a word": ('{"thread":"T0","op":"w","loc":"x","value":"a b"}\n', 1, 35, 7, "this is not a value"),
    "an arrow in a word": ('{"thread":"T0","op":"w","loc":"x","value":"a->b"}\n', 1, 35, 7, "this is not a value"),
    "half a character": ('{"thread":"T0","op":"w","loc":"x","value":"\\ud800"}\n', 1, 35, 7, "this is not a value"),
    "time in words": ('{"thread":"T0","op":"f","time":"noon"}\n', 1, 25, 6, "this is not a time"),
    "time with an exponent": ('{"thread":"T0","op":"f","time":1e3}\n', 1, 25, 6, "this is not a time"),
    "three times": ('{"thread":"T0","op":"f","time":[1,2,3]}\n', 1, 25, 6, "this is not a time"),
    "time without a start": ('{"thread":"T0","op":"f","time":[null,2]}\n', 1, 25, 6, "this is not a time"),
    "large time": ('{"thread":"T0","op":"f","time":9223372036854775808}\n', 1, 25, 6, "out of range"),
    "a number as a note": ('{"thread":"T0","op":"f","src":1}\n', 1, 25, 5, '"src" must be a text'),
    "an empty note": ('{"thread":"T0","op":"f","note:a":""}\n', 1, 25, 8, '"note:a" must be a text'),
    "a note without a key": ('{"thread":"T0","op":"f","note:":"a"}\n', 1, 25, 7, 'unknown key "note:"'),
    "a blank in a key": ('{"thread":"T0","op":"f","note:a b":"a"}\n', 1, 25, 10, '"note:a b" is not a key'),
    "rf is a number": ('{"thread":"T0","op":"r","loc":"x","rf":1}\n', 1, 35, 4, "rf must be a string"),
    "id with comma": ('{"thread":"T0","op":"f","id":"a,b"}\n', 1, 25, 4, "this is not an id"),
    "data is a string": ('{"thread":"T0","op":"f","data":"a"}\n', 1, 25, 6, '"data" must be a list of ids'),
    "duplicate id": (W + W, 2, 45, 4, "the id 'a' is already taken"),
    "init with more": ('{"init":"x","value":1,"op":"w"}\n', 1, 23, 4, '"op" does not belong here'),
    "init without value": ('{"init":"x"}\n', 1, 2, 6, "the initial value is missing"),
    "too deep": ('{"a":' + "[" * 100_000, 1, 1, 1, "not JSON"),
    "too many digits": ('{"a":' + "1" * 10_000 + "}", 1, 1, 1, "not JSON"),
}
R = '{"thread":"T1","op":"r","loc":"x","value":1,"rf":"b"}\n'
RESOLVE = {
    "unwritten": (R.replace(',"rf":"b"', ""), 1, 43, 1, "nothing writes 1 to this location"),
    "rf unknown": (W + R, 2, 50, 3, "no event is called 'b'"),
    "rf value": (W.replace("1", "2") + R.replace('"b"', '"a"'), 2, 43, 1, "line 1 writes another value"),
    "rf missing": (R.replace(',"value":1,"rf":"b"', ""), 1, 1, 1, "nothing says what is read here"),
    "dependency": (W + '{"thread":"T0","op":"f","data":["a", "c"]}\n', 2, 38, 3, "no event is called 'c'"),
    "ends early": ('{"thread":"T0","op":"f","time":[3,2.5]}\n', 1, 32, 7, "ends before it starts"),
    "time runs backwards": (
        '{"thread":"T0","op":"f","time":3}\n{"thread":"T0","op":"f","time":2.5}\n',
        2,
        32,
        3,
        "line 1 of this thread starts later",
    ),
    "init twice": ('{"init":"x","value":1}\n' * 2, 2, 2, 6, "'x' already has an initial value"),
}


@pytest.mark.parametrize("name", [*PARSE, *RESOLVE])
def test_wrong_jsonl(name: str) -> None:
    text, line, column, width, message = {**PARSE, **RESOLVE}[name]
    with pytest.raises(FormatError) as caught:
        formats.loads(text, "jsonl", source="h.jsonl")
    error = caught.value
    assert message in error.message
    assert (error.source, error.line, error.column, error.width) == ("h.jsonl", line, column, width)
    assert error.text == text.split("\n")[line - 1]
    assert str(error).startswith(f"h.jsonl:{line}:{column}: ")


@pytest.mark.parametrize("name", PARSE)
def test_a_stream_says_the_same(name: str) -> None:
    text, line, _, _, message = PARSE[name]
    if not text.lstrip().startswith("{"):
        pytest.skip("a stream that begins so is text")
    with pytest.raises(FormatError) as caught:
        list(Stream(text.splitlines(keepends=True)))
    assert message in caught.value.message
    assert caught.value.line == line


def test_bad_bytes_and_nothing() -> None:
    with pytest.raises(FormatError, match="not UTF-8") as caught:
        formats.loads(W.encode() + b'{"\xff', "jsonl")
    assert (caught.value.line, caught.value.column) == (2, 3)
    for text in ("", "\n \n", '{"init":"x","value":1}\n'):
        with pytest.raises(FormatError, match="no events"):
            formats.loads(text, "jsonl")
