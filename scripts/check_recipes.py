#!/usr/bin/env python3
"""Applies the recipes of docs/recipes/ to a copy of the sources, builds it, and runs the new parts' tests and conformance suites.

A block "```cpp FILE" is a whole file. A block "```diff FILE" holds lines of FILE (with a leading blank), each
followed by the lines to insert after it (with a leading +).
Usage: scripts/check_recipes.py [--jobs N]      (the copy and its build stay in build/recipes)
"""

import argparse
import re
import shutil
import subprocess
import sys
from pathlib import Path

BLOCK = re.compile(r"^```(cpp|diff) (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SUITE = re.compile(r"^TEST(?:_[FP])?\((\w+),", re.MULTILINE)
COPIED = ("CMakeLists.txt", "CMakePresets.json", "LICENSE", "cmake", "paretofl", "apps", "tests", "benchmarks", "examples", "scripts", "experiments")


def insert(text, recipe, file, document):
    lines, anchor = text.split("\n"), None
    for line in recipe.rstrip("\n").split("\n"):
        if line.startswith("+"):
            if anchor is None:
                sys.exit(f"{document}: expected a line of {file} before what is added, found '{line}'")
            anchor += 1
            lines.insert(anchor, line[1:])
        elif line[1:] in lines[(anchor or -1) + 1 :]:
            anchor = lines.index(line[1:], (anchor or -1) + 1)
        else:
            sys.exit(f"{document}: expected a line of {file}, found '{line[1:]}'")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jobs", default="2")
    arguments = parser.parse_args()
    root = Path(__file__).resolve().parent.parent
    copy = root / "build" / "recipes"
    shutil.rmtree(copy, ignore_errors=True)
    copy.mkdir(parents=True)
    for name in COPIED:
        if (root / name).is_dir():
            shutil.copytree(root / name, copy / name)
        elif (root / name).exists():
            shutil.copy2(root / name, copy / name)

    # What to run of each test program: the new tests, and the conformance suites for the new names. Other tests of the
    # same rooms are not compiled.
    filters, tests = {"test_conformance": ["*Registry*"]}, set()
    for recipe in sorted((root / "docs/recipes").glob("*.md")):
        blocks = BLOCK.findall(recipe.read_text())
        if not blocks:
            sys.exit(f"{recipe.relative_to(root)}: expected blocks of code, found none")
        for kind, file, body in blocks:
            target = copy / file
            target.write_text(body if kind == "cpp" else insert(target.read_text(), body, file, recipe.relative_to(root)))
            if file.startswith("tests/"):
                tests.add(target)
                suites = SUITE.findall(body) or sys.exit(f"{recipe.relative_to(root)}: expected tests in {file}, found none")
                own = filters.setdefault("test_" + file.split("/")[1], [])
                own.extend(f"*{suite}.*" for suite in suites)
                name = target.stem.removesuffix("_test")
                if file.startswith("tests/models/"):  # whose conformance suite stands beside them
                    own.append(f"*/{name}_*")
                else:
                    filters["test_conformance"].append(f"*/{name}")
    subprocess.run([sys.executable, "-B", copy / "scripts/check_house.py"], check=True)
    for room in {test.parent for test in tests}:
        for other in set(room.glob("*_test.cpp")) - tests:
            if not other.stem.endswith("conformance_test"):
                other.unlink()
    build = copy / "build"
    subprocess.run(["scripts/build.sh", "release", arguments.jobs, "--quiet", *filters], cwd=copy, check=True)
    for program, names in filters.items():
        for name in names:
            listed = subprocess.run([build / "tests" / program, f"--gtest_filter={name}", "--gtest_list_tests"], check=True,
                                    capture_output=True, text=True).stdout
            if not re.search(r"^  \S", listed, re.MULTILINE):
                sys.exit(f"check_recipes: expected tests in {program} that are called {name}, found none")
        subprocess.run([build / "tests" / program, f"--gtest_filter={':'.join(names)}", "--gtest_brief=1"], check=True)


if __name__ == "__main__":
    try:
        main()
    except subprocess.CalledProcessError as error:
        sys.exit(f"check_recipes: {error.cmd[0]} failed")
