"""A monitor checks events as they happen, and says beforehand which writes a read may take.

Here it plays the memory: two threads run a message-passing program, and each read takes the oldest write that the
model still allows. Under "relaxed" the reader sees the flag without the data; under "ra" the monitor forbids it.
"""

from __future__ import annotations

import porf


def run(model: str) -> porf.Monitor:
    monitor = porf.Monitor(model)
    data = monitor.write("producer", "data", value=1)
    flag = monitor.write("producer", "flag", value=1)
    monitor.name(data, "publish")
    monitor.name(flag, "signal")

    monitor.name(monitor.read("consumer", "flag", rf=flag, value=1), "see_signal")
    choices = monitor.may_read("consumer", "data")
    print(f"{model}: after the flag, the data may be read from {[label(monitor, row) for row in choices]}")

    stale = porf.INITIAL
    monitor.name(monitor.read("consumer", "data", rf=stale, value=0), "miss_data")
    print(f"{model}: reading the initial value is {'fine' if monitor.consistent else 'a violation'}")
    return monitor


def label(monitor: porf.Monitor, row: int) -> str:
    return "the initial value" if row == porf.INITIAL else monitor.execution().name(row)


if __name__ == "__main__":
    run("relaxed")
    broken = run("ra")
    print(broken.verdict().explain())
