"""Table 1 of the Kater paper: the seconds of each proof, here, in the paper, and by Kater on a comparable machine.

The queries that the paper gave up on come last. Run `python benchmarks/prove_table1.py [--repeat R] [--json]`.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from measuring import seconds

import porf

FOLDER = Path(__file__).parents[1] / "examples" / "proofs"


@dataclass(frozen=True)
class Row:
    file: str
    paper: float | None  # Table 1
    kater: float | None = None  # measured


ROWS = (
    Row("c11_to_imm", 0.05),
    Row("imm_to_tso", 0.01),
    Row("c11_to_tso", 0.04),
    Row("c11_strong_to_tso", 0.04),
    Row("imm_to_arm8", 3.36, 0.29),
    Row("c11_to_arm8", 3.48, 0.23),
    Row("c11_strong_to_arm8", 1.93),
    Row("c11_ra_to_power", 3.11, 0.14),
    Row("c11_sc_to_power_weak", 14.32, 2.1),
    Row("c11_sc_accesses_to_power", 138.35, 11.8),
    Row("c11_sc_fences_to_power", 56.67, 11.3),
    Row("c11_orig_to_power_weak", 4.09, 2.0),
    Row("c11_orig_to_power", 16.00, 3.7),
    Row("power_to_power_simpl", 2.48, 3.0),
    Row("ra_ra2", 0.01),
    Row("ra_ra3", 0.01),
    Row("rc11_rc11_alt", 0.39, 0.27),
    Row("tso_tso_fm", 0.15, 0.15),
    Row("sc_sc_fm", 0.06),
    Row("eco_eco2", 0.01),
    Row("coherence_coherence2", 8.82),
    Row("forever_sc", None),
    Row("forever_c11_orig", None),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    porf.prove(FOLDER / "eco_eco2.kat")  # the parser and the base theory are read once, before anything is timed
    rows = []
    for row in ROWS:
        path = FOLDER / f"{row.file}.kat"
        verdicts = {result.verdict for result in porf.prove(path)}
        own = seconds(partial(porf.prove, path), arguments.repeat)
        record = {"file": row.file, "verdict": " ".join(sorted(verdicts)), "seconds": own}
        rows.append(record | {"paper": row.paper, "kater": row.kater})
        if arguments.json:
            print(json.dumps(rows[-1]), flush=True)
    if not arguments.json:
        show(rows)


def show(rows: list[dict[str, object]]) -> None:
    print(f"{'file':<26} {'verdict':<8} {'porf s':>8} {'paper s':>8} {'Kater s':>8} {'Kater/porf':>10}")
    for row in [*rows, total(rows, "paper"), total(rows, "kater")]:
        own, paper, kater = (row[key] for key in ("seconds", "paper", "kater"))
        ratio = kater / own if isinstance(kater, float) and isinstance(own, float) else None
        cells = [f"{value:>8.2f}" if isinstance(value, float) else " " * 8 for value in (own, paper, kater)]
        print(f"{row['file']:<26} {row['verdict']:<8} {' '.join(cells)} {'' if ratio is None else f'{ratio:>10.1f}'}")


def total(rows: list[dict[str, object]], of: str) -> dict[str, object]:
    """The sum of the rows that were measured there, too."""
    sums = {key: sum(float(str(row[key])) for row in rows if row[of] is not None) for key in ("seconds", of)}
    return {"file": f"all of the column {of}", "verdict": "", "paper": None, "kater": None} | sums


if __name__ == "__main__":
    main()
