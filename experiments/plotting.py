"""What the plots of experiments/ have in common: reading a table, means with their range over seeds, reproducible SVG files."""
import csv

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.hashsalt": "paretofl", "svg.fonttype": "none", "font.size": 8, "axes.spines.top": False, "axes.spines.right": False,
                            "axes.titlesize": 9, "legend.frameon": False})
import matplotlib.pyplot as plt  # noqa: E402

COLORS = ["#1b6ca8", "#c8553d", "#3a7d44", "#7b4b94"]


def read(path):
    """The rows of a CSV file; what looks like a number is one, and nothing is None."""
    def value(text):
        try:
            return float(text) if text else None
        except ValueError:
            return text

    with open(path, newline="") as file:
        return [{name: value(text) for name, text in row.items()} for row in csv.DictReader(file)]


def curve(axes, rows, x, y, **style):
    """Mean of column y over the rows with the same x, and the range of the rows."""
    points = {}
    for row in rows:
        if row.get(y) is not None:
            points.setdefault(row[x], []).append(row[y])
    places = sorted(points)
    if not places:
        return
    (line,) = axes.plot(places, [sum(points[place]) / len(points[place]) for place in places], **style)
    axes.fill_between(places, [min(points[place]) for place in places], [max(points[place]) for place in places], color=line.get_color(),
                      alpha=0.15, linewidth=0)


def save(figure, path):
    figure.savefig(path, bbox_inches="tight", metadata={"Date": None})
    plt.close(figure)
    print(path)
