"""results/tables.csv as results/local_steps.svg: the mean test accuracy of both objectives after 200 rounds against the number of local steps,
for FedCMOO and FSMGDA (the paper's Figure 2, which is after 500 rounds)."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from plotting import curve, key, plt, read, save  # noqa: E402

RESULTS = pathlib.Path(__file__).resolve().parent / "results"
WORKLOADS = {"mnist_fmnist": "MNIST+FMNIST", "multimnist": "MultiMNIST"}
STRATEGIES = {"fedcmoo": "FedCMOO", "fsmgda": "FSMGDA"}

rows = [row for row in read(RESULTS / "tables.csv") if row["round"] == 200 and (row["group"] == "tau" or (row["group"], row["setting"]) == ("main", "tau=10"))]
figure, panels = plt.subplots(1, 2, figsize=(8, 2.8), layout="constrained")
for axes, (workload, title) in zip(panels, WORKLOADS.items()):
    for k, (strategy, label) in enumerate(STRATEGIES.items()):
        means = {}
        for row in rows:
            if (row["workload"], row["strategy"]) == (workload, strategy):
                means.setdefault((int(row["setting"].removeprefix("tau=")), row["seed"]), []).append(50 * row["test_accuracy"])
        curve(axes, [{"steps": steps, "accuracy": sum(of_run)} for (steps, _), of_run in means.items()], "steps", "accuracy", k, label=label)
    axes.set_title(title)
    axes.set_xscale("log")
    axes.set_xticks([5, 10, 20, 40], ["5", "10", "20", "40"])
    axes.minorticks_off()
    axes.set_xlabel("local steps")
panels[0].set_ylabel("mean test accuracy, %")
key(figure, panels[0])
save(figure, RESULTS / "local_steps.svg")
