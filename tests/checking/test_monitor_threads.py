"""A monitor that several threads use: no event is lost, and each call is done as a whole."""

from __future__ import annotations

import sys
import threading

import porf


def test_threads_share_a_monitor() -> None:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(20):
            monitor = porf.Monitor("ra")
            rows: list[list[int]] = [[] for _ in range(4)]

            def feed(k: int, monitor: porf.Monitor = monitor, rows: list[list[int]] = rows) -> None:
                for n in range(100):
                    row = monitor.write(f"T{k}", f"x{k}", value=n)
                    rows[k].append(monitor.read(f"T{k}", f"x{k}", rf=row, value=n))

            threads = [threading.Thread(target=feed, args=(k,)) for k in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert monitor.consistent and len(monitor) == 800
            assert len({row for own in rows for row in own}) == 400
            execution = monitor.execution()
            assert porf.check(execution, "ra").consistent
            assert all(int(execution.rf[row]) >= 0 for own in rows for row in own)
    finally:
        sys.setswitchinterval(before)
