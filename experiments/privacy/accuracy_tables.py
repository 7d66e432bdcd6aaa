"""Tables of accuracy against epsilon: what privacy_table.py and examples_table.py have in common."""

import json
import sys
from pathlib import Path
from statistics import mean, stdev

sys.path.insert(0, str(Path(__file__).parents[1]))
from kept_rows import merge  # noqa: E402
from paired import differences, interval  # noqa: E402

COLUMNS = ["run", "epsilon", "seed", "mnist", "fashion", "accounted_epsilon"]


def row_of(folder):
    """The row of a finished run, whose folder is called NAME-EPSILON-SEED."""
    name, epsilon, seed = folder.name.rsplit("-", 2)
    summary = json.loads((folder / "summary.json").read_text())
    accuracy = summary["test"]["accuracy"]
    accounted = f"{summary['epsilon']:.4f}" if "epsilon" in summary else ""
    if accounted and float(accounted) > float(epsilon) * (1 + 1e-6):
        sys.exit(f"{folder}: expected an epsilon of at most {epsilon}, found {accounted}")
    return [name, epsilon, seed, f"{accuracy['mnist']:.4f}", f"{accuracy['fashion']:.4f}", accounted]


def accuracies(folder, table_file):
    """By run and epsilon, then by seed: the accuracy of both objectives in %. Adds the folder's runs to the table's file, which outlives them."""
    rows = merge(table_file, COLUMNS, 3, [[row_of(path.parent)] for path in sorted(folder.glob("*/summary.json"))])
    if not rows:
        sys.exit(f"privacy: expected finished runs in {folder} or rows in {table_file}, found none")
    found = {}
    for (name, epsilon, seed), ((*_, mnist, fashion, _),) in rows.items():
        found.setdefault((name, epsilon), {})[seed] = (100 * float(mnist), 100 * float(fashion))
    return found


def spread(values):
    return f"{mean(values):.1f} ± {stdev(values):.1f}" if len(values) > 1 else f"{values[0]:.1f}" if values else ""


def column(accuracy, cell, pick):
    return [pick(pair) for _, pair in sorted(accuracy.get(cell, {}).items())]


def difference(accuracy, cell, other_cell):
    """The mean of both objectives less that of the other cell, paired by seed, with a 95 % interval; empty with fewer than two seeds."""
    found = differences(*({seed: mean(pair) for seed, pair in accuracy.get(key, {}).items()} for key in (cell, other_cell)))
    return interval(found) if len(found) >= 2 else ""


def print_accuracy(accuracy, strategies, cells):
    """Accuracy of each objective and, below, less the first strategy's. `strategies` and `cells`: titles by name and by epsilon."""
    print("| strategy | objective | " + " | ".join(cells.values()) + " |")
    print("|---|---|" + "---|" * len(cells))
    for name, title in strategies.items():
        for k, objective in enumerate(("MNIST", "Fashion-MNIST")):
            print(f"| {title} | {objective} | " + " | ".join(spread(column(accuracy, (name, e), lambda pair: pair[k])) for e in cells) + " |")
    first, *others = strategies
    print(f"\nAccuracy in %, mean ± standard deviation. Less {strategies[first]}, mean of both objectives, paired by seed, with 95 % intervals:\n")
    print("| strategy | " + " | ".join(cells.values()) + " |\n|---|" + "---|" * len(cells))
    for name in others:
        print(f"| {strategies[name]} | " + " | ".join(difference(accuracy, (name, e), (first, e)) for e in cells) + " |")
