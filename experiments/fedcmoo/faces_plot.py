"""results/faces.csv as results/faces.svg: the test accuracy of each of 5 and of 40 objectives after the last round, in points above the best
answer that looks at no image (the paper's Figure 10, there of test losses on CelebA)."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from plotting import key, name_rings, plt, read, ring, save  # noqa: E402

RESULTS = pathlib.Path(__file__).resolve().parent / "results"
STRATEGIES = {"fedcmoo": "FedCMOO", "fsmgda": "FSMGDA", "fedavg": "scalarized FedAvg"}

rows = read(RESULTS / "faces.csv")
last = max(row["round"] for row in rows)
figure, panels = plt.subplots(1, 2, figsize=(10, 4.6), layout="constrained", subplot_kw={"projection": "polar"})
for axes, count in zip(panels, (5, 40)):
    final = [row for row in rows if (row["objectives"], row["round"]) == (count, last)]
    names = sorted({row["objective"] for row in final})
    for k, (strategy, label) in enumerate(STRATEGIES.items()):
        gains = [[100 * (row["test_accuracy"] - row["constant"]) for row in final if (row["strategy"], row["objective"]) == (strategy, name)] for name in names]
        ring(axes, [sum(of_seeds) / len(of_seeds) for of_seeds in gains], k, label=label)
    name_rings(axes, [name.replace("_", " ") for name in names], 8 if count == 5 else 5)
    axes.set_title(f"{count} objectives")
key(figure, panels[0])
save(figure, RESULTS / "faces.svg")
