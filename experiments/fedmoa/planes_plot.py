"""results/planes.csv as results/planes.svg: the global models' way through the planes of accuracy and each other reward, and the clients' own
models (Figure 3 of the FedMOA paper)."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from plotting import LOOKS, key, plt, read, save  # noqa: E402

RESULTS = pathlib.Path(__file__).resolve().parent / "results"
CONFIGURATIONS = {"homo_homo": "Homo+Homo", "homo_heter": "Homo+Heter", "heter_heter": "Heter+Heter"}
PLANES = [("format", "accuracy"), ("tag_count", "accuracy"), ("tag_count", "format")]

rows = read(RESULTS / "planes.csv")
first = min(row["seed"] for row in rows)
figure, panels = plt.subplots(len(PLANES), len(CONFIGURATIONS), figsize=(10, 8.4), layout="constrained")
for (data, title), column in zip(CONFIGURATIONS.items(), panels.T):
    column[0].set_title(title)
    for axes, (x, y) in zip(column, PLANES):
        own = [row for row in rows if row["data"] == data and row["model"] != "server" and None not in (row[x], row[y])]
        axes.scatter([row[x] for row in own], [row[y] for row in own], s=9, color="#9aa3ab", linewidths=0, label="clients' own models")
        for k, (method, name) in enumerate((("fedgrpo", "FedGRPO"), ("fedmoa", "FedMOA"))):
            way = [row for row in rows if (row["data"], row["method"], row["seed"], row["model"]) == (data, method, first, "server")]
            axes.plot([row[x] for row in way], [row[y] for row in way], **{**LOOKS[k], "markersize": 3, "linewidth": 1}, label=f"{name}, global models")
            if way:
                axes.plot(way[-1][x], way[-1][y], **{**LOOKS[k], "linestyle": "none", "markersize": 8, "markeredgecolor": "black"},
                          label=f"{name}, after the last round")
        axes.ticklabel_format(useOffset=False)
        axes.tick_params(axis="x", labelrotation=30)
        axes.set_xlabel(x)
        axes.set_ylabel(y)
key(figure, panels[0][0], columns=5)
save(figure, RESULTS / "planes.svg")
