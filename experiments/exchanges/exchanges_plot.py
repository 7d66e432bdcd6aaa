"""results/exchanges.csv as results/exchanges.svg: the accuracy against the simulated time, and against the rounds."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from plotting import curve, key, plt, read, save  # noqa: E402

RESULTS = pathlib.Path(__file__).resolve().parent / "results"
MODES = {3: "three exchanges a round (two-way sketches)", 2: "two (one-way sketches)", 1: "one (Gramian of the round before)"}
ROUNDS = [20, 40, 60, 80, 100]

points = [{"exchanges": row["exchanges"], "round": number, "seconds": row["seconds"] * number / ROUNDS[-1], "accuracy": 100 * row[f"accuracy_{number}"]}
          for row in read(RESULTS / "exchanges.csv") for number in ROUNDS]
figure, panels = plt.subplots(1, 2, figsize=(8, 2.8), sharey=True, layout="constrained")
for axes, (column, title) in zip(panels, {"seconds": "simulated time, s", "round": "round"}.items()):
    for k, (exchanges, label) in enumerate(MODES.items()):
        curve(axes, [point for point in points if point["exchanges"] == exchanges], column, "accuracy", k, label=label)
    axes.set_xlim(left=0)
    axes.set_xlabel(title)
panels[0].set_ylabel("test accuracy, mean of both objectives, %")
key(figure, panels[0])
save(figure, RESULTS / "exchanges.svg")
