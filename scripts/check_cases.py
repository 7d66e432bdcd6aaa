#!/usr/bin/env python3
"""Runs a folder of small inputs with known right answers through `paretofl` and says for each: right, refused or wrong.

Usage: PARETOFL_CASES=DIR scripts/check_cases.py [--command PATH] [--only TEXT] [--all]
DIR holds a folder per case. What a case is follows from the files in it:
  tokenizer.json, texts.txt, expected.jsonl     tokenize --lines; block.txt with block_expected.json is one text
  NAME.json, NAME.expected.json                 tokenize --special: {"text": .., "ids": ..}
  FOLDER/ or itself: a tokenizer, expected.json tokenize of a folder: {"text": .., "ids": ..}
  base/, [adapter/,] expected.json              generate --logits: {"prompt_ids": .., "logits": .., "greedy": ..}
  model/, rows.jsonl, expected.json             score --reward-model: a list of numbers
  rows.jsonl, expected.json, pairs.jsonl        score --reward, whose name the README's command or the rows tell
  NAME/qm9, NAME/celeba                         data --check
  cifar10/ or one IDX file                      a run, or data --check, beside digits made here
  README.txt that speaks of tensorboard         a run killed twice and resumed, its events beside metrics.jsonl
An expected answer that is null makes no claim. A text in place of ids, or "refused", is the library's own exception: a
refusal, where it names what it refuses, and no claim where the library itself broke (TypeError, PanicException).
Prints a line per wrong answer and per folder, with --all per answer. Exits with 1 if any answer is wrong, or a case unknown.
"""

import argparse
import collections
import gzip
import json
import math
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RIGHT, REFUSED, WRONG, NO_CLAIM = "right", "refused by name", "WRONG", "no claim"
TOLERANCE = 2e-4  # between two libraries' float32
LIMIT = 120  # seconds a command may take


class Case:
    """One folder, and what its answers turned out to be."""

    def __init__(self, folder, command):
        self.folder, self.command = folder, command
        readme = folder / "README.txt"
        self.readme = readme.read_text(errors="replace") if readme.exists() else ""
        self.answers = []

    def add(self, name, verdict, detail=""):
        self.answers.append((str(name), verdict, detail))

    def run(self, *arguments, text="", cwd=None):
        data = text if isinstance(text, bytes) else text.encode()
        try:
            return subprocess.run([self.command, *map(str, arguments)], input=data, capture_output=True, timeout=LIMIT, cwd=cwd)
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(arguments, 124, b"", b"no end within the time limit")

    def judge(self, name, done, right, exception=""):
        """Takes a command's outcome: `right` looks at its output and returns what is wrong with it, or ''."""
        message = done.stderr.decode(errors="replace").strip().split("\n")[-1][:300]
        if done.returncode not in (0, 1):
            self.add(name, WRONG, f"exit code {done.returncode}: {message}")
        elif done.returncode == 1:
            named = message.startswith("paretofl: ")
            self.add(name, (RIGHT if exception else REFUSED) if named else WRONG, message)
        elif exception:
            broke = exception.startswith(("TypeError", "PanicException"))
            self.add(name, NO_CLAIM if broke else WRONG, f"accepted, where the library gives {exception}")
        else:
            fault = right(done.stdout.decode(errors="replace"))
            self.add(name, WRONG if fault else RIGHT, fault)


def differs(found, expected):
    return "" if found == expected else f"expected {str(expected)[:160]}, found {str(found)[:160]}"


def far(found, expected):
    if len(found) != len(expected):
        return f"expected {len(expected)} numbers, found {len(found)}"
    off = max((abs(a - b) / max(1.0, abs(b)) if math.isfinite(a) else math.inf for a, b in zip(found, expected)), default=0.0)
    return "" if off <= TOLERANCE else f"off by {off:.3g}"


def load(file):
    return json.loads(file.read_text())


# Tokenizers


def is_tokenizer(folder):
    return any((folder / name).exists() for name in ("tokenizer.json", "tokenizer.model", "vocab.json"))


def tokenizer_of(folder):
    """The file where it stands alone, else the folder, whose other files count."""
    alone = folder / "tokenizer.json"
    return folder if (folder / "tokenizer_config.json").exists() or not alone.exists() else alone


def ids_of(output):
    return json.loads(output)["ids"]


def tokenize_lines(case):
    texts = (case.folder / "texts.txt").read_bytes()
    expected = [json.loads(line)["ids"] for line in (case.folder / "expected.jsonl").read_text().splitlines()]
    done = case.run("tokenize", "--tokenizer", tokenizer_of(case.folder), "--lines", text=texts)
    if done.returncode:
        case.judge("lines", done, None)
    else:
        found = [ids_of(line) for line in done.stdout.splitlines()]
        for i in range(max(len(found), len(expected))):
            fault = differs(found[i] if i < len(found) else None, expected[i] if i < len(expected) else None)
            case.add(f"line {i + 1}", WRONG if fault else RIGHT, fault)
    if (case.folder / "block.txt").exists():
        done = case.run("tokenize", "--tokenizer", tokenizer_of(case.folder), text=(case.folder / "block.txt").read_bytes())
        case.judge("block", done, lambda out: differs(ids_of(out), load(case.folder / "block_expected.json")["ids"]))


def tokenize_one(case, name, tokenizer, expected):
    ids, special = expected["ids"], ["--special"] if "--special" in case.readme else []
    if ids is None:
        return case.add(name, NO_CLAIM)
    done = case.run("tokenize", "--tokenizer", tokenizer, *special, text=expected["text"])
    case.judge(name, done, lambda out: differs(ids_of(out), ids), ids if isinstance(ids, str) else "")


def tokenize_files(case):
    for file in sorted(case.folder.glob("*.expected.json")):
        name = file.name.removesuffix(".expected.json")
        tokenize_one(case, name, case.folder / f"{name}.json", load(file))


def tokenize_folders(case):
    folders = [case.folder] if is_tokenizer(case.folder) else sorted(f for f in case.folder.iterdir() if f.is_dir() and is_tokenizer(f))
    for folder in folders:
        tokenize_one(case, folder.name, tokenizer_of(folder), load(folder / "expected.json"))


# Models


def generate(case):
    expected = load(case.folder / "expected.json")
    adapter = ["--adapter", case.folder / "adapter"] if (case.folder / "adapter").exists() else []
    ids = ",".join(map(str, expected["prompt_ids"]))
    greedy = expected.get("greedy")
    done = case.run("generate", "--model", case.folder / "base", *adapter, "--prompt-ids", ids, "--logits", "--max-new-tokens",
                    len(greedy) if greedy else 1)

    def right(out):
        found = json.loads(out)
        return far(found["logits"], expected["logits"]) or (differs(found["ids"], greedy) if greedy else "")

    case.judge("logits", done, right, expected.get("refused", ""))


def score_model(case):
    expected = load(case.folder / "expected.json")
    done = case.run("score", "--reward-model", case.folder / "model", case.folder / "rows.jsonl")
    case.judge("scores", done, lambda out: far([json.loads(line)["score"] for line in out.splitlines()], expected))


# Rewards


def score_rows(case, reward, rows, expected, names):
    """Every row at once, and one by one where a row is refused."""
    score = lambda some: case.run("score", "--reward", reward, "-", text="".join(json.dumps(row) + "\n" for row in some))
    whole = score(rows)
    outputs = whole.stdout.decode().splitlines()
    alone = whole.returncode != 0 or len(outputs) != len(rows)
    for i, row in enumerate(rows):
        if expected[i] is None:
            case.add(names[i], NO_CLAIM)
            continue
        shown = f"answer {row['completion'][-120:]!r}, reference {row['reference'][:80]!r}"

        def right(out, wanted=expected[i]):
            found = json.loads(out)["score"]
            return "" if abs(found - wanted) < 1e-9 else f"{'paid for a wrong answer' if found > wanted else 'denied a right answer'}: {shown}"

        done = score([row]) if alone else subprocess.CompletedProcess([], 0, outputs[i].encode(), b"")
        case.judge(names[i], done, right)


def reward_of(case, rows):
    if named := re.search(r"--reward (\w+)", case.readme):
        return named.group(1)
    if "entry_point" in rows[0]["reference"] or "test" in rows[0]["reference"]:
        return "code_accuracy"
    return "gsm8k_accuracy" if "gsm8k" in case.folder.name else "math_accuracy"


def score_reward(case):
    rows = [json.loads(line) for line in (case.folder / "rows.jsonl").read_text().splitlines()]
    entries = load(case.folder / "expected.json")
    expected = [entry["expected"] if isinstance(entry, dict) else entry for entry in entries]
    names = [entry.get("name", f"row {i + 1}") if isinstance(entry, dict) else f"row {i + 1}" for i, entry in enumerate(entries)]
    score_rows(case, reward_of(case, rows), rows, expected, names)


def score_pairs(case):
    pairs = [json.loads(line) for line in (case.folder / "pairs.jsonl").read_text().splitlines()]
    for form in ("\\boxed{%s}", "<answer>%s</answer>"):
        rows = [{"prompt": "", "completion": form % pair["answer"], "reference": pair["reference"]} for pair in pairs]
        names = [f"{pair['id']}{' in tags' if 'answer' in form else ''}" for pair in pairs]
        score_rows(case, "math_accuracy", rows, [pair["equal"] for pair in pairs], names)


# Data


def check_qm9(case):
    for folder in sorted(f.parent for f in case.folder.glob("*/qm9")):
        molecules = (folder / "qm9/dsgdb9nsd.xyz").read_text().count("gdb ")
        done = case.run("data", "qm9", "--check", folder)
        lines = [line for line in done.stderr.decode().splitlines() if "dsgdb9nsd" in line]
        if any(re.search(rf"molecules, found {molecules}$", line) for line in lines):
            case.add(folder.name, RIGHT)  # read to its end; it is only not the whole data set
        else:
            case.judge(folder.name, subprocess.CompletedProcess([], done.returncode, done.stdout, "\n".join(lines).encode()),
                       lambda _: "taken for the whole data set")


def check_celeba(case):
    """Beside a folder that is only incomplete, what is said of others is about their own fault."""
    folders = sorted(f.parent for f in case.folder.glob("*/celeba"))

    def messages(folder):
        done = case.run("data", "celeba", "--check", folder)
        return done, {line.replace(str(folder), "DIR") for line in done.stderr.decode(errors="replace").splitlines()}

    usual = messages(case.folder / "plain")[1] if (case.folder / "plain").exists() else set()
    for folder in folders:
        done, found = messages(folder)
        own = "\n".join(sorted(found - usual))
        if own or done.returncode != 1:
            case.judge(folder.name, subprocess.CompletedProcess([], done.returncode, done.stdout, own.encode()),
                       lambda _: "taken for the whole data set")
        elif re.search("truncated|png|size", folder.name):
            case.add(folder.name, WRONG, "read without a word")
        else:
            case.add(folder.name, RIGHT)


def idx(path, shape, values):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(bytes([0, 0, 8, len(shape)]) + struct.pack(f">{len(shape)}I", *shape) + bytes(values))


def digits(folder, count):
    for part in ("train", "t10k"):
        idx(folder / f"{part}-images-idx3-ubyte", (count, 28, 28), bytes(count * 784))
        idx(folder / f"{part}-labels-idx1-ubyte", (count,), [i % 10 for i in range(count)])


def run_cifar10(case):
    files = [f for f in (case.folder / "cifar10/train").rglob("*") if f.is_file()]
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(case.folder.resolve() / "cifar10", Path(folder) / "cifar10")
        digits(Path(folder) / "mnist", 2 * len(files))
        done = case.run("run", ROOT / "experiments/fedcmoo/fedavg-cifar10_mnist.toml", "--dir", f"{folder}/run", "--set",
                        f"data.root={folder}", "--set", "workload.samples_per_client=999999", "--set",
                        "workload.validation_fraction=0")
        message = done.stderr.decode(errors="replace")
        found = re.search(r"1 to (\d+) samples", message)  # of all there are
        if found:
            fault = differs(int(found.group(1)), len(files))
            case.add("training images", WRONG if fault else RIGHT, fault)
        else:
            case.judge("training images", done, lambda _: "ran with more samples than there are")


def check_idx(case):
    file = next(case.folder.glob("*idx*"))
    content = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
    shape = struct.unpack(f">{content[3]}I", content[4:4 + 4 * content[3]])
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(file, Path(folder) / "x")
        (Path(folder) / "mnist").mkdir()
        shutil.copy(file, Path(folder) / "mnist" / file.name)
        done = case.run("data", "mnist_fmnist", "--check", folder)
        own = [line for line in done.stderr.decode().splitlines() if f"mnist/{file.name}:" in line]
        if any(" x ".join(map(str, shape)) in line for line in own):
            case.add(file.name, RIGHT)  # read to its end; it is only not the published file
        else:
            case.add(file.name, WRONG, own[0] if own else "nothing said of it")


# TensorBoard's events


def events(folder):
    """(step, tag) of every scalar in the event files: records of length, checksum, message, checksum."""
    for file in sorted(folder.rglob("events.out.tfevents.*")):
        data, at = file.read_bytes(), 0
        while at + 12 <= len(data):
            size = struct.unpack_from("<Q", data, at)[0]
            step, tags = 0, []
            for number, value in fields(data[at + 12:at + 12 + size]):
                if number == 2:
                    step = value
                elif number == 5:
                    tags += [dict(fields(part))[1].decode() for n, part in fields(value) if n == 1]
            yield from ((step, tag) for tag in tags)
            at += 16 + size


def fields(message):
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(message):
        key = varint()
        if key & 7 == 0:
            yield key >> 3, varint()
        else:
            size = {1: 8, 5: 4}.get(key & 7)
            size = varint() if size is None else size
            yield key >> 3, message[at:at + size]
            at += size


def tensorboard_resume(case):
    with tempfile.TemporaryDirectory() as folder:
        run, rounds = Path(folder) / "run", 400
        arguments = ["run", ROOT / "experiments/fedcmoo/fedcmoo-quadratics.toml", "--dir", run, "--set", f"rounds={rounds}", "--set",
                     "checkpoint.every=7"]
        for lines in (30, 90):  # killed once this many rounds are written
            process = subprocess.Popen([case.command, *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            metrics, deadline = run / "metrics.jsonl", time.monotonic() + LIMIT
            while process.poll() is None and time.monotonic() < deadline and (
                    not metrics.exists() or metrics.read_bytes().count(b"\n") < lines):
                time.sleep(0.001)
            process.send_signal(signal.SIGKILL)
            process.wait()
            arguments = ["run", "--resume", run]
        done = case.run(*arguments)

        def right(_):
            written = [json.loads(line)["round"] for line in (run / "metrics.jsonl").read_text().splitlines()]
            steps = collections.Counter(events(run))
            first = next(iter(steps))[1]
            twice = [key for key, count in steps.items() if count > 1]
            return (f"twice in the event file: {twice[:3]}" if twice else differs(written, list(range(1, rounds + 1)))
                    or differs(sorted(step for step, tag in steps if tag == first), written))

        case.judge("events", done, right)


def runner_of(folder, readme):
    has = lambda *names: all((folder / name).exists() for name in names)
    if has("texts.txt", "expected.jsonl"):
        return tokenize_lines
    if has("base", "expected.json"):
        return generate
    if has("model", "rows.jsonl", "expected.json"):
        return score_model
    if has("rows.jsonl", "expected.json"):
        return score_reward
    if has("pairs.jsonl"):
        return score_pairs
    if any(folder.glob("*.expected.json")):
        return tokenize_files
    if has("expected.json") and is_tokenizer(folder) or any(is_tokenizer(f.parent) for f in folder.glob("*/expected.json")):
        return tokenize_folders
    if any(folder.glob("*/qm9")):
        return check_qm9
    if any(folder.glob("*/celeba")):
        return check_celeba
    if has("cifar10"):
        return run_cifar10
    if any(folder.glob("*idx*")):
        return check_idx
    if "tensorboard" in (folder.name + readme).lower():
        return tensorboard_resume
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--command", default=str(ROOT / "build/paretofl"))
    parser.add_argument("--only", default="", help="cases whose name holds this text")
    parser.add_argument("--all", action="store_true", help="a line for every answer")
    arguments = parser.parse_args()
    if not os.environ.get("PARETOFL_CASES"):
        sys.exit("check_cases: expected the folder of cases in PARETOFL_CASES, found nothing")
    root = Path(os.environ["PARETOFL_CASES"]).resolve()
    folders = sorted(f for f in root.iterdir() if f.is_dir() and arguments.only in f.name)
    if not folders:
        sys.exit(f"check_cases: expected folders of cases in {root}, found none")
    totals, unknown = collections.Counter(), 0
    for folder in folders:
        case = Case(folder, arguments.command)
        runner = runner_of(folder, case.readme)
        if runner is None:
            unknown += 1
            print(f"{folder.name}: no known kind of case")
            continue
        try:
            runner(case)
        except (KeyError, IndexError, ValueError, OSError) as fault:  # an output of another form than documented
            case.add("output", WRONG, f"{type(fault).__name__}: {fault}")
        counts = collections.Counter(verdict for _, verdict, _ in case.answers)
        totals += counts
        print(f"{folder.name}: " + ", ".join(f"{counts[v]} {v}" for v in (RIGHT, REFUSED, WRONG, NO_CLAIM) if counts[v]), flush=True)
        for name, verdict, detail in case.answers:
            if verdict == WRONG or arguments.all:
                print(f"    {name}: {verdict}{': ' + detail if detail else ''}")
    print(f"{len(folders)} cases: " + ", ".join(f"{totals[v]} {v}" for v in (RIGHT, REFUSED, WRONG, NO_CLAIM)))
    sys.exit(1 if totals[WRONG] or unknown else 0)


if __name__ == "__main__":
    main()
