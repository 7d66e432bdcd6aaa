#!/usr/bin/env python3
"""Writes docs/parts.md, the list of all parts, from what `paretofl list --json` prints.

Usage: scripts/parts_page.py [--check]      (--check: exits with 1, and writes nothing, unless the page is up to date)
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "parts.md"
KINDS = {
    "strategies": ("Strategies", "A strategy is a federated algorithm: its server half and its client half. Config key `strategy.name`."),
    "workloads": ("Workloads", "A workload is a training problem: data or an environment, objectives, the split over the clients and "
                               "the evaluation. Config key `workload.name`."),
    "solvers": ("Weight solvers", "A weight solver computes the objective weights lambda from the Gramian of the objectives' gradients."),
    "compressors": ("Compressors", "A compressor makes a client's jacobian small before it is sent."),
    "aggregators": ("Aggregators", "An aggregator combines what the clients of a round send. Config key `strategy.aggregator`."),
    "adversaries": ("Adversaries", "An adversary is a way in which some clients of a simulation lie. Config key `adversary.name`."),
    "server-optimizers": ("Server optimizers", "A server optimizer applies the averaged update of the clients."),
    "runtimes": ("Runtimes", "A runtime delivers the messages between the server and the clients. Config key `runtime.name`."),
    "models": ("Models", "Models that the workloads on images and molecules train."),
    "environments": ("Environments", "Environments with one reward per objective, by their published ids."),
    "agents": ("Agents", "An agent is a reinforcement-learning algorithm that a client trains in an environment."),
    "preference-distributions": ("Preference distributions", "The distributions that private preferences are drawn from."),
    "rewards": ("Rewards", "A reward scores the completions of a language model; each is one objective."),
    "question-sets": ("Question sets", "Questions with reference answers, on which language models are trained by GRPO."),
}


def cell(text):
    return text.replace("|", "\\|")


def page():
    command = os.environ.get("PARETOFL", ROOT / "build" / "paretofl")
    listed = json.loads(subprocess.run([command, "list", "--json"], check=True, capture_output=True, text=True).stdout)
    text = "# Parts\n\n"
    text += "Every part that a config can name. `paretofl list KIND NAME` prints the options of a part with their defaults, ranges and\n"
    text += "meanings. [algorithms.md](algorithms.md) has the papers, files and presets, and explains where the papers leave a choice.\n\n"
    text += "This page is written by `scripts/parts_page.py` from the output of `paretofl list`.\n"
    for kind, entries in listed.items():
        if kind not in KINDS:
            sys.exit(f"parts_page: expected a title for every kind of part, found none for {kind}")
        title, meaning = KINDS[kind]
        text += f"\n## {title}\n\n{meaning}\n\n| name | what it is | reference |\n|---|---|---|\n"
        text += "".join(f"| `{e['name']}` | {cell(e['summary'])} | {cell(e['reference'])} |\n" for e in entries)
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare the page instead of writing it")
    text = page()
    if not parser.parse_args().check:
        PAGE.write_text(text)
    elif not PAGE.exists() or PAGE.read_text() != text:
        sys.exit("docs/parts.md: expected what `paretofl list` prints, found another text; run scripts/parts_page.py")


if __name__ == "__main__":
    main()
