"""results/trajectories.csv as results/trajectories.svg: rewards, their weights and hypergradients over the rounds."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from plotting import COLORS, curve, plt, read, save  # noqa: E402

RESULTS = pathlib.Path(__file__).resolve().parent / "results"
DATA = ["homo_homo", "homo_heter", "heter_heter"]

rows = read(RESULTS / "trajectories.csv")
names = [name.removeprefix("reward_") for name in rows[0] if name.startswith("reward_")]
figure, panels = plt.subplots(len(DATA), 3, figsize=(10, 6.5), sharex=True, gridspec_kw={"wspace": 0.3})
for data, line in zip(DATA, panels):
    fedmoa = [row for row in rows if (row["data"], row["method"]) == (data, "fedmoa")]
    fedgrpo = [row for row in rows if (row["data"], row["method"]) == (data, "fedgrpo")]
    for name, color in zip(names, COLORS):
        curve(line[0], fedmoa, "round", f"reward_{name}", color=color, label=name)
        curve(line[0], fedgrpo, "round", f"reward_{name}", color=color, linestyle=":", linewidth=1)
        curve(line[1], fedmoa, "round", f"weight_{name}", color=color)
        curve(line[2], fedmoa, "round", f"hypergradient_{name}", color=color)
    line[0].set_ylabel(data)
    line[0].set_ylim(0, 1)
    line[1].set_ylim(0, 0.6)
for axes, title in zip(panels[0], ["training rewards (dotted: FedGRPO)", "FedMOA's weights", "mean hypergradients"]):
    axes.set_title(title)
for axes in panels[-1]:
    axes.set_xlabel("round")
panels[0][0].legend(fontsize=7)
save(figure, RESULTS / "trajectories.svg")
