#!/usr/bin/env python3
"""Hypervolume of the policies of agents.sh or cheetah.sh by rounds: adds their returns to a CSV, which outlives the runs, and prints Markdown.

Usage: agents_table.py deep_sea_treasure|half_cheetah RUNS_FOLDER TABLE.csv
"""

import json
import sys
from pathlib import Path
from statistics import mean

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1])]
from fronts_table import evenly, hypervolume  # noqa: E402
from kept_rows import merge  # noqa: E402
from paired import differences, interval  # noqa: E402

# Each treasure and minus the fewest steps to it: the Pareto front of the environment.
TREASURES = [(0.7, -1), (8.2, -3), (11.5, -5), (14.0, -7), (15.1, -8), (16.1, -9), (19.6, -13), (20.3, -14), (22.4, -17), (23.7, -19)]
# Of each problem: its objectives, the reference point, the policies of one model that are counted, the number of clients, the agent with a
# model for all preferences and the one with a model for each.
PROBLEMS = {"deep_sea_treasure": (("treasure", "time"), (-1.0, -101.0), 20, 20, "envelope_dqn", "dqn"),
            "half_cheetah": (("velocity", "effort"), (-201.0, -601.0), 17, 5, "capql", "ddpg")}


def rows_of(folder):
    """One row per evaluated round and policy; CPU seconds are those of the whole run."""
    method, seed = folder.name.rsplit("-", 1)
    seconds = json.loads((folder / "summary.json").read_text())["cpu_seconds"]
    rows = []
    for line in (folder / "metrics.jsonl").read_text().splitlines():
        row = json.loads(line)
        if "test" not in row:
            continue
        if "front" in row:
            policies = zip((r[0] for r in row["front"]["preferences"]), row["front"]["return"], strict=True)
        else:  # the clients' preferences are the same ones, from the last client to the first
            found = row["clients"]["return"]
            policies = ((i / (len(found) - 1), returns) for i, returns in enumerate(reversed(found)))
        rows += [[method, seed, str(row["round"]), f"{seconds:.1f}", f"{weight:.4g}", *(f"{value:.6g}" for value in returns)]
                 for weight, returns in policies]
    return rows


def returns_of(rows):
    return [(float(row[5]), float(row[6])) for row in rows]


def main():
    problem, folder, table_file = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    objectives, reference, policies, clients, shared, own = PROBLEMS[problem]
    columns = ["method", "seed", "round", "cpu_seconds", "weight", *objectives]
    methods = {shared: f"`{shared}`, FedAvg: one model for all preferences", "no_communication": f"`{own}`, each client alone: {clients} models",
               "fedpref": f"`{own}`, FedPref: {clients} models"}
    by_run = merge(table_file, columns, 2, [rows_of(path.parent) for path in sorted(folder.glob("*/summary.json"))])
    if not by_run:
        sys.exit(f"agents: expected finished runs in {folder} or rows in {table_file}, found none")
    rounds = sorted({int(row[2]) for rows in by_run.values() for row in rows})

    def volume(returns):
        return hypervolume([[-x for x in point] for point in returns], [-x for x in reference])

    def volumes(method, at, count=None):
        """{seed: hypervolume} of that many of the policies after that round; all: None."""
        found = {}
        for (name, seed), rows in by_run.items():
            of_round = [row for row in rows if int(row[2]) == at]
            if name == method and of_round:
                found[seed] = volume(returns_of(evenly(of_round, count) if count else of_round))
        return found

    seeds = sorted({seed for _, seed in by_run})
    of_front = f"; that of the environment's own front is {volume(TREASURES):.0f}" if problem == "deep_sea_treasure" else ""
    all_policies = f"{policies} policies" if policies == clients else f"{policies} policies of the one model and {clients} of the others"
    print(f"Hypervolume of the returns ({', '.join(objectives)}) from {reference} of {all_policies}, mean over {len(seeds)} seeds, and of five "
          f"of them at the end{of_front}. CPU seconds of a run with its evaluations:\n")
    print("| method | " + " | ".join(f"{at} rounds" for at in rounds) + " | five policies | CPU s |")
    print("|---|" + "---|" * (len(rounds) + 2))
    for method, words in methods.items():
        cells = [f"{mean(volumes(method, at).values()):.0f}" for at in rounds]
        seconds = mean(float(rows[0][3]) for (name, _), rows in by_run.items() if name == method)
        print(f"| {words} | " + " | ".join(cells) + f" | {mean(volumes(method, rounds[-1], 5).values()):.0f} | {seconds:.0f} |")
    print(f"\nAfter {rounds[-1]} rounds, the hypervolume of `{shared}` less that of the other, paired 95 % intervals:\n")
    print("| less | all policies | five policies |\n|---|---|---|")
    for method, words in methods.items():
        if method != shared:
            found = [differences(volumes(shared, rounds[-1], count), volumes(method, rounds[-1], count)) for count in (None, 5)]
            print(f"| {words} | " + " | ".join(interval(values, 0) if len(values) > 1 else "-" for values in found) + " |")


if __name__ == "__main__":
    main()
