#!/usr/bin/env python3
"""Compares code_accuracy's verdicts with those of one Python interpreter that runs a program and its tests together.

The programs are the published solutions of MBPP and HumanEval and changed ones: other constants and comparisons, statements
left out, returned values of other types, exceptions, arguments changed in place. Prints every difference and the counts; the
exit code is 1 where they differ. A program that raises StopIteration is one: code_accuracy lets it end no loop of the tests.

Usage: scripts/compare_code_verdicts.py --data DIR [--paretofl build/paretofl] [--changes 2] [--seed 1]
"""
import argparse
import ast
import concurrent.futures
import json
import random
import resource
import subprocess
import sys

WRAPS = ["iter", "tuple", "str", "set", "float", "bool", "repr", "abs", "reversed", "sorted", "(lambda v: [v])", "(lambda v: (v,))",
         "(lambda v: {v: v}.keys())", "__import__('collections').deque", "__import__('fractions').Fraction", "__import__('decimal').Decimal",
         "(lambda v: (x for x in v))", "range", "(lambda v: type('D', (type(v),), {})(v))",
         "(lambda v: __import__('collections').Counter(v))", "(lambda v: None if v else v)", "bytearray", "complex", "frozenset"]
SETUPS = ["raise StopIteration", "raise ValueError('changed')", "raise SystemExit(0)", "return", "return 0", "return []", "return ''",
          "yield 1", "{argument}.reverse()", "{argument}.clear()", "{argument}.append({argument})", "{argument} = list({argument})"]


def changed(source, entry, random_numbers):
    """A program with one thing changed."""
    tree = ast.parse(source)
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    function = next((node for node in functions if node.name == entry), functions[-1] if functions else None)
    if function is None:
        return None
    kind = random_numbers.choice(["wrap", "wrap", "wrap", "setup", "constant", "comparison", "left out"])
    if kind == "wrap":
        returns = [node for node in ast.walk(function) if isinstance(node, ast.Return) and node.value is not None]
        if not returns:
            return None
        node = random_numbers.choice(returns)
        node.value = ast.Call(ast.parse(random_numbers.choice(WRAPS), mode="eval").body, [node.value], [])
    elif kind == "setup":
        argument = function.args.args[0].arg if function.args.args else "x"
        function.body.insert(0, ast.parse(f"def f():\n  {random_numbers.choice(SETUPS).format(argument=argument)}").body[0].body[0])
    elif kind == "constant":
        nodes = [node for node in ast.walk(function) if isinstance(node, ast.Constant) and type(node.value) is int]
        if not nodes:
            return None
        random_numbers.choice(nodes).value += random_numbers.choice([-1, 1])
    elif kind == "comparison":
        nodes = [node for node in ast.walk(function) if isinstance(node, ast.Compare)]
        if not nodes:
            return None
        random_numbers.choice(nodes).ops[0] = random_numbers.choice([ast.Lt(), ast.LtE(), ast.Gt(), ast.Eq(), ast.NotEq()])
    else:
        nodes = [node for node in ast.walk(function) if isinstance(getattr(node, "body", None), list) and len(node.body) > 1]
        if not nodes:
            return None
        body = random_numbers.choice(nodes).body
        del body[random_numbers.randrange(len(body))]
    return ast.unparse(ast.fix_missing_locations(tree))


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (10, 10))
    resource.setrlimit(resource.RLIMIT_AS, (1 << 29, 1 << 29))


def passes(row):
    """Whether a program's own interpreter passes its tests."""
    reference = json.loads(row["reference"])
    if "check" in reference:
        text = "\n".join([reference["prompt"], row["completion"], reference["check"], f"check({reference['entry_point']})"])
    else:
        text = "\n".join([row["completion"], *(reference.get("setup", "") + "\n" + test for test in reference["tests"])])
    text = "import sys\nmodules = set(sys.stdlib_module_names)\n" + text + "\nimport os\nos._exit(77)\n"
    try:
        done = subprocess.run(["/usr/bin/python3", "-s", "-S", "-B", "-c", text], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, timeout=60, preexec_fn=limit, env={"PYTHONHASHSEED": "0"})
    except subprocess.TimeoutExpired:
        return False, "out of time"
    return done.returncode == 77, done.stderr.decode(errors="replace").strip().split("\n")[-1]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", required=True)
    parser.add_argument("--paretofl", default="build/paretofl")
    parser.add_argument("--changes", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    random_numbers = random.Random(options.seed)
    rows = []
    for name, split in [("mbpp", "training"), ("mbpp", "validation"), ("mbpp", "test"), ("humaneval", "test")]:
        done = subprocess.run([options.paretofl, "questions", name, "--split", split, "--data", options.data], capture_output=True, check=True)
        for line in done.stdout.splitlines():
            question = json.loads(line)
            reference = json.loads(question["reference"])
            source = (reference["prompt"] if name == "humaneval" else "") + question["solution"]
            entry = reference["entry_point"] if name == "humaneval" else reference["names"][-1]
            programs = [source] + [changed(source, entry, random_numbers) for _ in range(options.changes)]
            rows += [{"prompt": "", "completion": program, "reference": question["reference"], "change": i}
                     for i, program in enumerate(programs) if program is not None]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        plain = list(pool.map(passes, rows))
    settings = ["--set", "at_once=2", "--set", "sandbox.wall_seconds=60"]
    done = subprocess.run([options.paretofl, "score", "--reward", "code_accuracy", *settings, "-"],
                          input="\n".join(map(json.dumps, rows)).encode(), capture_output=True, check=True)
    ours = [json.loads(line)["score"] == 1 for line in done.stdout.splitlines()]
    differences = 0
    for row, (expected, error), found in zip(rows, plain, ours, strict=True):
        if expected != found:
            differences += 1
            print(f"plain {expected} ({error}), code_accuracy {found}:\n{row['completion']}\n{row['reference']}\n")
    originals = sum(row["change"] == 0 for row in rows)
    print(f"{originals} solutions and {len(rows) - originals} changed ones; {sum(ours)} pass; {differences} differ")
    return differences > 0


if __name__ == "__main__":
    sys.exit(main())
