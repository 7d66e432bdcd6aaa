#!/usr/bin/env python3
"""The tables of the FedCMOO paper from the runs of tables.sh: adds them to a CSV, which outlives the runs, and prints Markdown.

Usage: tables.py RUNS_FOLDER TABLE.csv
"""

import json
import sys
import tomllib
from pathlib import Path
from statistics import mean

sys.path.insert(0, str(Path(__file__).parents[1]))
from kept_rows import merge  # noqa: E402

# The paper's final test accuracies in percent (Tables 1, 2 and 4) and Gramian errors in percent (Table 3).
PAPER = {
    ("main", "mnist_fmnist"): {"fsmgda": (93.0, 75.4), "fedcmoo": (95.5, 78.8), "fedcmoo_pref": (94.0, 79.2), "single": (97.0, 90.1)},
    ("main", "multimnist"): {"fsmgda": (92.3, 88.2), "fedcmoo": (94.4, 92.6), "fedcmoo_pref": (93.8, 91.1), "single": (95.4, 93.1)},
    ("cifar", "cifar10_mnist"): {"fsmgda": (58.2, 96.2), "fedcmoo": (57.4, 96.8), "fedcmoo_pref": (63.6, 89.1)},
    ("mixed", "multimnist"): {"fedavg": (10.5, 93.4), "fsmgda": (94.6, 17.7), "fedcmoo": (95.0, 70.3)},
}
PAPER_DELTA = {
    "mnist_fmnist": {"fsmgda": 10.22, "fedcmoo": 7.04, "fedcmoo_pref": 7.60},
    "multimnist": {"fsmgda": 4.26, "fedcmoo": 0.79, "fedcmoo_pref": 1.91},
}
PAPER_NRMSE = {
    ("randomized_svd", "two-way"): {"cifar10_mnist": 1.38, "mnist_fmnist": 2.04, "multimnist": 1.76, "faces": 10.15},
    ("randomized_svd", "one-way"): {"cifar10_mnist": 1.68, "mnist_fmnist": 1.79, "multimnist": 1.96, "faces": 10.87},
    ("top_k", "two-way"): {"cifar10_mnist": 0.15, "mnist_fmnist": 0.04, "multimnist": 0.15, "faces": 17.15},
    ("top_k", "one-way"): {"cifar10_mnist": 0.04, "mnist_fmnist": 0.01, "multimnist": 0.10, "faces": 24.13},
    ("random_mask", "two-way"): {"cifar10_mnist": 10.26, "mnist_fmnist": 17.40, "multimnist": 12.98, "faces": 51.25},
    ("random_mask", "one-way"): {"cifar10_mnist": 4.23, "mnist_fmnist": 6.29, "multimnist": 5.70, "faces": 76.54},
    ("client_grams", ""): {"cifar10_mnist": 11.51, "mnist_fmnist": 20.61, "multimnist": 14.56, "faces": 50.95},
}
ROUNDS = (20, 40, 60, 80, 100, 200, 500)


COLUMNS = ["group", "workload", "strategy", "setting", "seed", "round", "objective", "test_accuracy", "test_loss", "bytes_up",
           "nrmse", "scaled_nrmse"]


def setting(options, nrmse):
    """What tells runs of one strategy apart."""
    parts = [f"tau={options['local_steps']}"]
    if options["name"] == "single_objective":
        parts.append(f"objective={options['objective']}")
    if options.get("preference"):
        parts.append("r=" + ":".join(f"{x:g}" for x in options["preference"]))
    if nrmse:
        parts.append("{name} two_way={two_way}".format_map({"two_way": "-"} | options["compressor"]))
        if not options["compressor"].get("scale", True):
            parts.append("scale=False")
    return " ".join(parts)


def rows_of(group, folder):
    """The CSV's rows of one finished run directory."""
    config = tomllib.loads((folder / "config.toml").read_text())
    lines = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
    errors = [[line["metrics"][name] for line in lines if name in line["metrics"]] for name in ("gramian_nrmse", "gramian_scaled_nrmse")]
    run = [group, config["workload"]["name"], config["strategy"]["name"], setting(config["strategy"], errors[0]), str(config["seed"])]
    bytes_up = 0
    for line in lines:
        bytes_up += line["bytes_up"]
        if "test" in line:
            accuracy, loss = line["test"]["accuracy"].values(), line["test"]["loss"].values()
            for objective, (hits, value) in enumerate(zip(accuracy, loss)):
                yield [*run, str(line["round"]), str(objective), f"{hits:.4f}", f"{value:.4f}", str(bytes_up),
                       *(f"{mean(values):.5g}" if values else "" for values in errors)]


class Run:
    """The rows of one run."""

    def __init__(self, rows):
        _, self.workload, self.strategy, options, seed = rows[0][:5]
        self.seed = int(seed)
        self.tau, self.objective, self.preference, self.compressor, self.two_way = None, None, None, None, None
        for word in options.split():
            name, _, value = word.partition("=")
            match name:
                case "tau": self.tau = int(value)
                case "objective": self.objective = int(value)
                case "r": self.preference = [float(x) for x in value.split(":")]
                case "two_way": self.two_way = value
                case "scale": self.compressor += " as it is"
                case _: self.compressor = name
        self.accuracy, self.loss, self.bytes_up = {}, {}, {}
        for row in sorted(rows, key=lambda row: (int(row[5]), int(row[6]))):
            number = int(row[5])
            self.accuracy[number] = (*self.accuracy.get(number, ()), float(row[7]))
            self.loss[number] = (*self.loss.get(number, ()), float(row[8]))
            self.bytes_up[number] = int(row[9])
        self.nrmse, self.scaled_nrmse = (float(value) if value else None for value in rows[0][10:12])
        self.rounds = max(self.accuracy)

    @property
    def final(self):
        return self.accuracy[self.rounds]


def table(header, rows):
    print("\n| " + " | ".join(header) + " |\n" + "|---" * len(header) + "|")
    for row in rows:
        print("| " + " | ".join(row) + " |")


def spread(values, scale=100.0, digits=1):
    """Mean, with the range over seeds where there are several."""
    text = f"{scale * mean(values):.{digits}f}"
    return text + (f" ({scale * min(values):.{digits}f}-{scale * max(values):.{digits}f})" if len(values) > 1 else "")


def accuracies(runs, at=None):
    """First / second objective over seeds, final or at a round."""
    points = [run.final if at is None else run.accuracy[at] for run in runs if at is None or at in run.accuracy]
    return " / ".join(spread(objective) for objective in zip(*points)) if points else "-"


def mean_accuracies(runs, choose):
    """Like accuracies(), of each run's mean over those of its evaluated rounds that `choose` takes from their list."""
    means = [[mean(column) for column in zip(*[run.accuracy[n] for n in choose(sorted(run.accuracy))])] for run in runs]
    return " / ".join(spread(objective) for objective in zip(*means))


def of_paper(group, workload, strategy):
    figures = PAPER.get(("main" if group == "presets" else group, workload), {}).get(strategy)
    return " / ".join(f"{x:.1f}" for x in figures) if figures else "-"


def grouped(runs, *keys):
    groups = {}
    for run in runs:
        groups.setdefault(tuple(key(run) for key in keys), []).append(run)
    return sorted(groups.items(), key=lambda item: str(item[0]))


def delta(of, single):
    """Delta_M in percent: mean relative loss of accuracy against single-objective training."""
    return 100 * mean((b - a) / b for a, b in zip(of, single))


def print_main(group, runs):
    for (workload,), of_workload in grouped(runs, lambda run: run.workload):
        finals = sorted({run.rounds for run in of_workload})
        print(f"\n### {workload}, {' or '.join(map(str, finals))} rounds{', as the presets are' if group == 'presets' else ''}")
        alone = [[], []]
        for run in of_workload:
            if run.strategy == "single_objective":
                alone[run.objective].append(run.final[run.objective])
        have_single = all(alone)
        rows = []
        for (strategy, final), seeds in grouped(of_workload, lambda run: run.strategy, lambda run: run.rounds):
            if strategy == "single_objective":
                continue
            change = f"{delta([mean(x) for x in zip(*(run.final for run in seeds))], [mean(x) for x in alone]):.2f}" if have_single else "-"
            paper = PAPER_DELTA.get(workload, {}).get(strategy) if group in ("main", "presets") else None
            rows.append([strategy, str(final), str(len(seeds)), accuracies(seeds), of_paper(group, workload, strategy), change, str(paper or "-")])
        if have_single:
            rows.append(["single objective", str(finals[-1]), str(len(alone[0])), " / ".join(spread(x) for x in alone), of_paper(group, workload, "single"), "0", "0"])
        table(["strategy", "rounds", "seeds", "test accuracy, %", "paper", "Delta_M, %", "paper"], rows)
        print("\nAccuracy by round:")
        rounds = sorted({n for n in ROUNDS if n <= finals[-1]} | set(finals))
        table(
            ["strategy"] + [f"round {n}" for n in rounds] + ["last five evaluations"],
            [
                [strategy] + [accuracies(seeds, n) for n in rounds] + [mean_accuracies(seeds, lambda evaluated: evaluated[-5:])]
                for (strategy,), seeds in grouped(of_workload, lambda run: run.strategy)
                if strategy != "single_objective"
            ],
        )
        print("\nUpload of all clients together, from the wire, and when the mean accuracy was reached (first seed):")
        reached = []
        for (strategy,), seeds in grouped(of_workload, lambda run: run.strategy):
            if strategy == "single_objective":
                continue
            run = seeds[0]
            per_round = run.bytes_up[run.rounds] / run.rounds
            cells = []
            for target in (0.6, 0.7, 0.8, 0.85, 0.9):
                first = [n for n, accuracy in sorted(run.accuracy.items()) if mean(accuracy) >= target]
                cells.append(f"{run.bytes_up[first[0]] / 1e6:.0f}" if first else "-")
            reached.append([strategy, f"{per_round / 1e6:.3f}"] + cells)
        table(["strategy", "MB per round", "MB to 60 %", "70 %", "80 %", "85 %", "90 %"], reached)


def print_tau(runs, main_runs):
    """Runs of the group tau, and those of main as they stood at the same round."""
    rounds = runs[0].rounds
    print(f"\n### Local steps, mean test accuracy of the objectives after {rounds} rounds")
    seeds = {(run.workload, run.strategy, run.seed) for run in runs}
    runs = runs + [run for run in main_runs if (run.workload, run.strategy, run.seed) in seeds]
    taus = sorted({run.tau for run in runs})
    rows = []
    for (workload, strategy), of_both in grouped(runs, lambda run: run.workload, lambda run: run.strategy):
        by_tau = {}
        for run in of_both:
            by_tau.setdefault(run.tau, []).append(mean(run.accuracy[rounds]))
        rows.append([workload, strategy] + [spread(by_tau[tau]) if tau in by_tau else "-" for tau in taus])
    table(["workload", "strategy"] + [f"tau = {tau}" for tau in taus], rows)


def print_longer(runs):
    print("\n### More rounds, test accuracy in %")
    rounds = range(500, max(run.rounds for run in runs) + 1, 100)
    rows = [
        [workload, strategy, str(len(seeds))]
        + [accuracies(seeds, n) for n in rounds]
        + [mean_accuracies(seeds, lambda evaluated: [n for n in evaluated if n > 500])]
        for (workload, strategy), seeds in grouped(runs, lambda run: run.workload, lambda run: run.strategy)
    ]
    table(["workload", "strategy", "seeds"] + [f"round {n}" for n in rounds] + ["mean of all later than 500"], rows)


def print_mixed(runs):
    print("\n### Mixed losses: the first objective on the squared error, test accuracy in %")
    rows = []
    for (workload, strategy), seeds in grouped(runs, lambda run: run.workload, lambda run: run.strategy):
        by_round = [accuracies(seeds, rounds) for rounds in (100, 200, 300, 500)]
        rows.append([workload, strategy, str(len(seeds))] + by_round + [of_paper("mixed", workload, strategy)])
    table(["workload", "strategy", "seeds", "round 100", "round 200", "round 300", "round 500", "paper"], rows)


def print_fronts(runs):
    print("\n### Preferences, FedCMOO-Pref, 200 rounds")
    rows = []
    runs = sorted(runs, key=lambda run: run.preference[0] / run.preference[1])
    for (workload,), of_workload in grouped(runs, lambda run: run.workload):
        for r in dict.fromkeys(tuple(run.preference) for run in of_workload):
            losses = [run.loss[run.rounds] for run in of_workload if tuple(run.preference) == r]
            rows.append([workload, f"{r[0]:g} : {r[1]:g}", str(len(losses)), " / ".join(spread(loss, 1, 3) for loss in zip(*losses)),
                         spread([second / first for first, second in losses], 1, 2), f"{r[0] / r[1]:.2f}"])
    table(["workload", "preference r", "seeds", "test losses F", "F_2 / F_1", "asked: r_1 / r_2"], rows)


def print_nrmse(runs):
    print("\n### Error of the Gramian, nRMSE in %, mean over rounds, FedCMOO-Pref; in brackets under the best scale in each round")
    workloads = sorted({run.workload for run in runs})
    cells = {}
    for run in runs:
        two_way = {"True": "two-way", "False": "one-way", "-": ""}[run.two_way]
        cells.setdefault((run.compressor, two_way), {})[run.workload] = (
            f"{100 * run.nrmse:.3g}" + (f" ({100 * run.scaled_nrmse:.3g})" if run.scaled_nrmse is not None else ""))
    rows = []
    for key, by_workload in sorted(cells.items()):
        row = [" ".join(key)]
        for workload in workloads:
            row += [by_workload.get(workload, "-"), str(PAPER_NRMSE.get(key, {}).get(workload, "-"))]
        rows.append(row)
    table(["compressor"] + [cell for workload in workloads for cell in (workload, "paper")], rows)


PRINTERS = {
    "main": lambda runs: print_main("main", runs),
    "presets": lambda runs: print_main("presets", runs),
    "mixed": print_mixed,
    "fronts": print_fronts,
    "nrmse": print_nrmse,
    "tau": print_tau,
    "longer": print_longer,
    "cifar": lambda runs: print_main("cifar", runs),
}


def main():
    folder, table_file = Path(sys.argv[1]), Path(sys.argv[2])
    fresh = [list(rows_of(group, path.parent)) for group in PRINTERS for path in sorted((folder / group).glob("*/summary.json"))]
    by_run = merge(table_file, COLUMNS, 5, fresh, order=lambda key: (list(PRINTERS).index(key[0]), key))
    if not by_run:
        sys.exit(f"tables: expected finished runs in {folder} or rows in {table_file}, found none")
    groups = {group: [Run(rows) for key, rows in sorted(by_run.items()) if key[0] == group] for group in PRINTERS}
    for group, runs in groups.items():
        if runs:
            PRINTERS[group](*([runs, groups["main"]] if group == "tau" else [runs]))


if __name__ == "__main__":
    main()
