#!/usr/bin/env python3
"""One row per setting of alignment.sh or dialogues.sh: held-out rewards and KL at the end and in the second half of the rounds, figures
of training over its last eight rounds.

Usage: experiments/firm/alignment_table.py RUNS FILE.csv ROUNDS.csv
Writes a row per run to FILE.csv and one per run and round to ROUNDS.csv, which keep those of runs that are gone; prints means and standard
deviations over the seeds as markdown.
"""

import json
import statistics
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from kept_rows import joined, replace  # noqa: E402

FIGURES = ("helpful", "harmless", "late_helpful", "late_harmless", "late_kl", "kl", "length", "lambda_helpful", "lambda_sway", "lambda_sway_client", "lambda_sway_step", "lambda_spread",
           "disagreement_drift", "last_disagreement_drift", "cosine", "helpful_on_helpful", "helpful_on_harmless", "harmless_on_helpful",
           "harmless_on_harmless")
SOURCES = {"helpful": "helpful-pairs", "harmless": "harmless-base-test"}  # the files of prompts
LAST = 8


def mean(values):
    """None of none, as of the changes within a single round."""
    return sum(values) / len(values) if values else None


def sway(rounds, helpful, name):
    """The mean change from round to round of the weight of helpfulness in every row [.., M] of a figure; None where it was not recorded."""
    if name not in rounds[0]["metrics"]:
        return None
    objectives = len(rounds[0]["lambda"])
    weights = [row["metrics"][name][helpful::objectives] for row in rounds]
    return mean([abs(b - a) for before, after in zip(weights, weights[1:]) for a, b in zip(before, after)])


def figures(folder):
    summary = json.loads((folder / "summary.json").read_text())
    rounds = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
    helpful = summary["objectives"].index("helpful")
    weights = [row["lambda"][helpful] for row in rounds]
    last = [row["metrics"] for row in rounds[-LAST:]]
    late = [row for row in rounds if "test" in row and row["round"] > summary["rounds"] / 2]
    return {
        "rounds": summary["rounds"],
        "helpful": summary["test"]["reward"]["helpful"],
        "harmless": summary["test"]["reward"]["harmless"],
        **{f"late_{name}": mean([row["test"]["reward"][name] for row in late]) for name in SOURCES},
        "late_kl": mean([row["overall"]["kl"] for row in late]),
        "kl": summary["overall"]["kl"],
        "length": summary["overall"]["response_length"],
        "lambda_helpful": mean(weights[-LAST:]),
        # How much the weight changes from round to round: in the mean over clients and local steps, of each client's mean over its local
        # steps, and of every single solution.
        "lambda_sway": mean([abs(b - a) for a, b in zip(weights, weights[1:])]),
        "lambda_sway_client": sway(rounds, helpful, "client_lambda"),
        "lambda_sway_step": sway(rounds, helpful, "client_step_lambda"),
        "lambda_spread": mean([m["lambda_spread"] for m in last]) if "lambda_spread" in last[0] else None,
        "disagreement_drift": mean([m["disagreement_drift"] for m in last]) if "disagreement_drift" in last[0] else None,
        "last_disagreement_drift": mean([m["last_disagreement_drift"] for m in last]) if "last_disagreement_drift" in last[0] else None,
        "cosine": mean([mean(m["step_cosine"]) for m in last]) if "step_cosine" in last[0] else None,
        **{f"{name}_on_{source}": summary["overall"].get(f"reward/{name}/{file}") for name in SOURCES for source, file in SOURCES.items()},
    }


def trajectory(folder):
    """What each round's training saw: mean rewards, mean lambda, how far the clients' lambdas are apart, the drift."""
    names = json.loads((folder / "summary.json").read_text())["objectives"]
    for line in (folder / "metrics.jsonl").read_text().splitlines():
        row = json.loads(line)
        metrics = row["metrics"]
        yield {
            "round": row["round"],
            **{f"reward_{name}": reward for name, reward in zip(names, metrics["reward"])},
            "lambda_helpful": row["lambda"][names.index("helpful")],
            "lambda_spread": metrics.get("lambda_spread"),
            "disagreement_drift": metrics.get("disagreement_drift"),
            "last_disagreement_drift": metrics.get("last_disagreement_drift"),
            "kl": metrics["kl"][0],
        }


def text(values):
    known = [v for v in values if v is not None]
    if not known:
        return ""
    spread = f" ± {statistics.stdev(known):.3g}" if len(known) > 1 else ""
    return f"{mean(known):.3g}{spread}"


def main():
    runs, table, by_round = map(Path, sys.argv[1:])
    rows, rounds = [], []
    for summary in sorted(runs.glob("*/*/summary.json")):
        name, seed = summary.parent.name.rsplit("-", 1)
        run = {"group": summary.parent.parent.name, "setting": name, "seed": seed}
        rows.append(run | figures(summary.parent))
        rounds += [run | row for row in trajectory(summary.parent)]
    key = ("group", "setting", "seed")
    rows, rounds = (sorted(joined(path, key, found), key=lambda row: [row[name] for name in key]) for path, found in ((table, rows), (by_round, rounds)))
    replace(table, rows)
    replace(by_round, rounds)
    settings = {}
    for row in rows:
        settings.setdefault((row["group"], row["setting"]), []).append(row)
    shown = [figure for figure in FIGURES if any(row.get(figure) is not None for row in rows)]
    print("| group | setting | seeds | " + " | ".join(f.replace("_", " ") for f in shown) + " |")
    print("|---" * (3 + len(shown)) + "|")
    for (group, name), seeds in settings.items():
        print(f"| {group} | {name} | {len(seeds)} | " + " | ".join(text([row.get(f) for row in seeds]) for f in shown) + " |")


if __name__ == "__main__":
    main()
