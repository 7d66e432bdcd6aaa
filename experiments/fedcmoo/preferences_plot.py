"""results/tables.csv as results/preferences.svg: the test losses of FedCMOO-Pref after 200 rounds under five preferences r, and the rays on which
r_1 F_1 = r_2 F_2, where each should end (the paper's Figure 4)."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from plotting import LOOKS, key, plt, read, save  # noqa: E402

RESULTS = pathlib.Path(__file__).resolve().parent / "results"
WORKLOADS = {"mnist_fmnist": ("MNIST+FMNIST", "MNIST", "Fashion-MNIST"), "multimnist": ("MultiMNIST", "first digit", "second digit")}
PREFERENCES = {"4:1": (4, 1), "2:1": (2, 1), "1:1": (1, 1), "1:2": (1, 2), "1:4": (1, 4)}

rows = [row for row in read(RESULTS / "tables.csv") if row["group"] == "fronts" and row["round"] == 200]
figure, panels = plt.subplots(1, 2, figsize=(8, 3.4), layout="constrained")
for axes, (workload, (title, first, second)) in zip(panels, WORKLOADS.items()):
    losses = {}
    for row in rows:
        if row["workload"] == workload:
            losses.setdefault((row["setting"].partition("r=")[2], row["seed"]), {})[int(row["objective"])] = row["test_loss"]
    ends = [max(pair[k] for pair in losses.values()) * 1.1 for k in (0, 1)]
    for k, (name, (r_1, r_2)) in enumerate(PREFERENCES.items()):
        reach = min(ends[0] * r_1, ends[1] * r_2)
        axes.plot([0, reach / r_1], [0, reach / r_2], color=LOOKS[k]["color"], linewidth=0.8, linestyle=(0, (2, 2)))
        points = [pair for (of, _), pair in sorted(losses.items()) if of == name]
        axes.plot([pair[0] for pair in points], [pair[1] for pair in points], **{**LOOKS[k], "linestyle": "none"}, label=f"r = {name}")
    axes.set_title(title)
    axes.set_xlabel(f"test loss, {first}")
    axes.set_ylabel(f"test loss, {second}")
    axes.set_xlim(0, ends[0])
    axes.set_ylim(0, ends[1])
key(figure, panels[0])
save(figure, RESULTS / "preferences.svg")
