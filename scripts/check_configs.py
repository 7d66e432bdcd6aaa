#!/usr/bin/env python3
"""Runs legal configs that are drawn by chance from what `paretofl list` prints, and checks what they do.

Usage: scripts/check_configs.py [--seed N] [--configs N] [--jobs N] [--limit SECONDS]
       scripts/check_configs.py --seed N --only I    one config again, with all that it printed; its folder is kept

A config is a strategy on a small workload with some of their options, and with solvers, compressors, aggregators, liars, deadlines, noise
and secure sums in any combination. It either runs to its end, or is refused by one clear line; then:

- every figure of metrics.jsonl and summary.json is a finite number, or a warning says that it is not; there is one row for each round;
- with two threads (or through the wire format), and when it stops after a round and goes on, all rows and the parameters are the same bits;
- of some, a federation of processes has the same parameters and figures, where its server can know them (docs/parties.md);
- `report` and `evaluate` read the run, and `evaluate` finds the figures of summary.json;
- what is refused is refused with the same words with two threads.

A config that is refused is tried again without what it was refused for. Prints the faults and a table of the ends by strategy, and exits
with 1 if there was a fault. PARETOFL names the command (default build/paretofl).
"""

import argparse
import collections
import concurrent.futures
import json
import math
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from random_configs import Draw, make_tables, mend

ROOT = Path(__file__).resolve().parent.parent
CLEAR = re.compile(r"^paretofl: .*(expected .*found|--help tells)")
ROUNDS = 3
ATTEMPTS = 8
MEMORY = 16 << 30  # bytes of addresses

def odd_figures(value, path=""):
    """The paths of figures that are no finite numbers."""
    if isinstance(value, dict):
        return [odd for key, inner in value.items() for odd in odd_figures(inner, f"{path}/{key}")]
    if isinstance(value, list):
        return [odd for inner in value for odd in odd_figures(inner, path)]
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return [] if "/by_client" in path else [path]
    return []


def other_than(expected, found, path=""):
    """The paths of figures that are not those of another record. A federation's server may have fewer of them."""
    if isinstance(expected, dict) and isinstance(found, dict):
        pairs = [(expected.get(key, math.nan), found[key], f"{path}/{key}") for key in found]  # nan equals nothing
        return [odd for one, other, within in pairs for odd in other_than(one, other, within)]
    return [] if expected == found else [path]


class Check:
    def __init__(self, arguments, base):
        self.arguments, self.base = arguments, base
        self.paretofl = str(Path(os.environ.get("PARETOFL", ROOT / "build/paretofl")).resolve())
        self.parts = json.loads(subprocess.run([self.paretofl, "list", "--json"], capture_output=True, check=True).stdout)
        make_tables(base / "tables")

    def run(self, folder, *command):
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        try:
            done = subprocess.run([self.paretofl, *command], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, preexec_fn=limit,
                                  timeout=self.arguments.limit)
        except subprocess.TimeoutExpired:
            return "limit", "", ""
        code, out, err = done.returncode, done.stdout.decode(), done.stderr.decode()
        if self.arguments.only is not None:
            print(f"$ paretofl {' '.join(command)}\ncode {code}\n{out}{err}")
        return code, out, err

    def config(self, index):
        settings = Draw(self.arguments.seed, index, self.parts).draw(self.arguments.workload)
        settings["data.root"] = json.dumps(str(self.base / "tables"))
        return settings

    def check(self, index):
        """Returns (strategy, workload, how the run ended, the faults)."""
        settings = self.config(index)
        folder = Path(tempfile.mkdtemp(prefix=f"config-{index}-", dir=self.base))
        draw = random.Random(f"{self.arguments.seed}/{index}/then")
        ends, faults = [], []
        try:
            for attempt in range(ATTEMPTS):
                within = folder / str(attempt)
                within.mkdir()
                (within / "c.toml").write_text("".join(f"{key} = {value}\n" for key, value in settings.items()))
                end, found = self.ends(within, draw)
                ends.append(end)
                faults += found
                if found or not (end.startswith("refused") and mend(settings, end)):
                    break
        finally:
            if self.arguments.only is None:
                shutil.rmtree(folder, ignore_errors=True)
        return json.loads(settings["strategy.name"]), json.loads(settings["workload.name"]), ends, faults

    def ends(self, folder, draw):
        plain = ("--set", "runtime.threads=1", "--set", f"rounds={ROUNDS}")
        code, _, err = self.run(folder, "run", "c.toml", "--dir", "one", *plain)
        last = ([line for line in err.splitlines() if line.strip()] or [""])[-1]
        other = ["--set", "runtime.threads=2", "--set", f"rounds={ROUNDS}", "--set", f"runtime.through_wire={draw.choice(('true', 'false'))}"]
        if code == "limit":
            return "hang", ["hangs"]
        if code == 1 and CLEAR.match(last):
            faults = []
            if (folder / "one/summary.json").exists():
                faults += self.failed_run(folder / "one", last)
            again, _, words = self.run(folder, "run", "c.toml", "--dir", "two", *other)
            words = ([line for line in words.splitlines() if line.strip()] or [""])[-1]
            if again != 1 or words.replace("two", "one") != last.replace("two", "one"):
                faults.append(f"one thread: {last}; two: code {again}, {words}")
            return ("failed" if (folder / "one/summary.json").exists() else "refused") + ": " + last, faults
        if code != 0:
            return "broken", [f"code {code}: {last}"]
        faults = self.figures(folder / "one", told="is recorded as null" in err)
        expected = self.record(folder / "one")
        code, _, err = self.run(folder, "run", "c.toml", "--dir", "two", *other)
        faults += self.same(expected, folder / "two", code, err, "with two threads")
        first = draw.randint(1, ROUNDS - 1)
        self.run(folder, "run", "c.toml", "--dir", "three", "--set", f"rounds={first}")
        code, _, err = self.run(folder, "run", "--resume", "three", "--set", f"rounds={ROUNDS}")
        faults += self.same(expected, folder / "three", code, err, f"stopped after {first}")
        if draw.random() < self.arguments.federations:
            faults += self.federation(folder, expected)
        return "completed", faults + self.readers(folder)

    def federation(self, folder, expected):
        """The same with each client in a process of its own, which some configs are refused for."""
        if "noise_multiplier" in (folder / "c.toml").read_text():
            return []  # the noise of parties follows from their secrets
        code, _, err = self.run(folder, "federate", "c.toml", "--carrier", "sockets", "--dir", "four", "--set", f"rounds={ROUNDS}")
        if code == 1 and CLEAR.match(err.strip().splitlines()[-1]) and not (folder / "four/metrics.jsonl").exists():
            return []
        if code != 0:
            return [f"as a federation: code {code}: {err.strip().splitlines()[-1:]}"]
        rows, summary = self.record(folder / "four")
        odd = sorted({path for one, other in zip(expected[0], rows) for path in other_than(one, other)})
        odd += sorted(other_than(expected[1], {key: summary[key] for key in summary if key != "data_fingerprint"}))
        odd += [] if len(rows) == len(expected[0]) else [f"{len(rows)} rows"]
        return [f"as a federation: other {', '.join(odd)}"] if odd else []

    def failed_run(self, folder, last):
        summary = json.loads((folder / "summary.json").read_text())
        return [] if summary["status"] == "failed" and summary["failure"] in last else [f"summary.json: {summary.get('failure')}; stderr: {last}"]

    def figures(self, folder, told):
        faults = []
        rows = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
        summary = json.loads((folder / "summary.json").read_text())
        if summary["status"] != "completed":
            faults.append(f"exit code 0 with status {summary['status']}")
        numbers = [row["round"] for row in rows]
        if numbers != list(range(1, len(rows) + 1)) or (len(rows) != ROUNDS and "ended_by" not in summary):
            faults.append(f"rounds {numbers}")
        odd = sorted(set(odd_figures(rows) + odd_figures(summary)))
        return faults + ([f"not finite: {', '.join(odd)}"] if odd and not told else [])

    def record(self, folder):
        rows = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
        for row in rows:
            row.pop("seconds", None)
        summary = json.loads((folder / "summary.json").read_text())
        for key in ("wall_seconds", "cpu_seconds", "peak_rss_bytes", "started", "ended"):
            summary.pop(key, None)
        return rows, summary

    def same(self, expected, folder, code, err, how):
        if code != 0:
            return [f"{how}: code {code}: {err.strip().splitlines()[-1:]}"]
        rows, summary = self.record(folder)
        faults = []
        for one, other in zip(expected[0], rows):
            keys = [key for key in {*one, *other} if one.get(key) != other.get(key)]
            if keys:
                faults.append(f"{how}: round {one['round']} differs in {sorted(keys)}")
                break
        if len(rows) != len(expected[0]):
            faults.append(f"{how}: {len(rows)} rows instead of {len(expected[0])}")
        keys = [key for key in {*expected[1], *summary} if expected[1].get(key) != summary.get(key)]
        return faults + ([f"{how}: summary differs in {sorted(keys)}"] if keys else [])

    def readers(self, folder):
        faults = []
        code, out, err = self.run(folder, "report", "--json", "one")
        if code != 0:
            faults.append(f"report: code {code}: {err.strip()}")
        else:
            json.loads(out)
        code, out, err = self.run(folder, "report", "--terminal", "one")
        if code != 0:
            faults.append(f"report --terminal: code {code}: {err.strip()}")
        elif re.search(r"\b-?nan\b|\b-?inf\b", out):
            faults.append("report --terminal shows nan or inf")
        summary = json.loads((folder / "one/summary.json").read_text())
        code, out, err = self.run(folder, "evaluate", "one", "--json")
        if code != 0:
            if not (code == 1 and CLEAR.match(err.strip().splitlines()[-1])):
                faults.append(f"evaluate: code {code}: {err.strip()}")
        elif "test" in summary and not summary.get("chosen"):
            found = json.loads(out)
            if found.get("test") != summary["test"]:
                faults.append(f"evaluate: {found.get('test')} instead of {summary['test']}")
        return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--configs", type=int, default=60, help="how many configs")
    parser.add_argument("--jobs", type=int, default=2, help="how many at a time")
    parser.add_argument("--limit", type=float, default=60, help="seconds that a command may take")
    parser.add_argument("--federations", type=float, default=0.2, help="share of the runs that a federation repeats")
    parser.add_argument("--workload", help="this workload alone, also arithmetic, alignment or preference_pairs")
    parser.add_argument("--words", action="store_true", help="print how each run ended, with the words of the errors")
    parser.add_argument("--only", type=int, help="this config alone")
    arguments = parser.parse_args()
    base = Path(tempfile.mkdtemp(prefix="paretofl-configs-"))
    try:
        check = Check(arguments, base)
        if arguments.only is not None:
            print("".join(f"{key} = {value}\n" for key, value in check.config(arguments.only).items()))
        ends = collections.Counter()
        words = collections.Counter()
        bad = 0
        indices = [arguments.only] if arguments.only is not None else range(arguments.configs)
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            for index, (strategy, workload, all_ends, faults) in zip(indices, pool.map(check.check, indices)):
                for end in all_ends:
                    ends[strategy, end.split(":")[0]] += 1
                    words[end] += 1
                for fault in faults:
                    print(f"FAULT --only {index} ({strategy} on {workload}): {fault}", flush=True)
                bad += bool(faults)
        if arguments.words:
            for end, times in words.most_common():
                print(times, end)
        for (strategy, end), times in sorted(ends.items()):
            print(f"{strategy:20} {end:10} {times:4}")
    finally:
        if arguments.only is None:
            shutil.rmtree(base, ignore_errors=True)
        else:
            print(f"its folder: {base}")
    if bad:
        sys.exit(f"check_configs: expected no fault, found {bad}")


if __name__ == "__main__":
    main()
