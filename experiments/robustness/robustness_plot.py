"""results/robustness.csv as results/robustness.svg: the smaller accuracy of the two objectives by what the liars do and by aggregator. A run
that ended with an error counts as chance, as in the table."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from plotting import LOOKS, QUIET, key, plt, read, save  # noqa: E402

RESULTS = pathlib.Path(__file__).resolve().parent / "results"
STRATEGIES = {"fedcmoo": "FedCMOO", "fsmgda": "FSMGDA", "fedavg": "scalarized FedAvg"}
ADVERSARIES = {"none": "nobody lies", "sign_flip": "sign_flip", "scale": "scale by 100", "poison_objective": "poison_objective"}
AGGREGATORS = ["mean", "coordinate_median", "trimmed_mean", "geometric_median", "multi_krum", "norm_clipping"]
CHANCE = 10

rows = read(RESULTS / "robustness.csv")
figure, panels = plt.subplots(len(STRATEGIES), 1, figsize=(8, 6.4), sharex=True, sharey=True, layout="constrained")
for axes, (strategy, title) in zip(panels, STRATEGIES.items()):
    for k, (aggregator, look) in enumerate(zip(AGGREGATORS, LOOKS)):
        for place, adversary in enumerate(ADVERSARIES):
            values = [100 * min(row["accuracy_mnist"], row["accuracy_fashion"]) if row["status"] == "completed" else CHANCE
                      for row in rows if (row["strategy"], row["adversary"], row["aggregator"]) == (strategy, adversary, aggregator)]
            x, middle = place + 0.12 * (k - 2.5), sum(values) / len(values)
            axes.plot([x, x], [min(values), max(values)], color=look["color"], alpha=0.5)
            axes.plot(x, middle, color=look["color"], marker=look["marker"], markersize=6, linestyle="", label=aggregator)
    axes.axhline(CHANCE, color=QUIET, linewidth=0.8, label="chance")
    axes.set_title(title)
    axes.grid(False, axis="x")
    axes.set_ylabel("smaller accuracy, %")
panels[-1].set_xticks(range(len(ADVERSARIES)), ADVERSARIES.values())
panels[-1].set_xlabel("what two of ten clients do")
panels[0].set_ylim(bottom=0)
key(figure, panels[0], columns=4)
save(figure, RESULTS / "robustness.svg")
