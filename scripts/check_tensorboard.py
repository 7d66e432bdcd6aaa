#!/usr/bin/env python3
"""Compares a run's TensorBoard event file with its metrics.jsonl, read by TensorBoard itself.

Usage: scripts/check_tensorboard.py RUN_DIR      (needs the Python package tensorboard)
Exits with 1 where a point is missing, differs, or is too many.
"""

import json
import pathlib
import struct
import sys

from tensorboard.backend.event_processing.event_accumulator import EventAccumulator


def float32(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


def collect(tag, value, points, step):
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        points[tag, step] = float32(value)
    elif isinstance(value, dict):
        for key, entry in value.items():
            collect(f"{tag}/{key}", entry, points, step)
    elif isinstance(value, list):
        for index, entry in enumerate(value):
            collect(f"{tag}/{index}", entry, points, step)


def expected_points(run):
    objectives = json.loads((run / "summary.json").read_text())["objectives"]
    points = {}
    for line in (run / "metrics.jsonl").read_text().splitlines():
        row = json.loads(line)
        step = row.pop("round")
        if "failures" in row:
            points["failures", step] = float(len(row.pop("failures")))
        row["lambda"] = dict(zip(objectives, row.get("lambda", [])))
        for key, value in row.items():
            collect(key, value, points, step)
    return points


def found_points(run):
    accumulator = EventAccumulator(str(run), size_guidance={"scalars": 0})
    accumulator.Reload()
    return {(tag, event.step): event.value for tag in accumulator.Tags()["scalars"] for event in accumulator.Scalars(tag)}


def main():
    if len(sys.argv) != 2 or not pathlib.Path(sys.argv[1], "metrics.jsonl").is_file():
        sys.exit("check_tensorboard: expected one run directory")
    run = pathlib.Path(sys.argv[1])
    expected, found = expected_points(run), found_points(run)
    wrong = sorted(point for point in expected.keys() | found.keys() if expected.get(point) != found.get(point))
    for point in wrong[:10]:
        print(f"check_tensorboard: {point[0]} at round {point[1]}: expected {expected.get(point)}, found {found.get(point)}")
    tags = {tag for tag, _ in found}
    print(f"{run}: TensorBoard reads {len(found)} points of {len(tags)} tags, {len(wrong)} of them wrong")
    sys.exit(1 if wrong or not found else 0)


main()
