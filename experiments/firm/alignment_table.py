#!/usr/bin/env python3
"""One row per setting of alignment.sh: held-out rewards and KL at the end, figures of training over its last eight rounds.

Usage: experiments/firm/alignment_table.py RUNS FILE.csv
Writes a row per run to FILE.csv and prints means and standard deviations over the seeds as markdown.
"""

import csv
import json
import statistics
import sys
from pathlib import Path

FIGURES = ("helpful", "harmless", "kl", "length", "lambda_helpful", "lambda_sway", "lambda_spread", "disagreement_drift")
LAST = 8


def mean(values):
    return sum(values) / len(values)


def figures(folder):
    summary = json.loads((folder / "summary.json").read_text())
    rounds = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
    helpful = summary["objectives"].index("helpful")
    weights = [row["lambda"][helpful] for row in rounds]
    last = [row["metrics"] for row in rounds[-LAST:]]
    return {
        "rounds": summary["rounds"],
        "helpful": summary["test"]["reward"]["helpful"],
        "harmless": summary["test"]["reward"]["harmless"],
        "kl": summary["overall"]["kl"],
        "length": summary["overall"]["response_length"],
        "lambda_helpful": mean(weights[-LAST:]),
        # How much the weight changes from round to round: oscillation of lambda.
        "lambda_sway": mean([abs(b - a) for a, b in zip(weights, weights[1:])]),
        "lambda_spread": mean([m["lambda_spread"] for m in last]) if "lambda_spread" in last[0] else None,
        "disagreement_drift": mean([m["disagreement_drift"] for m in last]) if "disagreement_drift" in last[0] else None,
    }


def text(values):
    known = [v for v in values if v is not None]
    if not known:
        return ""
    spread = f" ± {statistics.stdev(known):.3g}" if len(known) > 1 else ""
    return f"{mean(known):.3g}{spread}"


def main():
    runs, table = Path(sys.argv[1]), Path(sys.argv[2])
    rows = {}
    for summary in sorted(runs.glob("*/*/summary.json")):
        name, seed = summary.parent.name.rsplit("-", 1)
        rows.setdefault((summary.parent.parent.name, name), []).append({"seed": seed} | figures(summary.parent))
    table.parent.mkdir(parents=True, exist_ok=True)
    with table.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("group", "setting", "seed", "rounds", *FIGURES))
        for (group, name), seeds in rows.items():
            for row in seeds:
                writer.writerow((group, name, row["seed"], row["rounds"], *("" if row[f] is None else f"{row[f]:.6g}" for f in FIGURES)))
    print("| group | setting | seeds | " + " | ".join(f.replace("_", " ") for f in FIGURES) + " |")
    print("|---" * (3 + len(FIGURES)) + "|")
    for (group, name), seeds in rows.items():
        print(f"| {group} | {name} | {len(seeds)} | " + " | ".join(text([row[f] for row in seeds]) for f in FIGURES) + " |")


if __name__ == "__main__":
    main()
