#!/usr/bin/env python3
"""Runs clang-tidy on source files that a release build compiled, several at a time.

Usage: scripts/tidy.py [--jobs N] FILE...
A file that was clean is looked at again only after it, a header it includes, its command line, the settings or clang-tidy
changed: what was clean is kept, by content, in $XDG_CACHE_HOME/paretofl/clang-tidy (default ~/.cache). What has not been built
since it changed is always looked at. Prints the findings and exits with 1 if there are any.
"""

import argparse
import functools
import hashlib
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"


@functools.cache
def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def dependencies():
    """Every object's files, which the compiler told ninja when it was built."""
    known, current = {}, None
    for line in subprocess.run(["ninja", "-C", BUILD, "-t", "deps"], capture_output=True, text=True, check=True).stdout.splitlines():
        if line.startswith("    "):
            if current is not None:
                current.append((BUILD / line.strip()).resolve())
        elif ": #deps" in line:
            name = line.split(": #deps")[0]
            current = known.setdefault(name, []) if line.endswith("(VALID)") else None
    return known


def is_current(built, files):
    """Whether an object was built from these files as they are, so that they are all that it includes."""
    return built.exists() and all(file.exists() and file.stat().st_mtime <= built.stat().st_mtime for file in files)


def key(command, files, settings):
    """What a finding depends on; paths are relative to the project, so that every clone of it shares what is kept."""
    text = [settings, command["command"].replace(str(ROOT), ".")]
    for file in files:
        name = file.relative_to(ROOT) if file.is_relative_to(ROOT) else file
        text.append(f"{name} {digest(file)}")
    return hashlib.sha256("\n".join(text).encode()).hexdigest()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()

    kept = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "paretofl" / "clang-tidy"
    kept.mkdir(parents=True, exist_ok=True)
    settings = (ROOT / ".clang-tidy").read_text() + subprocess.run(["clang-tidy", "--version"], capture_output=True, text=True).stdout
    commands = {command["file"]: command for command in json.loads((BUILD / "compile_commands.json").read_text())}
    objects = dependencies()

    def tidy(name):
        command = commands.get(str((ROOT / name).resolve()))
        if command is None:
            return None  # the stub of an optional dependency that is present
        built = command["command"].split(" -o ")[1].split()[0]
        files = objects.get(built, [])
        mark = kept / key(command, files, settings) if files and is_current(BUILD / built, files) else None
        if mark is not None and mark.exists():
            mark.touch()
            return "kept", ""
        run = subprocess.run(["clang-tidy", "-p", str(BUILD), "--quiet", "--extra-arg=-Wno-unknown-warning-option", name], cwd=ROOT,
                             capture_output=True, text=True)
        if run.returncode == 0 and mark is not None:
            mark.touch()
        errors = "\n".join(line for line in run.stderr.splitlines() if not line.endswith("warnings generated."))
        return ("clean" if run.returncode == 0 else "found"), run.stdout + errors

    counts = {"kept": 0, "clean": 0, "found": 0}
    with ThreadPoolExecutor(options.jobs) as pool:
        for result in pool.map(tidy, options.files):
            if result is None:
                continue
            counts[result[0]] += 1
            if result[0] == "found":
                print(result[1])
    print(f"clang-tidy: {counts['clean']} files clean, {counts['kept']} unchanged since they were, {counts['found']} with findings")
    sys.exit(1 if counts["found"] else 0)


if __name__ == "__main__":
    main()
