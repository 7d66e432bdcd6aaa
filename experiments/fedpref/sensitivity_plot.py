"""results/campaign.csv as results/sensitivity.svg: FedPref's return against top_r and s_min, beside the paper's.

The paper's figures on Deep-Sea Treasure are with its thresholds (epsilon 5, patience 2) and, as far as their rows s_min = -1 tell, all of
FedPref+FT."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from plotting import QUIET, curve, key, plt, read, save  # noqa: E402

RESULTS = pathlib.Path(__file__).resolve().parent / "results"
# Option -> what the presets have of it (those runs are in the group comparison).
USUAL = {"top_r": 1.0, "s_min": -1.0}
TITLES = {"top_r": "top_r, share of the entries that are compared", "s_min": "s_min, similarity from which clients are mixed"}
TOP_R = [0.2, 0.4, 0.6, 0.8, 1.0]
S_MIN = [-1.0, -0.8, -0.6, -0.4, -0.2, 0.0, 0.2, 0.4, 0.6, 0.8]
# Problem -> its title and the paper's Tables 14 and 13.
PAPER = {
    "deep_sea_treasure": ("Deep-Sea Treasure", {"top_r": (TOP_R, [2.24, 1.89, 1.35, 3.76, 2.52]),
                                                "s_min": (S_MIN, [4.41, 2.49, 4.63, 3.20, 2.73, 1.56, -0.69, 0.92, 0.85, 1.20])}),
    "lunar_lander": ("MO-Lunar Lander", {"top_r": (TOP_R, [33.18, 30.04, 30.42, 31.17, 30.84]),
                                         "s_min": (S_MIN, [32.22, 31.74, 32.09, 29.65, 27.47, 22.73, 13.24, 13.53, 14.03, 9.95])}),
}

rows = read(RESULTS / "campaign.csv")
figure, panels = plt.subplots(len(PAPER), len(USUAL), figsize=(8, 5.2), sharex="col", sharey="row", layout="constrained")
for line, (workload, (title, paper)) in zip(panels, PAPER.items()):
    line[0].set_ylabel(f"mean scalarized return\n{title}")
    for axes, (option, usual) in zip(line, USUAL.items()):
        of = [{**row, option: float(row["setting"].rsplit("_", 1)[1])} for row in rows
              if row["workload"] == workload and row["group"] == "sensitivity" and row["setting"].startswith(option)]
        seeds = {row["seed"] for row in of}
        of += [{**row, option: usual} for row in rows
               if row["workload"] == workload and row["group"] == "comparison" and row["setting"] == "fedpref-dirichlet" and row["seed"] in seeds]
        for k, (variant, label) in enumerate({None: "ends on a mixing", "+FT": "ends on a local round (+FT)"}.items()):
            curve(axes, [row for row in of if row["variant"] == variant], option, "scalarized_return", k, label=label)
        axes.plot(*paper[option], color=QUIET, linestyle=":", marker="x", linewidth=1, label="paper")
for axes, option in zip(panels[-1], USUAL):
    axes.set_xlabel(TITLES[option])
    axes.locator_params(axis="x", nbins=5)
key(figure, panels[0][0])
save(figure, RESULTS / "sensitivity.svg")
