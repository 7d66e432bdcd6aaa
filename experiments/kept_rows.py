"""Tables that outlive their runs: CSV files that never lose a row they have to a campaign that has fewer."""

import csv
import sys


def merge(path, header, key_columns, runs, order=None):
    """Puts the rows of `runs`, one list for each, in the place of what the file had of them, by its first columns; writes it, sorted by
    `order` of the key, and returns {key: rows}. Rows hold text. Exits where the file has more of a run than `runs` has."""
    by_run = {}
    if path.exists():
        with path.open(newline="") as file:
            for row in list(csv.reader(file))[1:]:
                by_run.setdefault(tuple(row[:key_columns]), []).append(row)
    for rows in runs:
        key = tuple(rows[0][:key_columns])
        expect_no_fewer(f"{path}, {' '.join(key)}", by_run.get(key, []), rows)
        by_run[key] = rows
    if by_run:
        with path.open("w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(header)
            writer.writerows(row for key in sorted(by_run, key=order) for row in by_run[key])
    return by_run


def joined(path, key_columns, rows):
    """Dictionaries as rows, and before them those of the file whose run, by the columns of its key, none of these has, in the order of the file
    and then of `rows`. What looks like a number in the file is one, and nothing is None."""
    new = {tuple(str(row[name]) for name in key_columns) for row in rows}
    if not path.exists():
        return rows
    with path.open(newline="") as file:
        kept = [row for row in csv.DictReader(file) if tuple(row[name] for name in key_columns) not in new]
    return [{name: value if name in key_columns else number(value) for name, value in row.items()} for row in kept] + rows


def number(text):
    try:
        return float(text) if text else None
    except ValueError:
        return text


def replace(path, rows):
    """Writes dictionaries as rows, with every name that one of them has as a column. Exits where there are none, or fewer than the file
    has."""
    if not rows:
        sys.exit(f"{path}: expected finished runs, found none")
    if path.exists():
        with path.open(newline="") as file:
            expect_no_fewer(path, list(csv.DictReader(file)), rows)
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(dict.fromkeys(name for row in rows for name in row)), lineterminator="\n")
        writer.writeheader()
        writer.writerows({name: f"{value:.6g}" if isinstance(value, float) else value for name, value in row.items()} for row in rows)


def expect_no_fewer(name, kept, rows):
    if len(rows) < len(kept):
        sys.exit(f"{name}: expected at least the {len(kept)} rows that it has, found runs for {len(rows)}; remove it to begin anew")
