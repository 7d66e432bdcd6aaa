#!/usr/bin/env python3
"""Single clients' agents here and in Stable-Baselines3: Markdown tables.

DQN on Deep-Sea Treasure: how often it ends at the treasure that is best for its preference, that of the shortest path with
the highest scalarized return (the agent's own path may be longer). DDPG: the scalarized return under the uniform preference,
and steps per CPU second, which compare only where one machine did both.
Usage: beside_sb3_table.py RUNS_FOLDER SB3.csv
"""

import csv
import json
import sys
import tomllib
from pathlib import Path
from statistics import mean, stdev

TREASURES = [(0.7, 1), (8.2, 3), (11.5, 5), (14, 7), (15.1, 8), (16.1, 9), (19.6, 13), (20.3, 14), (22.4, 17), (23.7, 19)]
PREFERENCES = [((9 - i) / 9, i / 9) for i in range(10)]


def is_best(returns, preference):
    def value(treasure, steps):
        return preference[0] * treasure - preference[1] * steps

    best = max(value(*path) for path in TREASURES)
    return any(abs(returns[0] - path[0]) < 0.01 for path in TREASURES if value(*path) >= best - 1e-9)


def summaries(folder, problem, steps):
    """Of the problem's runs, which must have as many steps as the rows beside them."""
    found = []
    for path in sorted(folder.glob(f"{problem}-*/summary.json")):
        config = tomllib.loads((path.parent / "config.toml").read_text())
        own = config["rounds"] * config["strategy"]["local_steps"]
        if {own} != steps:
            sys.exit(f"beside_sb3_table: expected runs of the same steps, found {own} in {path.parent} beside {sorted(steps)}")
        found.append(json.loads(path.read_text()))
    return found


def numbers(text):
    return [float(x) for x in text.split()]


def treasure_table(runs, rows):
    ours, theirs = {}, {}
    for summary in runs:
        for i, returns in enumerate(summary["clients"]["return"]):
            ours.setdefault(i, []).append(is_best(returns, PREFERENCES[i]))
    for row in rows:
        i = round(9 - 9 * numbers(row["preference"])[0])
        theirs.setdefault(i, []).append(is_best(numbers(row["returns"]), PREFERENCES[i]))
    print("| preference for treasure | best treasure, ParetoFL | best treasure, Stable-Baselines3 |\n|---|---|---|")
    for i in sorted(ours):
        print(f"| {PREFERENCES[i][0]:.2f} | {sum(ours[i])} of {len(ours[i])} | {sum(theirs.get(i, []))} of {len(theirs.get(i, []))} |")
    all_ours = [best for values in ours.values() for best in values]
    all_theirs = [best for values in theirs.values() for best in values]
    print(f"| all | {100 * mean(all_ours):.0f} % of {len(all_ours)} | {100 * mean(all_theirs):.0f} % of {len(all_theirs)} |")
    print()


def estimate(values):
    spread = f" ± {stdev(values):.1f}" if len(values) > 1 else ""
    return f"{mean(values):.1f}{spread} ({len(values)})"


def return_row(problem, runs, rows):
    steps = int(rows[0]["steps"])
    ours = [summary["clients"]["scalarized_return"][0] for summary in runs]
    theirs = [sum(w * r for w, r in zip(numbers(row["preference"]), numbers(row["returns"]))) for row in rows]
    our_speed = steps / mean(summary["cpu_seconds"] for summary in runs)
    their_speed = steps / mean(float(row["cpu_seconds"]) for row in rows)
    print(f"| {problem} | {steps} | {estimate(ours)} | {estimate(theirs)} | {our_speed:.0f} | {their_speed:.0f} |")


def main():
    folder = Path(sys.argv[1])
    rows = {}
    with open(sys.argv[2]) as file:
        for row in csv.DictReader(file):
            rows.setdefault(row["problem"], []).append(row)
    runs = {problem: summaries(folder, problem, {int(row["steps"]) for row in rows[problem]}) for problem in rows}
    both = [problem for problem in rows if runs[problem]]
    if not both:
        sys.exit("beside_sb3_table: expected finished runs and rows of both, found none of one")
    if "deep_sea_treasure" in both:
        treasure_table(runs["deep_sea_treasure"], rows["deep_sea_treasure"])
    continuous = [problem for problem in both if problem != "deep_sea_treasure"]
    if continuous:
        print("Scalarized return, mean ± standard deviation (seeds), and steps per CPU second:\n")
        print("| problem | steps | ParetoFL | Stable-Baselines3 | steps/s, ParetoFL | steps/s, Stable-Baselines3 |\n|---|---|---|---|---|---|")
    for problem in continuous:
        return_row(problem, runs[problem], rows[problem])


if __name__ == "__main__":
    main()
