"""What histories say beside their graph: values as they were given, times, and notes."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porf
from porf import _core, formats
from porf.errors import FormatError
from porf.execution import Execution
from porf.formats.stream import Stream
from porf.said import Hex, natural_order

LOG = """\
init y 0x00ff
T0 w x 0xDEADBEEF time=1.5..2 src=main.c:12
T1 r x 3735928559 time=1.75..3 src=main.c:30 note:core=3
T1 w x 18446744073709551615 time=4
T2 r x 0xffffffffffffffff time=5.. note:why=100%25%20sure
T2 u y 255->on
T0 r y on
T0 w z "3fa9"
T1 r z "3fa9"
"""


def written(execution: Execution, kind: str) -> str:
    return formats.dumps(execution, kind).decode()


def test_values_are_kept_as_they_were_given() -> None:
    execution = formats.loads(LOG)
    assert execution.rf.tolist() == [-1, 0, -1, 2, -1, 4, -1, 6]
    said = LOG.replace("0xDEADBEEF time=1.5..2", "0xDEADBEEF time=1.50..2.00").replace("1.75..3 ", "1.75..3.00 ")
    assert written(execution, "text") == said.replace("time=4", "time=4.00").replace("time=5..", "time=5.00..")
    assert [str(event.value) for event in execution][:3] == ["0xDEADBEEF", "3735928559", "18446744073709551615"]
    assert execution[3].read == 2**64 - 1 and execution[5].read == "on"


def test_json_has_numbers_and_strings() -> None:
    lines = written(formats.loads(LOG), "jsonl").splitlines()
    assert lines[0] == '{"init":"y","value":"0x00ff"}'
    assert '"value":"0xDEADBEEF","time":[1.50,2.00],"src":"main.c:12"' in lines[1]
    assert '"value":18446744073709551615,"time":4.00' in lines[3]
    assert '"value":"0xffffffffffffffff","time":[5.00,null],"note:why":"100% sure"' in lines[4]
    assert '"read":255,"write":"on"' in lines[5]
    assert '"value":"3fa9"' in lines[7]


@pytest.mark.parametrize("kind", formats.BOTH)
def test_all_of_it_survives(kind: str) -> None:
    execution = formats.loads(LOG)
    again = formats.loads(formats.dumps(execution, kind), kind)
    assert written(again, "text") == written(execution, "text")


@given(st.integers(-(2**63), 2**64 - 1), st.integers(1, 20), st.booleans(), st.booleans())
def test_hex_and_decimal_are_the_same_value(number: int, digits: int, large: bool, x: bool) -> None:
    style = digits | (0x80 if large and any(c in "abcdef" for c in f"{abs(number):x}") else 0) | (0x40 if x else 0)
    spelled = str(Hex(number, style))
    assert int(spelled, 16) == number
    execution = formats.loads(
        f"T0 w x {spelled} id=a\nT1 r x {number} rf=a\nT2 w x {number + 1 if number < 2**63 else 0}"
    )
    assert [str(event.value) for event in execution][:2] == [spelled, str(number)]
    assert execution[1].read == number


@pytest.mark.parametrize("word", ["on", "T0", "é", '"', '"1"', "a-", ">b", "x:y", "init", "A"])
def test_words_are_values(word: str) -> None:
    execution = formats.loads(f"T0 w x {word}\nT1 r x {word}\nT2 w x {word}2\nT3 u x {word}2->{word}3")
    assert execution.rf.tolist() == [-1, 0, -1, 2]
    assert written(execution, "text").splitlines()[3] == f"T3 u x {word}2->{word}3"


@pytest.mark.parametrize("word", ["rel", "_", "3fa9", "-", "1.5"])
def test_words_that_look_like_something_else_are_quoted(word: str) -> None:
    execution = formats.loads(f'{{"thread":"T0","op":"w","loc":"x","value":"{word}"}}', "jsonl")
    assert execution.describe(0) == f'w x "{word}"'
    assert f'"value":"{word}"' in written(formats.loads(written(execution, "text")), "jsonl")


def test_an_error_about_values_shows_them_as_given() -> None:
    with pytest.raises(FormatError, match="nothing writes 0xBEEF to this location"):
        formats.loads("T0 w x 0xBEE\nT1 r x 0xBEEF")
    data = formats.dumps(formats.loads("T0 w x on\nT1 r x on"), "npz")
    wrong = formats.loads(data, "npz")
    assert wrong.written_value is not None
    wrong.written_value[0] = 5
    with pytest.raises(FormatError, match=r"read_value\[1\] = on but the write it reads from writes 5"):
        formats.loads(formats.dumps(wrong, "npz"), "npz")


TIMES = st.decimals(-(10**6), 10**6, places=3, allow_nan=False)


@given(st.lists(st.tuples(TIMES, st.integers(0, 6), TIMES), min_size=1, max_size=5))
def test_times_are_exact(given_times: list[tuple[object, int, object]]) -> None:
    """Whatever fractions are mixed, every time is the number that was written."""
    said = []
    for number, (start, places, length) in enumerate(given_times):
        first = round(Fraction(str(start)), places)
        said.append((number, f"{float(first):.6f}", f"{float(first + abs(Fraction(str(length)))):.6f}"))
    execution = formats.loads("\n".join(f"T{number} f time={begin}..{end}" for number, begin, end in said))
    times = execution.times
    assert times is not None and times.decimals == 6
    for row, (_, begin, end) in enumerate(said):
        assert Fraction(int(times.start[row]), 10**6) == Fraction(begin)
        assert Fraction(int(times.end[row]), 10**6) == Fraction(end)


def test_finer_fractions_rescale_what_came_before() -> None:
    execution = formats.loads("T0 f time=1..2\nT1 f time=-0.25..0\nT2 f\nT0 f time=1.5")
    assert execution.times is not None and execution.times.decimals == 2
    assert [execution.times.word(row) for row in range(4)] == ["1.00..2.00", "-0.25..0.00", None, "1.50"]


def test_plain_histories_have_none_of_it() -> None:
    execution = formats.loads("T0 w x 1\nT1 r x 1")
    assert (execution.spelling, execution.times, execution.notes) == (None, None, None)
    assert execution.remarks(0) == ""


def test_events_have_it_and_executions_can_be_made_of_them() -> None:
    execution = formats.loads(LOG)
    assert execution[1].time == "1.75..3.00" and execution[1].notes == (("src", "main.c:30"), ("note:core", "3"))
    assert str(execution[3]) == "T2 r x 0xffffffffffffffff rf=e2 time=5.00.. note:why=100%25%20sure"
    again = porf.Execution.from_events(execution)
    events = LOG.count("\n") - 1
    assert written(again, "text").splitlines()[-events:] == written(execution, "text").splitlines()[-events:]
    assert again.initial_value(list(again.loc_names).index("y")) == 255


def test_a_part_keeps_what_its_events_say() -> None:
    part = formats.loads(LOG).restrict([2, 3]).execution
    assert written(part, "text").splitlines()[1] == "T2 r x 0xffffffffffffffff time=5.00.. note:why=100%25%20sure"
    assert part.remarks(1) == "time=5.00.. note:why=100% sure"
    assert formats.loads(LOG).restrict([]).execution.notes is None


def test_a_stream_has_it() -> None:
    events = list(Stream(LOG.encode().splitlines(keepends=True)))
    assert events[3].time == "5.00.." or events[3].time == "5.."
    assert events[3].notes == (("note:why", "100% sure"),)
    assert [event.rf for event in events] == formats.loads(LOG).rf.tolist()
    for text, message in (
        ("T0 f time=5\nT1 f time=1\nT0 f time=4.5\n", "line 1 of this thread starts later"),
        ("T0 f time=5..4\n", "ends before it starts"),
    ):
        with pytest.raises(FormatError, match=message):
            list(Stream(text.encode().splitlines(keepends=True)))


def test_following_names_values_as_they_were_given() -> None:
    from porf.checking.follow import follow_lines

    lines = b"T0 w x on\nT0 w x off\nT1 r x off\nT1 r x on\n".splitlines(keepends=True)
    followed = follow_lines(lines, "ra", "log")
    assert "w x off" in followed.report()


def test_reports_and_pictures_show_it() -> None:
    log = "T10 w x 0xA time=1..2 src=a.c:1\nT10 w x 0xB\nT2 r x 0xB src=b.c:9\nT2 r x 0xA note:why=a%1bb\n"
    verdict = porf.check(formats.loads(log), "ra")
    assert "T10 w x 0xA  time=1..2 src=a.c:1" in verdict.report()
    assert verdict.record()["remarks"]["e0"] == {"time": "1..2", "src": "a.c:1"}
    picture = verdict.draw()
    assert picture.count("src=b.c:9") >= 1 and "\x1b" not in picture
    assert picture.index(">T2<") < picture.index(">T10<")


ARRAYS: dict[str, tuple[dict[str, Any], str]] = {
    "unknown name": ({"value_names": b"1", "value_names_ends": [1]}, "which is no value by name"),
    "two of a name": ({"value_names": b"aa", "value_names_ends": [1, 2]}, "or is there twice"),
    "no ends": ({"value_names": b"on"}, "go together"),
    "wrong ends": ({"value_names": b"on", "value_names_ends": [3]}, "value_names_ends does not fit"),
    "an empty name": ({"value_names": b"on", "value_names_ends": [0, 2]}, "value_names_ends does not fit"),
    "not UTF-8": ({"value_names": b"\xff", "value_names_ends": [1]}, "is not UTF-8"),
    "a border in a character": ({"value_names": "é".encode(), "value_names_ends": [1, 2]}, "is not UTF-8"),
    "no style": ({"read_style": [0, 32]}, r"read_style\[1\] = 32 is no way"),
    "styles for others": ({"init_style": [1, 1]}, "init_style has 2 entries instead of 1"),
    "only starts": ({"start": [1, 2]}, "start and end go together"),
    "short": ({"start": [1], "end": [1]}, "start has 1 entries"),
    "an end alone": ({"start": [-(2**63), 1], "end": [1, 1]}, r"end\[0\] has no start"),
    "ends early": ({"start": [2, 1], "end": [1, 1]}, r"end\[0\] = 1 is before its start"),
    "too fine": ({"start": [1, 2], "end": [2, 3], "time_decimals": [19]}, "up to 18"),
    "half of the notes": ({"note_row": [0]}, "the arrays of notes go together"),
    "note of no row": ({"note_row": [2]}, r"note_row\[0\] = 2 is out of range"),
    "note without a text": ({"note_text": [1]}, r"note_text\[0\] = 1 is out of range"),
    "no key": ({"note_keys": b"sir"}, "note_keys has 'sir'"),
    "two notes": ({"note_row": [0, 0], "note_key": [0, 0], "note_text": [0, 0]}, "two notes of one key"),
}


@pytest.mark.parametrize("name", ARRAYS)
def test_wrong_arrays(name: str) -> None:
    import io

    wrong, message = ARRAYS[name]
    columns: dict[str, Any] = {
        "thread": np.zeros(2, np.int32),
        "op": np.array([1, 0], np.uint8),
        "loc": np.zeros(2, np.int32),
        "order": np.ones(2, np.uint8),
        "rf": np.array([-1, 0], np.int32),
    }
    notes = {"note_row": [0], "note_key": [0], "note_text": [0], "note_keys": b"src", "note_texts": b"a"}
    if any(key.startswith("note") for key in wrong) and name != "half of the notes":
        wrong = {**notes, "note_keys_ends": [3], "note_texts_ends": [1], **wrong}
    for key, value in wrong.items():
        columns[key] = np.frombuffer(value, np.uint8) if isinstance(value, bytes) else np.array(value)
    out = io.BytesIO()
    np.savez(out, **columns)
    with pytest.raises(FormatError, match=message):
        formats.loads(out.getvalue(), "npz")


def test_names_in_the_order_in_which_people_count() -> None:
    def ordered(*names: str) -> list[str]:
        return [names[at] for at in natural_order(names)]

    assert ordered("T10", "T2", "T1") == ["T1", "T2", "T10"]
    assert ordered("writer", "reader") == ["writer", "reader"]
    assert ordered("c2", "s1", "c1", "main") == ["c1", "c2", "s1", "main"]
    assert ordered("a[1][10]", "a[1][2]", "a[0][3]") == ["a[0][3]", "a[1][2]", "a[1][10]"]
    assert ordered("x01", "x1", "x" + "9" * 5000) == ["x01", "x1", "x" + "9" * 5000]


def test_a_word_for_every_string_that_has_one() -> None:
    assert _core.word_of("on") == "on" and _core.word_of("3f") == '"3f"' and _core.word_of("a b") is None
