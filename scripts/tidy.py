#!/usr/bin/env python3
"""Runs clang-tidy on source files, several at a time, with the commands of build/lint (preset lint: every file by itself).

Usage: scripts/tidy.py [--jobs N] FILE...
A header is looked at by way of a source that includes it. A file that was clean is looked at again only after it, a header of the project
that it includes, its command line, the settings or clang-tidy changed: what was clean is kept, by content, in
$XDG_CACHE_HOME/paretofl/clang-tidy (default ~/.cache). Prints the findings and exits with 1 if there are any.
"""

import argparse
import functools
import hashlib
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "lint"
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
# LibTorch 1.13's headers are not C++20 to clang 14, so the files that include them are left to g++, as is the one with SpiderMonkey's,
# which take clang-tidy 14 for a compiler without __builtin_ctz; the others stand in for MPI and language models where there are none.
# What CMakeLists.txt gives Clang 14, which has coroutines, for the files that use them.
COROUTINES = [f"--extra-arg=-D{macro}" for macro in ("__cpp_impl_coroutine=201902L", "ASIO_HAS_CO_AWAIT=1", "ASIO_HAS_STD_COROUTINE=1")]
LEFT_OUT = re.compile(r"torch|javascript_engine\.cpp$|no_\w+\.cpp$|mpi_stub_test\.cpp$")


@functools.cache
def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


@functools.cache
def included_by(name):
    """The project's files that a file includes, itself among them; names from the root, as in an include."""
    found, left = set(), {name}
    while left:
        file = left.pop()
        if file not in found and (ROOT / file).exists():
            found.add(file)
            left |= set(INCLUDE.findall((ROOT / file).read_text()))
    return found


def source_of(name, sources):
    """The source to look at for a file: itself; for a header the first that includes it, if only by way of other headers; or None."""
    if not name.endswith(".h"):
        return name if ROOT / name in sources else None
    found, seen = {name}, set()
    while found:
        compiled = sorted(file for file in found if ROOT / file in sources)
        if compiled:
            return compiled[0]
        seen |= found
        found = {includer for file in found for includer in includers().get(file, ())} - seen
    return None


@functools.cache
def includers():
    """{file: those that include it}; names from the root, as in an include."""
    known = {}
    for folder in ("paretofl", "apps", "tests", "benchmarks"):
        for file in [*(ROOT / folder).rglob("*.h"), *(ROOT / folder).rglob("*.cpp")]:
            for included in INCLUDE.findall(file.read_text()):
                known.setdefault(included, set()).add(str(file.relative_to(ROOT)))
    return known


def key(command, name, settings):
    """What a finding depends on; paths are relative to the project, so that every clone of it shares what is kept."""
    text = [settings, command["command"].replace(str(ROOT), ".")]
    text += [f"{file} {digest(ROOT / file)}" for file in sorted(included_by(name))]
    return hashlib.sha256("\n".join(text).encode()).hexdigest()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()

    kept = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "paretofl" / "clang-tidy"
    kept.mkdir(parents=True, exist_ok=True)
    settings = "".join((ROOT / place / ".clang-tidy").read_text() for place in (".", "tests")) + subprocess.run(["clang-tidy", "--version"], capture_output=True, text=True).stdout
    commands = {Path(command["file"]).resolve(): command for command in json.loads((BUILD / "compile_commands.json").read_text())}
    commands = {file: command for file, command in commands.items() if file.is_relative_to(ROOT) and not LEFT_OUT.search(file.name)}
    sources = {name: source_of(name, commands) for name in options.files if not LEFT_OUT.search(name)}
    unknown = [name for name, source in sources.items() if source is None]
    for name in unknown:
        print(f"{name}: expected a file that build/lint/compile_commands.json has, or a header that one of them includes, found neither")

    def tidy(name):
        mark = kept / key(commands[ROOT / name], name, settings)
        if mark.exists():
            mark.touch()
            return "kept", ""
        coroutines = COROUTINES if "paretofl/wire/frames.h" in included_by(name) else []
        run = subprocess.run(["clang-tidy", "-p", str(BUILD), "--quiet", "--extra-arg=-Wno-unknown-warning-option", *coroutines, name], cwd=ROOT,
                             capture_output=True, text=True)
        if run.returncode == 0:
            mark.touch()
        errors = "\n".join(line for line in run.stderr.splitlines() if not line.endswith("warnings generated."))
        return ("clean" if run.returncode == 0 else "found"), run.stdout + errors

    counts = {"kept": 0, "clean": 0, "found": 0}
    with ThreadPoolExecutor(options.jobs) as pool:
        for verdict, findings in pool.map(tidy, sorted(set(sources.values()) - {None})):
            counts[verdict] += 1
            if verdict == "found":
                print(findings)
    print(f"clang-tidy: {counts['clean']} files clean, {counts['kept']} unchanged since they were, {counts['found']} with findings")
    sys.exit(1 if counts["found"] or unknown else 0)


if __name__ == "__main__":
    main()
