"""results/trajectories.csv as results/trajectories.svg: rewards, their weights and hypergradients over the rounds."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from plotting import curve, key, plt, read, save  # noqa: E402

RESULTS = pathlib.Path(__file__).resolve().parent / "results"
DATA = ["homo_homo", "homo_heter", "heter_heter"]

rows = read(RESULTS / "trajectories.csv")
names = [name.removeprefix("reward_") for name in rows[0] if name.startswith("reward_")]
for row in rows:
    for name in names:
        if row[f"hypergradient_{name}"] is not None:
            row[f"hypergradient_{name}"] *= 1e5
figure, panels = plt.subplots(3, len(DATA), figsize=(10, 6.8), sharex=True, sharey="row", layout="constrained")
for data, (rewards, weights, hypergradients) in zip(DATA, panels.T):
    fedmoa = [row for row in rows if (row["data"], row["method"]) == (data, "fedmoa")]
    fedgrpo = [row for row in rows if (row["data"], row["method"]) == (data, "fedgrpo")]
    for k, name in enumerate(names):
        curve(rewards, fedmoa, "round", f"reward_{name}", k, label=f"{name}, FedMOA")
        curve(rewards, fedgrpo, "round", f"reward_{name}", k, linestyle=":", linewidth=1, markerfacecolor="white",
              markevery=(1 - k % 2, 2), label=f"{name}, FedGRPO")
        curve(weights, fedmoa, "round", f"weight_{name}", k)
        curve(hypergradients, fedmoa, "round", f"hypergradient_{name}", k)
    rewards.set_title(data)
    hypergradients.set_xlabel("round")
for axes, label in zip(panels[:, 0], ["training reward", "weight of the reward", "mean hypergradient x $10^5$"]):
    axes.set_ylabel(label)
panels[0][0].set_ylim(0, 1.05)
panels[1][0].set_ylim(0, 0.6)
key(figure, panels[0][0], columns=3)
save(figure, RESULTS / "trajectories.svg")
