"""results/alignment.csv and alignment_rounds.csv as results/alignment.svg: what the paper's figures show, on small models."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from plotting import LOOKS, QUIET, curve, plt, read, save  # noqa: E402

RESULTS = pathlib.Path(__file__).resolve().parent / "results"

ends = read(RESULTS / "alignment.csv")
rounds = read(RESULTS / "alignment_rounds.csv")
figure, panels = plt.subplots(2, 3, figsize=(11, 6.2), layout="constrained")


def compare(axes, title, column, settings):
    """The column over the rounds for settings (group, setting) with their labels."""
    for k, (place, label) in enumerate(settings.items()):
        curve(axes, [row for row in rounds if (row["group"], row["setting"]) == place], "round", column, k, linewidth=1, label=label)
    axes.set_ylabel(title)
    axes.set_xlabel("round")
    axes.legend(fontsize=7, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncol=2)


methods = {("rq1", "firm"): "FIRM", ("rq1", "fedcmoo_a"): "FedCMOO-A"}
betas = {("rq2", "beta_0"): "beta 0", ("rq2", "beta_0.05"): "beta 0.05"}
clients = {("rq1", "firm"): "FIRM", ("mixed", "mixed"): "two reward models", ("sources", "dirichlet"): "Dirichlet 0.3",
           ("many", "clients_16"): "16 clients"}
compare(panels[0][0], "mean lambda of helpfulness", "lambda_helpful", methods)
compare(panels[0][1], "training reward, helpful", "reward_helpful", methods)
compare(panels[0][2], "mean lambda of helpfulness", "lambda_helpful", clients)
compare(panels[1][0], "spread of the clients' lambdas", "lambda_spread", betas)
compare(panels[1][1], "disagreement drift", "disagreement_drift", betas)
panels[1][1].set_yscale("log")

front = panels[1][2]
settings = {}
for row in ends:
    if row["group"] == "rq3":
        settings.setdefault(row["setting"], []).append((row["helpful"], row["harmless"]))
means = {name: [sum(part) / len(part) for part in zip(*points)] for name, points in settings.items()}
order = sorted(means, key=lambda name: float(name.rpartition(",")[2]))
front.plot(*zip(*(means[name] for name in order)), color=QUIET, linewidth=1)
for k, name in enumerate(order):
    front.scatter(*zip(*settings[name]), color=LOOKS[k]["color"], marker=LOOKS[k]["marker"], s=20, zorder=2, label=name.removeprefix("p_").replace(",", ", "))
front.legend(fontsize=7, title="preference (harmless, helpful)", title_fontsize=7, handlelength=1)
front.set_xlabel("held-out reward, helpful")
front.set_ylabel("held-out reward, harmless")
save(figure, RESULTS / "alignment.svg")
