"""results/qm9.csv as results/qm9.svg: the mean test loss of QM9's eleven tasks over the rounds and the uploaded bytes, and each task's after the
last round, of which 1 is the best answer that looks at no molecule (the paper's Figures 3 and 12)."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from plotting import curve, key, name_rings, plt, read, ring, save  # noqa: E402

RESULTS = pathlib.Path(__file__).resolve().parent / "results"
STRATEGIES = {"fedcmoo": "FedCMOO", "fsmgda": "FSMGDA", "fedavg": "scalarized FedAvg"}

rows = read(RESULTS / "qm9.csv")
figure = plt.figure(figsize=(10, 3.4), layout="constrained")
by_round, by_bytes = figure.add_subplot(1, 3, 1), figure.add_subplot(1, 3, 2)
rings = figure.add_subplot(1, 3, 3, projection="polar")
tasks = sorted({row["objective"] for row in rows})
last = max(row["round"] for row in rows)
for k, (strategy, label) in enumerate(STRATEGIES.items()):
    means = {}
    for row in rows:
        if row["strategy"] == strategy:
            means.setdefault((row["seed"], row["round"], row["uploaded_bytes"] / 1e6), []).append(row["test_loss"])
    points = [{"round": of_round, "megabytes": uploaded, "loss": sum(losses) / len(losses)} for (_, of_round, uploaded), losses in means.items()]
    curve(by_round, points, "round", "loss", k, label=label)
    curve(by_bytes, points, "megabytes", "loss", k)
    of_last = [[row["test_loss"] / row["constant"] for row in rows if (row["strategy"], row["round"], row["objective"]) == (strategy, last, task)] for task in tasks]
    ring(rings, [sum(losses) / len(losses) for losses in of_last], k)
by_round.set_xlabel("round")
by_round.set_ylabel("mean test loss")
by_bytes.set_xlabel("uploaded megabytes")
name_rings(rings, [task.replace("_", "\n") for task in tasks])
rings.set_title("test loss of each task; 1: a constant answer")
key(figure, by_round)
save(figure, RESULTS / "qm9.svg")
