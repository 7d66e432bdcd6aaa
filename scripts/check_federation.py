#!/usr/bin/env python3
"""Disturbs federations on this machine in many ways, from a seed, and looks at how every run ends.

Usage: scripts/check_federation.py [--seed N] [--faults N] [--all | --kinds KIND,..] [--jobs N]
       scripts/check_federation.py --seed N --only KIND:I    one fault again; its folder is kept

Without --all, clients are resident processes behind sockets; with it, there are also MPI jobs and Flower deployments, some of them in network
namespaces. --help lists the kinds. Three ends are right: the run ends with the parameters of an undisturbed one (same bits), after --resume
where the server itself was struck; it ends, and metrics.jsonl names every client that was left out (told), where a deadline or a client
that is gone allows that; or what does not belong to the federation is refused with one line that says why (refused). Everything else is
wrong, and what does not end in time has hung.

Prints a line for each fault: what was done and when, what the system said, how it ended. Then a table by kind. Exits with 1 if anything was
wrong or has hung. PARETOFL names the command, PARETOFL_FLOWER the virtual environment of `make flower`. As root and with iproute2, all runs
in namespaces of its own, and ends with this process.
"""

import argparse
import collections
import concurrent.futures
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import faults_over_flower
import faults_over_mpi
import faults_over_sockets
from federation_scene import REFUSED, SAME, TOLD, Fault, Federation, Hang, Outcome, make_problem

OVER = (faults_over_sockets, faults_over_mpi, faults_over_flower)
MODULE_OF = {kind.__name__: module for module in OVER for kind in module.KINDS}
KIND = {kind.__name__: kind for module in OVER for kind in module.KINDS}
VERDICTS = (SAME, TOLD, REFUSED, "wrong", "hung")
# Faults of one kind, as a share of all: those that take long are few, and begin first.
SHARES = {"keys": 1 / 50, "flower_strangers": 1 / 50, **{kind.__name__: 1 / 16 for kind in faults_over_mpi.KINDS}}
SHARE_OVER_FLOWER = 1 / 100


def plan(faults, everything):
    """How many faults of which kind, as (kind, number)."""
    kinds = [kind.__name__ for kind in faults_over_sockets.KINDS]
    few = [(kind.__name__, i) for module in (faults_over_flower, faults_over_mpi) if everything for kind in module.KINDS
           for i in range(max(1, int(faults * SHARES.get(kind.__name__, SHARE_OVER_FLOWER))))]
    many = [(kinds[i % len(kinds)], i // len(kinds)) for i in range(faults - len(few))]
    return few + many


def attempt(kind, number, arguments, folder, problems):
    """One fault: its name, verdict, line."""
    begin, own = time.monotonic(), folder / f"{kind}{number}"
    own.mkdir()
    module = MODULE_OF[kind]
    federation = getattr(module, "Federation", Federation)(own, problems[module], arguments.isolated)
    federation.number = number
    try:
        outcome = KIND[kind](federation, random.Random(f"{arguments.seed} {kind} {number}"))
    except Fault as fault:
        outcome = Outcome("hung" if isinstance(fault, Hang) else "wrong", "", str(fault))
    finally:
        federation.end()
    if arguments.only or outcome.verdict in ("wrong", "hung"):
        kept = Path(tempfile.mkdtemp(prefix="pf-kept-"))
        shutil.copytree(own, kept, dirs_exist_ok=True, ignore=lambda path, names: [name for name in names if (Path(path) / name).is_socket()])
        outcome.said += f" (kept in {kept})"
    shutil.rmtree(own, ignore_errors=True)
    parts = [f"{kind}:{number} (seed {arguments.seed})", outcome.struck, outcome.said or "nothing said", f"{outcome.verdict} ({time.monotonic() - begin:.1f} s)"]
    return kind, outcome.verdict, " | ".join(part for part in parts if part)


def check(arguments, folder):
    planned = plan(arguments.faults, arguments.all)
    if arguments.kinds:
        kinds = arguments.kinds.split(",")
        planned = [(kinds[i % len(kinds)], i // len(kinds)) for i in range(arguments.faults)]
    if arguments.only:
        kind, number = arguments.only.split(":")
        planned = [(kind, int(number))]
    wanted = {kind for kind, _ in planned}
    missing = {module.missing(wanted, arguments.isolated) for module in OVER if wanted & {kind.__name__ for kind in module.KINDS}} - {""}
    if missing:
        print(f"check_federation: expected {'; '.join(sorted(missing))}", file=sys.stderr)
        return 2
    problems = {module: make_problem(folder / module.__name__, **module.SETUP) for module in {MODULE_OF[kind] for kind in wanted}}
    counts = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        attempts = [pool.submit(attempt, *fault, arguments, folder, problems) for fault in planned]
        for done in concurrent.futures.as_completed(attempts):
            kind, verdict, line = done.result()
            counts[kind, verdict] += 1
            print(line, flush=True)
    table(counts, planned)
    return 1 if any(counts[kind, verdict] for kind in KIND for verdict in ("wrong", "hung")) else 0


def table(counts, planned):
    tried = collections.Counter(kind for kind, _ in planned)
    rows = [(kind, tried[kind], [counts[kind, verdict] for verdict in VERDICTS]) for kind in KIND if tried[kind]]
    rows.append(("all", len(planned), [sum(counts[kind, verdict] for kind in KIND) for verdict in VERDICTS]))
    print(f"\n| kind | tried | {' | '.join(VERDICTS)} |\n|{'---|' * (2 + len(VERDICTS))}")
    for kind, number, cells in rows:
        print(f"| {kind} | {number} | {' | '.join(map(str, cells))} |")


def main():
    kinds = "\n".join(f"  {name:18} {kind.__doc__}" for name, kind in KIND.items())
    parser = argparse.ArgumentParser(description=f"{__doc__}\nkinds:\n{kinds}", formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--faults", type=int, default=120, help="in all, spread over the kinds")
    parser.add_argument("--all", action="store_true", help="all kinds, not only those over sockets")
    parser.add_argument("--kinds", help="these kinds alone, separated by commas")
    parser.add_argument("--jobs", type=int, default=1, help="faults at the same time")
    parser.add_argument("--only", help="KIND:I: one fault again; its folder is kept")
    parser.add_argument("--isolated", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    for kind in [*(arguments.kinds or "").split(","), (arguments.only or "").split(":")[0]]:
        if kind and kind not in KIND:
            parser.error(f"expected a kind among {', '.join(KIND)}, found {kind}")
    namespaces = ["unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"]
    may = os.geteuid() == 0 and shutil.which("ip", path="/usr/sbin:/usr/bin:/sbin:/bin")
    if not arguments.isolated and may and subprocess.run([*namespaces, "true"], capture_output=True, check=False).returncode == 0:
        return subprocess.run(["setpriv", "--pdeathsig", "KILL", *namespaces, sys.executable, "-B", __file__, "--isolated", *sys.argv[1:]],
                              check=False).returncode
    if arguments.isolated:
        subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    with tempfile.TemporaryDirectory(prefix="pf-") as name:
        return check(arguments, Path(name))


if __name__ == "__main__":
    sys.exit(main())
