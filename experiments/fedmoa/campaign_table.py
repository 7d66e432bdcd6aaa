"""Finished runs of campaign.sh as tables: python3 campaign_table.py RUNS RESULTS.

RESULTS/campaign.csv: a row per run. RESULTS/trajectories.csv: a row per run and round. RESULTS/campaign.md: means over seeds,
and what FedMOA's rewards, weights and hypergradients were on the way."""
import json
import pathlib
import statistics
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from kept_rows import replace  # noqa: E402

DATA = ["homo_homo", "homo_heter", "heter_heter"]
METHODS = ["fedgrpo", "adaptive", "aggregation", "fedmoa"]
TASKS = ["sums", "expressions"]


def mean(values):
    values = [value for value in values if value is not None]
    return sum(values) / len(values) if values else None


def run_row(folder, data, method, seed):
    summary = json.loads((folder / "summary.json").read_text())
    rounds = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
    chosen = summary["chosen"]
    overall = chosen["overall"]
    last = [row for row in rounds if "local_accuracy" in row["metrics"]][-1]
    row = {"data": data, "method": method, "seed": seed, "round": chosen["round"], "accuracy": overall["accuracy"],
           "reward": mean([overall.get(f"reward_{task}") for task in TASKS]),
           "local_accuracy": mean(last["metrics"]["local_accuracy"]), "local_reward": mean(last["metrics"]["local_reward"]),
           "last_accuracy": summary["overall"]["accuracy"], "response_length": overall["response_length"],
           "cpu_seconds": round(summary["cpu_seconds"])}
    for task in TASKS:
        row[f"accuracy_{task}"] = overall.get(f"accuracy_{task}")
        row[f"reward_{task}"] = overall.get(f"reward_{task}")
    trajectory = []
    for of_round in rounds:
        metrics = of_round["metrics"]
        trajectory.append({"data": data, "method": method, "seed": seed, "round": of_round["round"],
                           **{f"weight_{name}": weight for name, weight in zip(summary["objectives"], of_round["lambda"])},
                           **{f"reward_{name}": metrics[f"reward_{name}"] for name in summary["objectives"]},
                           **{f"hypergradient_{name}": metrics.get(f"hypergradient_{name}") for name in summary["objectives"]},
                           "response_length": metrics["response_length"], "flat_prompts": metrics["flat_prompts"],
                           "test_accuracy": of_round.get("overall", {}).get("accuracy")})
    return row, trajectory


def spread(values, scale=1.0, digits=3):
    values = [scale * value for value in values if value is not None]
    if not values:
        return ""
    text = f"{statistics.mean(values):.{digits}f}"
    return text + (f" ± {statistics.stdev(values):.{digits}f}" if len(values) > 1 else "")


def table(rows):
    yield "| data and rewards | method | seeds | accuracy, % (local models) | reward (local models) | by task, % | response length |"
    yield "|---|---|---|---|---|---|---|"
    for data in DATA:
        for method in METHODS:
            of = [row for row in rows if (row["data"], row["method"]) == (data, method)]
            if not of:
                continue
            tasks = [f"{task} {spread([row[f'accuracy_{task}'] for row in of], 100, 1)}" for task in TASKS
                     if of[0][f"accuracy_{task}"] is not None]
            figures = {name: spread([row[name] for row in of], *scale) for name, scale in
                       [("accuracy", (100, 1)), ("local_accuracy", (100, 1)), ("reward", ()), ("local_reward", ()), ("response_length", (1, 1))]}
            yield (f"| {data} | {method} | {len(of)} | {figures['accuracy']} ({figures['local_accuracy']}) | {figures['reward']} "
                   f"({figures['local_reward']}) | {', '.join(tasks)} | {figures['response_length']} |")


def saturation(trajectories):
    """FedMOA's course: means over seeds of each reward, its weight and its mean hypergradient."""
    names = [name.removeprefix("reward_") for name in trajectories[0] if name.startswith("reward_")]
    yield f"| data and rewards | round | {' | '.join(f'{name}: reward, weight, hypergradient x 1e5' for name in names)} |"
    yield "|---|---" + "|---" * len(names) + "|"
    for data in DATA:
        of = [row for row in trajectories if (row["data"], row["method"]) == (data, "fedmoa")]
        last = max((row["round"] for row in of), default=0)
        for number in [round for round in range(1, last + 1) if round == 1 or round % 4 == 0]:
            at = [row for row in of if row["round"] == number]
            cells = []
            for name in names:
                deltas = [row[f"hypergradient_{name}"] for row in at if row[f"hypergradient_{name}"] is not None]
                cells.append(f"{mean([row[f'reward_{name}'] for row in at]):.2f}, {mean([row[f'weight_{name}'] for row in at]):.2f}, "
                             + (f"{1e5 * mean(deltas):.2f}" if deltas else "not recorded"))
            yield f"| {data} | {number} | {' | '.join(cells)} |"


def main():
    runs, results = map(pathlib.Path, sys.argv[1:])
    rows, trajectories = [], []
    for data in DATA:
        for method in METHODS:
            for folder in sorted((runs / data).glob(f"{method}-*")):
                if (folder / "summary.json").exists():
                    row, trajectory = run_row(folder, data, method, int(folder.name.rpartition("-")[2]))
                    rows.append(row)
                    trajectories += trajectory
    replace(results / "campaign.csv", rows)
    replace(results / "trajectories.csv", trajectories)
    text = "\n".join([*table(rows), "", *saturation(trajectories)]) + "\n"
    (results / "campaign.md").write_text(text)
    print(text, end="")


main()
