#!/usr/bin/env python3
"""Prints how long the files of build folders took to compile, by ninja's log, and the costliest of each.

Usage: scripts/compile_times.py [--files N] FOLDER...        (default: the ten costliest)
The seconds are those on the clock of each compiler, several of which ran side by side; folders that were not built are passed over.
"""

import argparse
from pathlib import Path


def compiled(log):
    """{object: seconds}, of its last compilation."""
    seconds = {}
    for line in log.read_text().splitlines()[1:]:
        start, end, _, output, _ = line.split("\t")
        if output.endswith((".o", ".gch")):
            seconds[output] = (int(end) - int(start)) / 1000
    return seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--files", type=int, default=10)
    parser.add_argument("folders", nargs="+", type=Path)
    options = parser.parse_args()
    for folder in options.folders:
        log = folder / ".ninja_log"
        if not log.exists():
            continue
        seconds = compiled(log)
        print(f"{folder}: {len(seconds)} files, {sum(seconds.values()):.0f} s")
        for output in sorted(seconds, key=seconds.get, reverse=True)[: options.files]:
            print(f"  {seconds[output]:6.1f} s  {output}")


if __name__ == "__main__":
    main()
