#!/usr/bin/env python3
"""Similarity of the clients and their clusters (black frames) after rounds 5, 14 and 26 of one run, as in the paper's Figure 11.

Usage: similarity_plot.py RUN   writes results/similarity.csv (a row per round and client) and, as without a run, results/similarity.svg."""
import csv
import json
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from plotting import plt, read, save  # noqa: E402

RESULTS = pathlib.Path(__file__).resolve().parent / "results"
ROUNDS = [5, 14, 26]
FINE = 16


def write_table(run):
    lines = []
    for record in map(json.loads, (run / "metrics.jsonl").read_text().splitlines()):
        if record["round"] not in ROUNDS:
            continue
        clusters, similarity = record["metrics"]["clusters"], record["metrics"]["similarity"]
        clients = range(len(clusters))
        for client in clients:
            row = similarity[client * len(clients):(client + 1) * len(clients)]
            lines.append([record["round"], client, int(clusters[client]), *(round(value, 3) for value in row)])
    if len({line[0] for line in lines}) < len(ROUNDS):
        sys.exit(f"similarity_plot: expected rounds {ROUNDS} in {run}, found {sorted({line[0] for line in lines})}")
    with (RESULTS / "similarity.csv").open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["round", "client", "cluster", *clients])
        writer.writerows(lines)


if len(sys.argv) > 1:
    write_table(pathlib.Path(sys.argv[1]))
rows = read(RESULTS / "similarity.csv")
figure, panels = plt.subplots(1, len(ROUNDS), figsize=(8, 2.7), layout="constrained")
for number, axes in zip(ROUNDS, panels):
    own = [row for row in rows if row["round"] == number]
    clients = range(len(own))
    image = axes.imshow([[row[str(other)] for other in clients] for row in own], vmin=-1, vmax=1, cmap="YlGnBu")  # darker is more alike, in grey as well
    together = [[1.0 if row["cluster"] == other["cluster"] else 0.0 for other in own] for row in own]
    fine = np.kron(together, np.ones((FINE, FINE)))  # contours of it have sharp corners
    places = (np.arange(len(fine)) + 0.5) / FINE - 0.5
    if fine.min() == 0:
        axes.contour(places, places, fine, levels=[0.5], colors="white", linewidths=3)
        axes.contour(places, places, fine, levels=[0.5], colors="black", linewidths=1.2)
    axes.grid(False)
    axes.set_title(f"round {number}")
    axes.set_xticks([0, 5, 10, 15])
    axes.set_yticks([0, 5, 10, 15])
    axes.set_xlabel("client")
panels[0].set_ylabel("other client")
figure.colorbar(image, ax=panels, label="similarity of the updates", shrink=0.8)
save(figure, RESULTS / "similarity.svg")
