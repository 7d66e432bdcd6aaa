#!/usr/bin/env python3
"""The sizes of the clusters that CFL and FedPref make, round by round, under Dirichlet preferences, as in the paper's Figures 23 and 24.

Usage: cluster_sizes_plot.py [RUNS]   takes the runs of campaign.sh below RUNS into results/cluster_sizes.csv, which keeps those it has,
and writes, as without runs, results/cluster_sizes.svg."""
import collections
import csv
import json
import pathlib
import sys

from matplotlib.ticker import MaxNLocator

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from plotting import plt, read, save  # noqa: E402

RESULTS = pathlib.Path(__file__).resolve().parent / "results"
COLUMNS = ["workload", "strategy", "seed", "round", "sizes"]
STRATEGIES = {"cfl": "CFL", "fedpref": "FedPref"}
WORKLOADS = {"lunar_lander": "MO-Lunar Lander", "minecart": "Deterministic Minecart", "deep_sea_treasure": "Deep-Sea Treasure",
             "half_cheetah": "MO-HalfCheetah", "lunar_lander_continuous": "MO-Lunar Lander, continuous"}


def sizes_of(run):
    """{round: sizes of the clusters from the largest on, such as "12 7 1"}, of the rounds whose sizes differ from those before, and of the last."""
    found, before, of_round = {}, None, None
    for record in map(json.loads, (run / "metrics.jsonl").read_text().splitlines()):
        if "clusters" not in record.get("metrics", {}):
            continue
        of_round, sizes = record["round"], " ".join(map(str, sorted(collections.Counter(record["metrics"]["clusters"]).values(), reverse=True)))
        if sizes != before:
            found[of_round] = before = sizes
    return found | {of_round: before}


def write_table(runs):
    path = RESULTS / "cluster_sizes.csv"
    rows = {}
    if path.exists():
        with path.open(newline="") as file:
            rows = {(row["workload"], row["strategy"], int(row["seed"]), int(row["round"])): row["sizes"] for row in csv.DictReader(file)}
    found = {}
    for strategy in STRATEGIES:
        for folder in (f"short/{strategy}-dirichlet", f"comparison/{strategy}-dirichlet", f"clusters/{strategy}"):
            for summary in runs.glob(f"*/{folder}-*/summary.json"):
                found[summary.parts[-4], strategy, int(summary.parts[-2].rsplit("-", 1)[1])] = sizes_of(summary.parent)
    if not found:
        sys.exit(f"cluster_sizes_plot: expected finished runs of {' or '.join(STRATEGIES)} in {runs}, found none")
    rows = {key: sizes for key, sizes in rows.items() if key[:3] not in found}
    rows |= {(*run, of_round): sizes for run, rounds in found.items() for of_round, sizes in rounds.items()}
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows([*key, rows[key]] for key in sorted(rows))


def shares(rows, clients):
    """[size - 1][round - 1]: the part of the clients that are in clusters of that size in that round, mean over the runs."""
    runs = {}
    for row in rows:
        runs.setdefault(row["seed"], {})[int(row["round"])] = [int(size) for size in row["sizes"].split(" ")]
    rounds = min(max(of_run) for of_run in runs.values())
    image = [[0.0] * rounds for _ in range(clients)]
    for of_run in runs.values():
        sizes = of_run[min(of_run)]
        for number in range(rounds):
            sizes = of_run.get(number + 1, sizes)
            for size in sizes:
                image[size - 1][number] += size / clients / len(runs)
    return image


def seeds(count):
    return f"{count} seed{'s' if count > 1 else ''}"


if len(sys.argv) > 1:
    write_table(pathlib.Path(sys.argv[1]))
table = read(RESULTS / "cluster_sizes.csv")
for row in table:  # a single cluster is read as a number
    row["sizes"] = f"{row['sizes']:g}" if isinstance(row["sizes"], float) else row["sizes"]
shown = [workload for workload in WORKLOADS if any(row["workload"] == workload for row in table)]
figure, panels = plt.subplots(len(shown), len(STRATEGIES), figsize=(7.2, 2.2 * len(shown) + 0.3), layout="constrained", squeeze=False)
for line, workload in zip(panels, shown):
    for axes, (strategy, label) in zip(line, STRATEGIES.items()):
        rows = [row for row in table if (row["workload"], row["strategy"]) == (workload, strategy)]
        axes.grid(False)
        if not rows:
            axes.axis("off")
            continue
        of_size = shares(rows, sum(map(int, rows[0]["sizes"].split(" "))))
        image = axes.imshow(of_size, origin="lower", aspect="auto", vmin=0, vmax=1, cmap="YlGnBu", interpolation="nearest",
                            extent=(0.5, len(of_size[0]) + 0.5, 0.5, len(of_size) + 0.5))
        axes.set_title(f"{label}, {WORKLOADS[workload]} ({seeds(len({row['seed'] for row in rows}))})")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.yaxis.set_major_locator(MaxNLocator(5, integer=True))
    line[0].set_ylabel("clients in the cluster")
for axes in panels[-1]:
    axes.set_xlabel("round")
figure.colorbar(image, ax=panels, label="share of all clients")
save(figure, RESULTS / "cluster_sizes.svg")
