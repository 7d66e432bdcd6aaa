"""The one style of the plots of experiments/, that of the report's figures: Okabe and Ito's colours with a marker and a dash of their own, so
that lines differ in grey as well. And reading a table, means with their range over seeds, reproducible SVG files."""
import csv
import math
import os
import pathlib

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update({
    "svg.hashsalt": "paretofl", "svg.fonttype": "none", "font.size": 8, "axes.titlesize": 9, "axes.spines.top": False, "axes.spines.right": False,
    "axes.edgecolor": "#5c6670", "axes.grid": True, "grid.color": "#e4e8ec", "grid.linewidth": 0.6, "axes.axisbelow": True, "legend.frameon": False,
    "legend.handlelength": 4.0, "lines.linewidth": 1.3, "lines.markersize": 4.5, "axes.formatter.use_mathtext": True,
})
import matplotlib.pyplot as plt  # noqa: E402

# Of line k: its colour, marker and dash.
LOOKS = [dict(color=color, marker=marker, linestyle=(0, dash)) for color, marker, dash in [
    ("#0072b2", "o", ()), ("#d55e00", "^", (5, 2)), ("#009e73", "s", (1.2, 1.4)), ("#b8578f", "D", (7, 2, 1.5, 2)), ("#c98500", "v", (3, 1.5)),
    ("#555d66", "X", (9, 3))]]
QUIET = "#5c6670"


def read(path):
    """The rows of a CSV file; what looks like a number is one, and nothing is None."""
    def value(text):
        try:
            return float(text) if text else None
        except ValueError:
            return text

    with open(path, newline="") as file:
        return [{name: value(text) for name, text in row.items()} for row in csv.DictReader(file)]


def curve(axes, rows, x, y, k, **style):
    """Mean of column y over the rows with the same x, and the range of the rows, in look k. Where points are many, about ten have a marker,
    and those of another look stand elsewhere."""
    points = {}
    for row in rows:
        if row.get(y) is not None:
            points.setdefault(row[x], []).append(row[y])
    places = sorted(points)
    if not places:
        return
    step = math.ceil(len(places) / 10) if len(places) > 12 else 1
    look = {**LOOKS[k], "markevery": (k % step, step), **style}
    (line,) = axes.plot(places, [sum(points[place]) / len(points[place]) for place in places], **look)
    lows, highs = ([pick(points[place]) for place in places] for pick in (min, max))
    if len(places) == 1:
        axes.vlines(places, lows, highs, color=line.get_color(), alpha=0.5)
    else:
        axes.fill_between(places, lows, highs, color=line.get_color(), alpha=0.15, linewidth=0)


def ring(axes, values, k, **style):
    """One value for each of the directions of a polar panel, joined in look k."""
    angles = [2 * math.pi * i / len(values) for i in range(len(values))]
    axes.plot([*angles, angles[0]], [*values, values[0]], **{**LOOKS[k], "markersize": 3, **style})


def name_rings(axes, names, size=6):
    """Names the directions of a polar panel."""
    axes.set_xticks([2 * math.pi * i / len(names) for i in range(len(names))], names, fontsize=size)
    axes.spines["polar"].set_color("#e4e8ec")


def key(figure, *panels, columns=6):
    """One key of all lines of the panels, below the figure."""
    entries = {}
    for axes in panels:
        for handle, label in zip(*axes.get_legend_handles_labels()):
            entries.setdefault(label, handle)
    figure.legend(entries.values(), entries.keys(), loc="upper center", bbox_to_anchor=(0.5, 0), ncol=min(columns, len(entries)))


def save(figure, path):
    """Writes the figure; where PARETOFL_PLOTS names a folder, to a file of that name there."""
    folder = os.environ.get("PARETOFL_PLOTS")
    path = pathlib.Path(folder) / path.name if folder else path
    figure.savefig(path, bbox_inches="tight", metadata={"Date": None})
    plt.close(figure)
    print(path)
