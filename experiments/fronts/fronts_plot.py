"""results/fronts.csv as results/fronts.svg: for each problem the models of one seed at the end, and the hypervolume of five models against the CPU
seconds of training, mean and range over the seeds."""
import csv
import pathlib
import sys

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent), str(pathlib.Path(__file__).resolve().parent.parent)]
from fronts_table import METHODS, METRICS, POINTS, Fronts  # noqa: E402
from plotting import LOOKS, curve, key, plt, save  # noqa: E402

RESULTS = pathlib.Path(__file__).resolve().parent / "results"
SEED = "1"
NAMES = {"robust_quadratics": ("loss of objective 0", "loss of objective 1"), "mnist_fmnist": ("MNIST, test accuracy", "Fashion-MNIST, test accuracy")}

by_run = {}
with (RESULTS / "fronts.csv").open(newline="") as file:
    for row in list(csv.reader(file))[1:]:
        by_run.setdefault(tuple(row[:4]), []).append(row)
figure, panels = plt.subplots(2, 2, figsize=(8, 5.6), layout="constrained")
for (front, volume), (workload, names) in zip(panels, NAMES.items()):
    fronts = Fronts(workload, {run: rows for run, rows in by_run.items() if run[0] == workload})
    for k, (method, words) in enumerate(METHODS.items()):
        label = words.replace("`", "")
        models = fronts.models[method, SEED, fronts.rounds[-1]]
        joined = {} if method.startswith("manifold") else {"linestyle": "none"}
        front.plot([float(row[7]) for row in models], [float(row[8]) for row in models], **{**LOOKS[k], **joined}, markersize=3, label=label)
        points = [{"seconds": fronts.seconds(method, at), "volume": value} for at in fronts.rounds for value in fronts.volumes(method, at, POINTS).values()]
        curve(volume, points, "seconds", "volume", k, label=label)
    front.set_xlabel(names[0])
    front.set_ylabel(names[1])
    front.set_title(f"{workload}: models after {fronts.rounds[-1]} rounds, seed {SEED}")
    volume.set_xlabel("CPU seconds of training, all runs of the method")
    volume.set_ylabel(f"hypervolume of {POINTS} models, {METRICS[workload]}")
    volume.set_xscale("log")
key(figure, panels[0][0], columns=3)
save(figure, RESULTS / "fronts.svg")
