"""results/privacy.csv as results/privacy.svg, results/examples.csv as results/examples.svg: the test accuracy of both objectives against
epsilon, of clients and of single examples."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from plotting import QUIET, curve, key, plt, read, save  # noqa: E402

RESULTS = pathlib.Path(__file__).resolve().parent / "results"


def draw(name, strategies, epsilons, delta):
    rows = [{**row, "place": epsilons.index(row["epsilon"]), "mnist": 100 * row["mnist"], "fashion": 100 * row["fashion"]}
            for row in read(RESULTS / f"{name}.csv")]
    figure, panels = plt.subplots(1, 2, figsize=(8, 2.8), sharey=True, layout="constrained")
    for axes, (objective, title) in zip(panels, {"mnist": "MNIST", "fashion": "Fashion-MNIST"}.items()):
        for k, (strategy, label) in enumerate(strategies.items()):
            of = [row for row in rows if row["run"] == strategy]
            curve(axes, [row for row in of if row["epsilon"] != "none"], "place", objective, k, label=label)
            curve(axes, [row for row in of if row["epsilon"] == "none"], "place", objective, k)
        axes.axhline(10, color=QUIET, linewidth=0.8, label="chance")
        axes.set_title(title)
        axes.set_xticks(range(len(epsilons)), [*map(str, epsilons[:-1]), "no noise"])
        axes.set_xlabel(f"epsilon of the whole run (delta = {delta})")
    panels[0].set_ylabel("test accuracy, %")
    panels[0].set_ylim(0, 100)
    key(figure, *panels)
    return figure


figure = draw("privacy", {"fedavg": "scalarized FedAvg", "fsmgda": "FSMGDA", "fedcmoo": "FedCMOO, small sketch"}, [1, 2, 4, 8, "none"], "1e-4")
save(figure, RESULTS / "privacy.svg")
figure = draw("examples", {"fedavg": "scalarized FedAvg", "fsmgda": "FSMGDA", "fedcmoo": "FedCMOO"}, [1, 4, "none"], "1e-5")
save(figure, RESULTS / "examples.svg")
