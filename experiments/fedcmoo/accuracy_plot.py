"""results/tables.csv as results/accuracy.svg: the test accuracy of each objective over the rounds."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from plotting import curve, key, plt, read, save  # noqa: E402

RESULTS = pathlib.Path(__file__).resolve().parent / "results"
WORKLOADS = {"mnist_fmnist": ("MNIST", "Fashion-MNIST"), "multimnist": ("MultiMNIST, first digit", "MultiMNIST, second digit")}
STRATEGIES = {"fedcmoo": "FedCMOO", "fedcmoo_pref": "FedCMOO-Pref", "fsmgda": "FSMGDA", "fedavg": "scalarized FedAvg"}

rows = [{**row, "test_accuracy": 100 * row["test_accuracy"]} for row in read(RESULTS / "tables.csv") if row["group"] == "main" and row["setting"] == "tau=10"]
figure, panels = plt.subplots(2, 2, figsize=(8, 5), sharex=True, sharey=True, layout="constrained")
for line, (workload, titles) in zip(panels, WORKLOADS.items()):
    for objective, (axes, title) in enumerate(zip(line, titles)):
        for k, (strategy, label) in enumerate(STRATEGIES.items()):
            curve(axes, [row for row in rows if (row["workload"], row["strategy"], row["objective"]) == (workload, strategy, objective)], "round",
                  "test_accuracy", k, markevery=(0.03 * k, 0.13), label=label)
        axes.set_title(title)
    line[0].set_ylabel("test accuracy, %")
for axes in panels[-1]:
    axes.set_xscale("log")
    axes.set_xticks([10, 20, 50, 100, 200, 500], ["10", "20", "50", "100", "200", "500"])
    axes.minorticks_off()
    axes.set_xlabel("round")
panels[0][0].set_ylim(top=100)
key(figure, panels[0][0])
save(figure, RESULTS / "accuracy.svg")
