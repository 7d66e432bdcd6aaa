"""results/local_progress.csv as results/local_progress.svg: by how much the losses of the clients fall in their local steps, as running means
over 20 rounds, with FedCMOO's steps on the weighted sum and with FSMGDA's on each objective alone, with its own rate (the paper's Figure 11)."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from plotting import curve, key, plt, read, save  # noqa: E402

RESULTS = pathlib.Path(__file__).resolve().parent / "results"
WORKLOADS = {"mnist_fmnist": ("MNIST", "Fashion-MNIST"), "multimnist": ("MultiMNIST, first digit", "MultiMNIST, second digit")}
WINDOW = 20


def running_means(rows):
    """The rows of one workload and objective with running means in the place of the two figures, for each seed."""
    means = []
    for seed in sorted({row["seed"] for row in rows}):
        of_seed = sorted((row for row in rows if row["seed"] == seed), key=lambda row: row["round"])
        for end in range(WINDOW, len(of_seed) + 1):
            window = of_seed[end - WINDOW:end]
            means.append({"seed": seed, "round": window[-1]["round"],
                          **{name: sum(row[name] for row in window) / WINDOW for name in ("together", "separate")}})
    return means


rows = [row for row in read(RESULTS / "local_progress.csv") if row["rate"] == "own"]
figure, panels = plt.subplots(2, 2, figsize=(8, 5), sharex=True, layout="constrained")
for line, (workload, titles) in zip(panels, WORKLOADS.items()):
    for objective, (axes, title) in enumerate(zip(line, titles)):
        means = running_means([row for row in rows if (row["workload"], row["objective"]) == (workload, objective)])
        for k, (column, label) in enumerate({"together": "FedCMOO's steps", "separate": "FSMGDA's steps"}.items()):
            curve(axes, means, "round", column, k, markevery=(0.05 * k, 0.13), label=label)
        axes.axhline(0, color="#5c6670", linewidth=0.6)
        axes.set_title(title)
    line[0].set_ylabel("fall of the loss in a round")
for axes in panels[-1]:
    axes.set_xlabel("round")
key(figure, panels[0][0])
save(figure, RESULTS / "local_progress.svg")
