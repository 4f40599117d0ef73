"""Logs of simulators that many people have, known by how their lines begin."""

from porf.formats.logs.mapping import Mapping

_SPIKE = "core {thread}: {_} {src} ({_})"

# What they are called: how a line of theirs begins, and the mapping.
KNOWN: dict[str, tuple[str, Mapping]] = {
    "spike --log-commits": (
        r"^core +[0-9]+: [0-9] 0x[0-9a-f]+ \(0x[0-9a-f]+\)",
        Mapping(
            lines=(
                f"u={_SPIKE} {{_}} {{read}} mem {{location}} mem {{_}} {{write}}",
                f"r={_SPIKE} {{_}} {{value}} mem {{location}}",
                f"w={_SPIKE} mem {{location}} {{value}}",
                f"w={_SPIKE} {{_}} {{_}} mem {{location}} {{value}}",  # a store-conditional
                "f:fence.rw.rw=core {thread}: {_} {src} (0x0ff0000f)",
                "f:fence.rw.rw=core {thread}: {_} {src} (0x0330000f)",
            ),
            others=True,
            unless=" mem ",
            shape="lines",
        ),
    ),
    "gem5 --debug-flags=Exec": (
        r"^ *[0-9]+: [\w.]*cpu[0-9]*[\w.]*: .* : Mem(Read|Write) : +D=0x",
        Mapping(
            lines=(
                "r={time}: {thread}: {*} : MemRead : D={value} A={location}",
                "w={time}: {thread}: {*} : MemWrite : D={value} A={location}",
                "r={time}: {thread}: {*} : MemRead : D={value} A={location} {*}",
                "w={time}: {thread}: {*} : MemWrite : D={value} A={location} {*}",
            ),
            others=True,
            unless=" A=0x",
            shape="lines",
        ),
    ),
}
