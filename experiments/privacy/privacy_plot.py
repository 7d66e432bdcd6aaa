"""results/privacy.csv as results/privacy.svg: the test accuracy of both objectives against epsilon."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from plotting import QUIET, curve, key, plt, read, save  # noqa: E402

RESULTS = pathlib.Path(__file__).resolve().parent / "results"
STRATEGIES = {"fedavg": "scalarized FedAvg", "fsmgda": "FSMGDA", "fedcmoo": "FedCMOO, small sketch"}
EPSILONS = [1, 2, 4, 8, "none"]

rows = [{**row, "place": EPSILONS.index(row["epsilon"]), "mnist": 100 * row["mnist"], "fashion": 100 * row["fashion"]}
        for row in read(RESULTS / "privacy.csv")]
figure, panels = plt.subplots(1, 2, figsize=(8, 2.8), sharey=True, layout="constrained")
for axes, (objective, title) in zip(panels, {"mnist": "MNIST", "fashion": "Fashion-MNIST"}.items()):
    for k, (strategy, label) in enumerate(STRATEGIES.items()):
        of = [row for row in rows if row["run"] == strategy]
        curve(axes, [row for row in of if row["epsilon"] != "none"], "place", objective, k, label=label)
        curve(axes, [row for row in of if row["epsilon"] == "none"], "place", objective, k)
    axes.axhline(10, color=QUIET, linewidth=0.8, label="chance")
    axes.set_title(title)
    axes.set_xticks(range(len(EPSILONS)), [*map(str, EPSILONS[:-1]), "no noise"])
    axes.set_xlabel("epsilon of the whole run (delta = 1e-4)")
panels[0].set_ylabel("test accuracy, %")
panels[0].set_ylim(0, 100)
key(figure, *panels)
save(figure, RESULTS / "privacy.svg")
