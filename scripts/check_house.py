#!/usr/bin/env python3
"""Checks the house rules: file sizes, files per folder, include arrows, names, scripts, waits, who may include LibTorch, and the files that documents name.

Usage: scripts/check_house.py [--root FOLDER] [--stats]
Prints one line per violation and exits with 1 if there is any.
"""

import argparse
import ast
import math
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

MAX_LINES = 500
MAX_MEDIAN = 120
MAX_90TH = 300
MAX_FILES = 64  # of a room or another folder of code: sixty, and a part or two to come

# Which rooms a room may include, besides itself and the foundation. Arrows go one way; core includes nothing of the project, files
# includes core, and registry both.
FOUNDATION = {"core", "files", "registry"}
COMPONENTS = {"optimization", "objectives", "solvers", "aggregators", "compressors", "secure_sums", "privacy", "kernels", "models", "environments", "text",
              "tokenizers", "model_files", "language", "classifiers", "sandbox", "mathematics", "rewards", "questions", "wire"}
DATA = {"data", "images", "molecules", "tables"}
STEPS = {"local", "agents", "alignment", "tabular"}
ARROWS = {
    "core": set(),
    "files": {"core"},
    "registry": {"core", "files"},
    "optimization": set(),
    "objectives": set(),
    "solvers": {"optimization"},
    "aggregators": {"optimization"},
    "compressors": {"optimization"},
    "kernels": set(),
    "models": {"kernels", "privacy"},
    "environments": set(),
    "text": set(),
    "tokenizers": {"text"},
    "model_files": {"text", "tokenizers", "models"},
    "language": {"text", "tokenizers", "model_files", "kernels", "models"},
    "classifiers": {"text", "tokenizers", "model_files", "kernels", "models", "language"},
    "sandbox": set(),
    "mathematics": set(),
    "rewards": {"text", "tokenizers", "language", "classifiers", "sandbox", "mathematics"},
    "questions": {"text"},
    "data": {"text", "tokenizers"},
    "images": {"data", "models", "optimization"},
    "molecules": {"data", "models"},
    "tables": {"data", "models", "text"},
    "wire": set(),
    "runtimes": {"wire"},
    "local": {"optimization", "solvers", "objectives", "privacy"},
    "agents": {"kernels", "models", "environments", "objectives", "local"},
    "alignment": {"tokenizers", "language", "local"},
    "tabular": {"local"},
    "completions": {"text", "tokenizers", "language", "rewards", "questions", "data", "alignment", "parties"},
    "parties": {"objectives", "text"},
    "secure_sums": set(),
    "privacy": {"secure_sums"},
    "workloads": (COMPONENTS - {"wire"}) | DATA | STEPS | {"completions", "parties"},
    "rounds": (COMPONENTS - {"wire"}) | STEPS | {"workloads"},
    "scalarized": (COMPONENTS - {"wire"}) | STEPS | {"workloads", "rounds"},
    "personalized": (COMPONENTS - {"wire"}) | STEPS | {"workloads", "rounds", "scalarized"},
    "strategies": (COMPONENTS - {"wire"}) | STEPS | {"workloads", "rounds", "scalarized", "personalized"},
    "adversaries": STEPS | {"workloads"},
    "dp_sgd": STEPS | {"secure_sums", "privacy", "workloads"},
    "evaluation": COMPONENTS | {"workloads"},
    "runs": {"adversaries", "dp_sgd", "evaluation"} | COMPONENTS | {"parties", "runtimes", "workloads", "rounds"},
    "federation": COMPONENTS | {"dp_sgd", "parties", "runtimes", "workloads", "rounds", "evaluation", "runs"},
    "report": COMPONENTS | {"runs"},
    "terminal": COMPONENTS | {"runs", "report"},
    "serve": COMPONENTS | {"runs", "report"},
    "sweeps": COMPONENTS | {"workloads", "rounds", "runs", "report", "terminal"},
    "apps": COMPONENTS | DATA | STEPS | {"adversaries", "parties", "workloads", "rounds", "runtimes", "runs", "federation", "report", "serve", "sweeps", "terminal"},
}

# The rooms that CMakeLists.txt compiles for registers of more than one width (add_rooms), and the header that differs.
LANE_ROOMS = {"agents", "kernels", "language", "models"}
LANES = "paretofl/kernels/lanes.h"

# Rooms that no registered name may appear in, and whose names those are.
NEUTRAL_ROOMS = ("core", "registry", "runtimes")
DISTINCTIVE_REGISTRIES = ("strategies", "workloads", "environments", "agents")
PLAIN_WORDS = {"table"}  # names of those that are words of a config's or a header's too
GENERIC_REGISTRIES = ("solvers", "aggregators", "compressors", "models", "objectives", "questions", "rewards")

BANNED_NAMES = {"util", "utils", "common", "helper", "helpers", "misc"}
OWN_FOLDERS = ("paretofl", "apps", "python", "tests", "benchmarks")  # that an include may begin with
SOURCE_FOLDERS = ("paretofl", "apps", "python", "tests", "benchmarks", "examples", "experiments", "scripts", ".ci")
OTHER_CPP_SUFFIXES = {".hpp", ".hh", ".hxx", ".cc", ".cxx", ".c"}
SOURCE_SUFFIXES = OTHER_CPP_SUFFIXES | {".h", ".cpp", ".cmake", ".txt", ".proto", ".py", ".sh", ".js", ".css", ".html", ""}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
ENDLESS_WAIT = re.compile(r"\.wait\(\w*lock\b")
# A file with its folder, in a document; a star stands for any name. Blocks of recipes hold files that do not exist yet.
NAMED_FILE = re.compile(r"(?<![\w./:*-])((?:[\w-]+/)+[\w.*-]+\.(?:cpp|h|py|sh|js|css|toml|proto))(?![\w/])")
RECIPE_BLOCK = re.compile(r"^```(?:cpp|diff) \S+\n.*?^```$", re.MULTILINE | re.DOTALL)
DOCUMENTED_FOLDERS = {"paretofl", "apps", "python", "tests", "benchmarks", "examples", "experiments", "scripts", "docs"}
# What a file names at the start of a line: a type, an alias, a function with its body, a constant.
NAMED_HERE = re.compile(r"^(?:(?:struct|class|enum class|enum) (?P<type>\w+)[^;\n]*\{|using (?P<alias>\w+) = (?P<meaning>[^;]*);"
                        r"|(?!return |using |namespace |template |else |#|//)[\w:][\w:<>,&*\s]*?[\s&*](?P<value>\w+)(?:\([^;{]*\)[^;{]*\{| = |\{|\[))",
                        re.MULTILINE)
RAW_STRING = re.compile(r'R"(\w*)\(.*?\)\1"', re.DOTALL)
# A name and its summary, in braces or as a function's first arguments.
REGISTERED = re.compile(r'(?:\{|\b\w+(?:<[\w:, ]+>)?\()\s*"([a-z][a-z0-9_-]*)"\s*,\s*"')


def source_files(root):
    files = [root / name for name in ("Makefile", "CMakeLists.txt")]
    for folder in SOURCE_FOLDERS:
        files += sorted((root / folder).rglob("*"))
    data = {"corpus", "golden", "__pycache__"}
    return [f for f in files if f.is_file() and f.suffix in SOURCE_SUFFIXES and not data & set(f.relative_to(root).parts)]


def documents(root):
    return sorted([*root.glob("*.md"), *(root / "docs").rglob("*.md"), *(root / "experiments").rglob("*.md")])


def room_of(path):
    """The room of a file or of an include, both relative to the root; None outside the library and the command."""
    parts = Path(path).parts
    if parts[0] == "apps":
        return "apps"
    return parts[1] if parts[0] == "paretofl" and len(parts) > 2 else None


def line_count(path):
    return path.read_bytes().count(b"\n")


def check_folders(root):
    """The folders of the project's own; what a command writes there is in none of them."""
    for folder in sorted(root.iterdir()):
        known = folder.name in {*DOCUMENTED_FOLDERS, "cmake", "dist", "runs"} or folder.name.startswith((".", "build", "__"))
        if folder.is_dir() and not known:
            yield f"{folder.name}: expected no folder of this name in the project's own, found one; runs belong into runs/"


def check_names(root, files):
    for file in files:
        for part in file.relative_to(root).parts:
            if part.split(".")[0].lower() in BANNED_NAMES:
                yield f"{file.relative_to(root)}: expected a name that says what it does, found '{part}'"


def check_scripts(root, files):
    for file in files:
        named = file.read_bytes()[:2] == b"#!"
        if named != os.access(file, os.X_OK):
            found = "no right to execute it" if named else "a file to execute"
            yield f"{file.relative_to(root)}: expected '#!' at the start of what can be executed and nowhere else, found {found}"
        if file.suffix == ".py":
            try:
                ast.parse(file.read_text())
            except SyntaxError as error:
                yield f"{file.relative_to(root)}:{error.lineno}: expected Python, found {error.msg}"
        elif file.suffix == ".sh":
            checked = subprocess.run(["bash", "-n", file], capture_output=True, text=True)
            if checked.returncode != 0:
                yield f"{file.relative_to(root)}: expected a shell script, found {checked.stderr.strip()}"


def check_sizes(root, files):
    for file in files + documents(root):
        if (lines := line_count(file)) > MAX_LINES:
            yield f"{file.relative_to(root)}: expected at most {MAX_LINES} lines, found {lines}"
    library = [f for f in files if room_of(f.relative_to(root)) and f.suffix in (".h", ".cpp")]
    median, ninetieth, _ = statistics(library)
    if median > MAX_MEDIAN:
        yield f"the library's files: expected a median of at most {MAX_MEDIAN} lines, found {median}"
    if ninetieth > MAX_90TH:
        yield f"the library's files: expected a 90th percentile of at most {MAX_90TH} lines, found {ninetieth}"


def check_code(root, files):
    for file in files:
        where = file.relative_to(root)
        if file.suffix in OTHER_CPP_SUFFIXES:
            yield f"{where}: expected C++ in .h and .cpp, found {file.suffix}"
        if file.suffix not in (".h", ".cpp"):
            continue
        text, room = file.read_text(), room_of(where)
        if where.parts[0] == "paretofl" and room is None:
            yield f"{where}: expected every file of the library in a room, found it in none"
        if room and room not in ARROWS:
            yield f"{where}: expected a room of scripts/check_house.py's table of arrows, found '{room}'"
            continue
        if file.suffix == ".h" and "#pragma once" not in text:
            yield f"{where}: expected #pragma once, found none"
        if re.search(r"\b(TODO|FIXME)\b", text):
            yield f"{where}: expected finished work, found TODO or FIXME"
        if room and ENDLESS_WAIT.search(text):
            yield f"{where}: expected wait_for on a condition variable, since glibc 2.36 can lose a wake-up, found wait"
        for quote, included in INCLUDE.findall(text):
            if quote == '"' or included.split("/")[0] in OWN_FOLDERS:
                yield from check_arrow(where, room, included)
            elif included.split("/")[0] in ("torch", "ATen", "c10", "caffe2"):
                yield from check_torch(where, included)


def check_arrow(where, room, included):
    if included.split("/")[0] not in OWN_FOLDERS or ".." in Path(included).parts:
        yield f"{where}: expected includes from the root such as \"paretofl/core/error.h\", found \"{included}\""
        return
    target = room_of(included)
    if room and target is None:
        yield f"{where}: expected the library to include only rooms of the library, found \"{included}\""
    elif room and target != room and target not in allowed_rooms(room):
        allowed = ", ".join(sorted(allowed_rooms(room))) or "nothing of the project"
        yield f"{where}: expected {room} to include {allowed}, found \"{included}\""


def check_lanes(root, files):
    """A wheel holds the lane rooms twice, for registers of two widths, beside one copy of all else, which must not see the width."""
    includes = {str(file.relative_to(root)): INCLUDE.findall(file.read_text()) for file in files if file.suffix in (".h", ".cpp")}
    reaching = {LANES}
    while grown := {file for file, included in includes.items() if file not in reaching and reaching & {name for _, name in included}}:
        reaching |= grown
    for where in sorted(reaching & set(includes)):
        if where.startswith(("paretofl/", "apps/", "python/")) and room_of(where) not in LANE_ROOMS:
            yield f"{where}: expected {LANES} only in {', '.join(sorted(LANE_ROOMS))} and through none of their headers, found it included"


def allowed_rooms(room):
    return ARROWS[room] if room in FOUNDATION else ARROWS[room] | FOUNDATION


def check_torch(where, included):
    home = where.parts[0] in ("tests", "benchmarks") or room_of(where) in ("models", "language", "classifiers")
    if not (home and "torch" in where.name):
        yield f"{where}: expected LibTorch only in files named *torch* of models, language, classifiers and tests, found <{included}>"
    elif where.suffix == ".h" and included != "ATen/core/Tensor.h":
        yield f"{where}: expected no more of LibTorch in a header than <ATen/core/Tensor.h>, found <{included}>"


def registered_names(root, room):
    file = root / "paretofl" / room / "registry.cpp"
    return REGISTERED.findall(file.read_text()) if file.exists() else []


def check_neutral_rooms(root, files):
    """No registered name in core or runtimes: names that are also plain words count only as whole strings."""
    patterns = {}
    for room in DISTINCTIVE_REGISTRIES + GENERIC_REGISTRIES:
        names = registered_names(root, room)
        if not names and (root / "paretofl" / room / "registry.cpp").exists():
            yield f"paretofl/{room}/registry.cpp: expected names this check can read, found none"
        for name in names:
            if (room in DISTINCTIVE_REGISTRIES and name not in PLAIN_WORDS) or "_" in name:
                patterns[name] = r"(?<![a-z0-9])" + name.replace("_", "_?") + r"(?![a-z0-9])|" + camel_case(name)
            else:
                patterns[name] = f'"{name}"'
    for file in files:
        where = file.relative_to(root)
        if room_of(where) not in NEUTRAL_ROOMS:
            continue
        for number, line in enumerate(file.read_text().splitlines(), 1):
            for name, pattern in patterns.items():
                if re.search(pattern, line) or re.search(pattern, line.lower()):
                    yield f"{where}:{number}: expected no registered name in {room_of(where)}, found '{name}'"


def check_named_files(root, files):
    """Every source file that a document names exists, from the root, from paretofl/ or from the document's folder."""
    for document in documents(root):
        if document.name == "CHANGELOG.md":
            continue
        text = RECIPE_BLOCK.sub("", document.read_text())
        for named in sorted(set(NAMED_FILE.findall(text))):
            if named.split("/")[0] not in DOCUMENTED_FOLDERS | set(ARROWS):
                continue
            if not any(next(folder.glob(named), None) for folder in (root, root / "paretofl", document.parent)):
                yield f"{document.relative_to(root)}: expected names of files that exist, found {named}"


def check_rooms(root, files):
    counts = Counter(f.relative_to(root).parent for f in files if f.relative_to(root).parts[0] in OWN_FOLDERS)
    for folder, count in counts.items():
        if count > MAX_FILES:
            yield f"{folder}: expected at most {MAX_FILES} files in a folder, found {count}"


def check_own_names(root, files):
    """Test files of a room, and those of the command, are compiled several in one, which ones together changes with every file added:
    so the names that are a file's own differ within a room. Aliases may agree, and PrintTo is GoogleTest's, told apart by its type. A stub,
    no_*.cpp, is compiled in place of others."""
    rooms = {}
    for file in files:
        where = file.relative_to(root)
        if where.stem.startswith("no_"):
            continue
        if where.suffix == ".cpp" and (where.parts[0] == "apps" or (where.parts[0] == "tests" and where.stem.endswith("_test"))):
            rooms.setdefault(where.parent, []).append(file)
    for room in rooms.values():
        owners = {}
        for file in room:
            for found in NAMED_HERE.finditer(RAW_STRING.sub('""', file.read_text())):
                name = found["type"] or found["alias"] or found["value"]
                owner, meaning = owners.setdefault(name, (file, found["meaning"]))
                if owner != file and name != "PrintTo" and (meaning is None or meaning != found["meaning"]):
                    yield f"{file.relative_to(root)}: expected names of its own within {file.parent.relative_to(root)}, found '{name}', which {owner.name} has"


def camel_case(name):
    return "".join(word.capitalize() for word in re.split("[_-]", name))


def statistics(files):
    """Median, 90th percentile and largest number of lines."""
    lines = sorted(line_count(f) for f in files) or [0]
    return lines[(len(lines) - 1) // 2], lines[math.ceil(0.9 * len(lines)) - 1], lines[-1]


def print_statistics(root, files):
    code = [f for f in files if f.suffix in (".h", ".cpp")]
    groups = {"library and command": [f for f in code if room_of(f.relative_to(root))], "all C++": code, "all sources": files}
    for name, group in groups.items():
        median, ninetieth, largest = statistics(group)
        total = sum(line_count(f) for f in group)
        print(f"{name}: {len(group)} files, {total} lines; per file: median {median}, 90th percentile {ninetieth}, largest {largest}")
    for file in sorted(code, key=line_count)[-5:]:
        print(f"  {line_count(file)} {file.relative_to(root)}")


def violations(root):
    files = source_files(root)
    if not files:
        yield f"{root}: expected the project's sources, found none"
    yield from check_folders(root)
    for check in (check_names, check_scripts, check_sizes, check_rooms, check_code, check_lanes, check_neutral_rooms, check_named_files, check_own_names):
        yield from check(root, files)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent)
    parser.add_argument("--stats", action="store_true", help="also print lines per file")
    arguments = parser.parse_args()
    found = list(violations(arguments.root))
    for violation in found:
        print(violation, file=sys.stderr)
    if arguments.stats:
        print_statistics(arguments.root, source_files(arguments.root))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
