#!/usr/bin/env python3
"""What FedCMOO's runs record of every round, in a row per run: the mean first objective weight, the mean diagonal of the Gramian (squared
lengths of the objectives' gradients) over the run's second half, and the largest ratio of a round's mean training loss to the last one's.

Usage: trajectories.py RUN_FOLDER...
"""

import json
import sys
from pathlib import Path
from statistics import mean

print("| run | rounds | lambda_1 | lambda_1, second half | Gramian's diagonal, second half | largest rise of the training loss |")
print("|---|---|---|---|---|---|")
for folder in map(Path, sys.argv[1:]):
    rounds = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
    late = rounds[len(rounds) // 2 :]
    weights, late_weights = (mean(line["lambda"][0] for line in part) for part in (rounds, late))
    size = len(rounds[0]["lambda"])
    diagonal = [mean(line["metrics"]["gramian"][j * (size + 1)] for line in late) for j in range(size)]
    losses = [mean(line["train"]["loss"].values()) for line in rounds]
    rise = max(after / before for before, after in zip(losses, losses[1:]))
    print(f"| {folder.name} | {len(rounds)} | {weights:.2f} | {late_weights:.2f} | {' / '.join(f'{x:.2f}' for x in diagonal)} | {rise:.2f} |")
