#!/usr/bin/env python3
"""Checks that a build for any x86-64-v3 processor ends short runs with the recorded parameters, to the bit.

Usage: scripts/check_portable_bits.py [COMMAND] [--only NAME] [--runner PROGRAM...] [--record]
COMMAND is the paretofl of a build with PARETOFL_ARCH=x86-64-v3 (build/portable/paretofl by default; scripts/build.sh
portable 2 paretofl_command builds it). The runs and their hashes are those of tests/portable/runs.json; docs/reproducibility.md says
which workloads they stand for. Prints one line per run, and exits with 1 if any differs.

--runner runs the command under another program, such as an emulator of another processor:
  scripts/check_portable_bits.py --runner 'qemu-x86_64 -cpu Haswell' --only quadratics
"""

import argparse
import json
import platform
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RUNS = ROOT / "tests" / "portable" / "runs.json"


def processor():
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor()


def parameters_of(command, run):
    """The hash of the parameters that a run ends with."""
    with tempfile.TemporaryDirectory() as folder:
        words = [*command, "run", ROOT / "experiments" / run["config"], "--dir", Path(folder) / "run"]
        for key, value in run["set"].items():
            words += ["--set", f"{key}={value}"]
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode != 0:
            last = done.stderr.strip().splitlines()[-1:] or ["nothing on stderr"]
            sys.exit(f"{run['name']}: expected a run that ends well, found exit code {done.returncode}: {last[0]}")
        return json.loads((Path(folder) / "run" / "summary.json").read_text())["parameters_sha256"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", nargs="?", default=ROOT / "build" / "portable" / "paretofl", metavar="COMMAND")
    parser.add_argument("--only", help="the runs whose names begin so")
    parser.add_argument("--runner", default="", help="a program with its arguments that runs the command")
    parser.add_argument("--record", action="store_true", help="write the hashes that are found as those to expect")
    arguments = parser.parse_args()
    if arguments.record and arguments.only:
        sys.exit("--record: expected all runs, found --only")
    recorded = json.loads(RUNS.read_text())
    runs = [run for run in recorded["runs"] if run["name"].startswith(arguments.only or "")]
    if not runs:
        sys.exit(f"--only: expected the beginning of a run's name, found '{arguments.only}'")
    command = [*shlex.split(arguments.runner), arguments.command]
    different = 0
    for run in runs:
        start = time.monotonic()
        found = parameters_of(command, run)
        seconds = time.monotonic() - start
        if arguments.record:
            run["parameters_sha256"] = found
        same = found == run["parameters_sha256"]
        different += not same
        expected = "" if same else f"  expected {run['parameters_sha256'][:16]}..., found {found[:16]}..."
        print(f"{run['name']:32} {'same' if same else 'DIFFERS'} {seconds:6.1f} s{expected}", flush=True)
    if arguments.record:
        recorded["recorded_with"] = {"processor": processor(), "libc": " ".join(platform.libc_ver())}
        RUNS.write_text(json.dumps(recorded, indent=2) + "\n")
    if different:
        made = recorded["recorded_with"]
        sys.exit(f"expected the recorded parameters, found others in {different} of {len(runs)} runs; recorded on {made['processor']} with "
                 f"{made['libc']}, found on {processor()} with {' '.join(platform.libc_ver())}")


if __name__ == "__main__":
    main()
