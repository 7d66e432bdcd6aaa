#!/usr/bin/env python3
"""FedPref's tables from the runs of campaign.sh: CSV files with one row per run, Markdown tables of mean and standard deviation.

solutions.csv holds what every client of every run reached, and outlives the runs: a campaign can go on where they are gone.
campaign.csv holds the figures of each run; rows of runs that solutions.csv does not know are kept, with what is known of them. WORKLOAD.md has the
tables of a workload.

Mean scalarized return over the clients, each under its own preference, at the end and in the mean of the last four evaluated
rounds (a greedy policy can change from one evaluation to the next); clusters at the end; and hypervolume, sparsity, inverted generational
distance, cardinality, expected utility and maximum utility loss of the set of all clients' solutions, by `paretofl indicators`. The
reference front of a workload is that of all solutions of its runs; the preferences of the utilities are about a hundred equally spaced ones.
Usage: [PARETOFL=build/paretofl] campaign_table.py RUNS_FOLDER RESULTS_FOLDER
"""

import csv
import itertools
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import mean, stdev

COMMAND = os.environ.get("PARETOFL", "build/paretofl")
# Reference points of the hypervolume. The paper does not give its own. Those of Deep-Sea Treasure and Minecart fit its Table 3 (README.md)
# and cut off no agent that moves. The others are below what any agent of the campaign reached and what an episode can cost: 1000 steps at a
# fuel of 1 a step, and at a control cost of 0.6 a step.
REFERENCES = {"deep_sea_treasure": "-1,-101", "minecart": "-1,-1,-50", "lunar_lander": "-101,-1601,-1001,-1001",
              "lunar_lander_continuous": "-101,-1601,-1001,-1001", "half_cheetah": "-201,-601"}
# As MORL-Baselines sets them. Whole sets of solutions lie behind them.
MORL_BASELINES_REFERENCES = {"deep_sea_treasure": "0,-25", "minecart": "0,0,-200", "lunar_lander": "-101,-1001,-101,-101",
                             "lunar_lander_continuous": "-101,-1001,-101,-101", "half_cheetah": "-100,-100"}
KEY = ["workload", "group", "setting", "seed", "variant"]
COURSE = ["late_return", "clusters"]  # None where a run does not tell, or is older than the column
SET_FIGURES = ["sparsity", "igd", "cardinality", "expected_utility", "maximum_utility_loss"]
FIGURES = ["scalarized_return", "hypervolume", "hypervolume_morl_baselines", *SET_FIGURES, *COURSE]
NAMES = {"no_communication": "No communication", "fedavg": "FedAvg", "fedprox": "FedProx", "fedprox_0.01": "FedProx, mu 0.01",
         "fedprox_0.1": "FedProx, mu 0.1", "fedprox_1.0": "FedProx, mu 1", "cfl": "CFL", "matfl": "MaTFL",
         "fedpref": "FedPref", "clustering_only": "Clustering only",
         "clustering_only_5.0_2": "Clustering only, epsilon 5, patience 2", "weighted_only": "Weighted aggregation only"}
BY_DISTRIBUTION = {"comparison", "short", "targets"}  # groups whose settings are ALGORITHM-DISTRIBUTION
WITHOUT_FINE_TUNING = {"no_communication", "matfl"}


def point_file(folder, name, points):
    path = Path(folder) / name
    path.write_text("".join(",".join(map(repr, point)) + "\n" for point in points))
    return path


def preference_file(folder, objectives):
    """About a hundred preferences that are equally spaced on the simplex, as MORL-Baselines takes for these utilities."""
    steps = {2: 99, 3: 12, 4: 6}[objectives]
    grid = [point for point in itertools.product(range(steps + 1), repeat=objectives) if sum(point) == steps]
    return point_file(folder, f"preferences{objectives}.csv", grid)


def indicators(path, *options):
    return json.loads(subprocess.run([COMMAND, "indicators", path, *options], check=True, capture_output=True, text=True).stdout)


def front_file(folder, workload, points):
    """The distinct points of the Pareto front of all solutions."""
    front = indicators(point_file(folder, "all.csv", points))["front"]
    return point_file(folder, f"{workload}.csv", sorted({tuple(points[i]) for i in front}))


def course(path):
    """The mean return of the last four evaluated rounds of a metrics.jsonl, and the number of clusters of the last that names them."""
    late, clusters = [], None
    for line in path.open():
        row = json.loads(line)
        if "clients" in row:
            late = [*late[-3:], mean(row["clients"]["scalarized_return"])]
        if "clusters" in row.get("metrics", {}):
            clusters = len(set(row["metrics"]["clusters"]))
    return mean(late) if len(late) == 4 else None, clusters


def load(folder):
    """(workload, group, setting, seed, variant) -> mean scalarized return, every client's returns, COURSE."""
    found = {}
    for path in sorted(folder.glob("*/*/*/summary.json")):
        setting, seed = path.parent.name.rsplit("-", 1)
        summary = json.loads(path.read_text())
        variants = {"": "clients"} if setting.split("-")[0] in WITHOUT_FINE_TUNING else {"": "clients", "+FT": "fine_tuned"}
        for variant, field in variants.items():
            clients = summary[field]
            late, clusters = course(path.with_name("metrics.jsonl"))
            found[(path.parts[-4], path.parts[-3], setting, int(seed), variant)] = (
                mean(clients["scalarized_return"]), clients["return"], None if variant else late, clusters)
    return found


def read_rows(path):
    """key -> the other columns of the CSV file, none where it is missing."""
    if not path.exists():
        return {}
    with path.open(newline="") as file:
        return {(*row[:3], int(row[3]), row[4]): row[5:] for row in list(csv.reader(file))[1:]}


def write_rows(path, columns, rows):
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(KEY + columns)
        writer.writerows([*key, *rows[key]] for key in sorted(rows))


def number(text):
    if not text:
        return None
    return int(text) if text.isdigit() else float(text)


def read_figures(path):
    """key -> FIGURES of the CSV file, None where a row has none."""
    if not path.exists():
        return {}
    with path.open(newline="") as file:
        return {(row["workload"], row["group"], row["setting"], int(row["seed"]), row["variant"]): [number(row[name]) for name in FIGURES]
                for row in csv.DictReader(file)}


def merge_solutions(path, found):
    solutions = {key: (float(value), [[float(x) for x in point.split()] for point in points.split(";")], *map(number, told))
                 for key, (value, points, *told) in read_rows(path).items()} | found
    write_rows(path, ["scalarized_return", "returns", *COURSE],
               {key: (value, ";".join(" ".join(map(repr, point)) for point in points), *told)
                for key, (value, points, *told) in solutions.items()})
    return solutions


def figures_of(solutions):
    """key -> FIGURES."""
    figures = {}
    with tempfile.TemporaryDirectory() as folder:
        fronts = {}
        for key, (_, points, *_) in solutions.items():
            fronts.setdefault(key[0], []).extend(points)
        paths = {workload: front_file(folder, workload, points) for workload, points in fronts.items()}
        preferences = {workload: preference_file(folder, len(points[0])) for workload, points in fronts.items()}
        for key, (value, points, *told) in solutions.items():
            path = point_file(folder, "points.csv", points)
            found = indicators(path, f"--reference={REFERENCES[key[0]]}", "--reference-front", paths[key[0]],
                               "--preferences", preferences[key[0]])
            beside = indicators(path, f"--reference={MORL_BASELINES_REFERENCES[key[0]]}")
            figures[key] = [value, found["hypervolume"], beside["hypervolume"], *(found[name] for name in SET_FIGURES), *told]
    return figures


def spread(values):
    return f"{mean(values):.2f} ± {stdev(values):.2f}" if len(values) > 1 else f"{mean(values):.2f}"


def table(title, column, cells):
    """cells: row -> column -> values."""
    columns = sorted({name for row in cells.values() for name in row})
    text = f"\n**{title}**\n\n| {column} | " + " | ".join(columns) + " |\n|---" + "|---" * len(columns) + "|\n"
    for name, row in cells.items():
        text += f"| {name} | " + " | ".join(f"{spread(row[c])} ({len(row[c])})" if c in row else "" for c in columns) + " |\n"
    return text


def title(figure, workload):
    if figure.startswith("hypervolume"):
        named = REFERENCES if figure == "hypervolume" else MORL_BASELINES_REFERENCES
        whose = "" if figure == "hypervolume" else "MORL-Baselines' reference point "
        return f"hypervolume, from {whose}({named[workload].replace(',', ', ')})"
    return "scalarized return, mean of the last four evaluated rounds" if figure == "late_return" else figure.replace("_", " ")


def comparison(rows):
    """A table per figure, algorithms by preference distributions."""
    text = ""
    for position, figure in enumerate(FIGURES, start=5):
        cells = {}
        for row in rows:
            if row[position] is not None:
                algorithm, distribution = row[2].split("-")
                cells.setdefault(NAMES[algorithm] + row[4], {}).setdefault(distribution, []).append(row[position])
        if cells:
            order = sorted(cells, key=lambda name: [*NAMES.values()].index(name.removesuffix("+FT")))
            text += table(title(figure, rows[0][0]), "algorithm", {name: cells[name] for name in order})
    return text


def settings(rows):
    """Return and clusters of every setting."""
    cells = {}
    for row in rows:
        cell = cells.setdefault(NAMES.get(row[2], row[2].replace("_", " ")) + row[4], {})
        cell.setdefault("scalarized return", []).append(row[5])
        if row[-1] is not None:
            cell.setdefault("clusters at the end", []).append(row[-1])
    return table("under Dirichlet preferences", "setting", {name: cells[name] for name in sorted(cells, key=by_number)})


def by_number(name):
    """Sorts "s min -0.2+FT" by its number, among names that end in none by their letters."""
    words, _, last = name.removesuffix("+FT").rpartition(" ")
    try:
        return words, float(last), name
    except ValueError:
        return name, 0, name


def main():
    results = Path(sys.argv[2])
    solutions = merge_solutions(results / "solutions.csv", load(Path(sys.argv[1])))
    figures = read_figures(results / "campaign.csv") | figures_of(solutions)
    if not figures:
        sys.exit(f"campaign_table: expected finished runs in {sys.argv[1]} or rows in {results}, found none")
    write_rows(results / "campaign.csv", FIGURES, figures)
    rows = [(*key, *figures[key]) for key in sorted(figures)]
    for workload in sorted({row[0] for row in rows}):
        text = f"# {workload}\n\nMean ± standard deviation over seeds, their number in parentheses.\n"
        for group in sorted({row[1] for row in rows if row[0] == workload}, key=lambda group: (group != "comparison", group)):
            here = [row for row in rows if row[:2] == (workload, group)]
            text += f"\n## {group}\n" + (comparison(here) if group in BY_DISTRIBUTION else settings(here))
        (results / f"{workload}.md").write_text(text)


if __name__ == "__main__":
    main()
