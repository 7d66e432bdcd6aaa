"""Tables that outlive their runs: CSV files whose first columns name a run."""

import csv
import sys


def merge(path, header, key_columns, runs, order=None):
    """Puts the rows of `runs`, one list for each, in the place of what the file had of them; writes it, sorted by `order` of the
    key, and returns {key: rows}. Rows hold text. Exits where the file has more of a run than `runs` has."""
    by_run = {}
    if path.exists():
        with path.open(newline="") as file:
            for row in list(csv.reader(file))[1:]:
                by_run.setdefault(tuple(row[:key_columns]), []).append(row)
    for rows in runs:
        key = tuple(rows[0][:key_columns])
        if len(rows) < len(by_run.get(key, [])):
            sys.exit(f"{path}: expected at least {len(by_run[key])} rows of {' '.join(key)}, as the file has, found {len(rows)} in a shorter run")
        by_run[key] = rows
    if by_run:
        with path.open("w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(header)
            writer.writerows(row for key in sorted(by_run, key=order) for row in by_run[key])
    return by_run
