"""results/theory.csv as results/theory.svg: what Theorem 1 bounds against what it is bounded by, on two logarithmic axes."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from plotting import curve, key, plt, read, save  # noqa: E402

RESULTS = pathlib.Path(__file__).resolve().parent / "results"
SERIES = {"T": "local steps T", "beta": "regularizer beta", "B": "batch size B", "K": "local steps K per round", "C": "clients C"}
FIGURES = {"squared_gradient": "squared gradient", "disagreement_drift": "disagreement drift", "update_spread": "spread of the updates"}

rows = read(RESULTS / "theory.csv")
figure, panels = plt.subplots(1, len(SERIES), figsize=(12, 2.6), sharey=True, layout="constrained")
for axes, (series, title) in zip(panels, SERIES.items()):
    of = [row for row in rows if row["series"] == series]
    for k, (column, label) in enumerate(FIGURES.items()):
        curve(axes, of, "value", column, k, label=label)
    if min(row["value"] for row in of) > 0:
        axes.set_xscale("log")
    else:
        axes.set_xscale("symlog", linthresh=1e-4)
    values = sorted({row["value"] for row in of})
    shown = values[:: 2 if len(values) > 5 else 1]
    axes.set_xticks(shown, [f"{value:g}" for value in shown])
    axes.minorticks_off()
    axes.set_yscale("log")
    axes.set_xlabel(title)
panels[0].set_ylabel("mean over the rounds")
key(figure, panels[0])
save(figure, RESULTS / "theory.svg")
