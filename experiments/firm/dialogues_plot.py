"""results/dialogues_rounds.csv as results/dialogues.svg: rewards, KL and lambda of FIRM and FedCMOO-A over the rounds."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from plotting import curve, plt, read, save  # noqa: E402

RESULTS = pathlib.Path(__file__).resolve().parent / "results"

rounds = [row for row in read(RESULTS / "dialogues_rounds.csv") if row["group"] == "rq1"]
figure, panels = plt.subplots(1, 4, figsize=(12, 2.9), layout="constrained")
for axes, title, column in zip(panels, ("training reward, helpful", "training reward, harmless", "KL per token", "mean lambda of helpfulness"),
                               ("reward_helpful", "reward_harmless", "kl", "lambda_helpful"), strict=True):
    for k, (setting, label) in enumerate({"firm": "FIRM", "fedcmoo_a": "FedCMOO-A"}.items()):
        curve(axes, [row for row in rounds if row["setting"] == setting], "round", column, k, linewidth=1, label=label)
    axes.set_ylabel(title)
    axes.set_xlabel("round")
panels[2].axhline(0.03, linewidth=0.7, linestyle="dotted", color="black")
panels[0].legend(fontsize=7)
save(figure, RESULTS / "dialogues.svg")
