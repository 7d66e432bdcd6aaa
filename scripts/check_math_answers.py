#!/usr/bin/env python3
"""Judges pairs of answers by the reward math_accuracy and by the Python package math-verify, and lists where they differ.

Usage: PARETOFL_DATA=DIR scripts/check_math_answers.py [--command PATH] [--seed N] [--references N] [--all]
Needs the package math-verify (pip install 'math-verify[antlr4_13_2]') and DIR/math/test.jsonl.gz; no part of CI.
Pairs are made so that the right verdict is known: references of MATH's test file beside themselves, respelled, worked out
again, with a digit or a sign changed, and beside other references; and a list written by hand. Prints every disagreement
with who is right, every answer of math_accuracy that is wrong, and figures by kind. Exits with 1 if any is wrong.
"""

import argparse
import collections
import gzip
import json
import logging
import os
import random
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

from math_verify import parse, verify

ROOT = Path(__file__).resolve().parent.parent

# An answer, a reference, and whether they say the same.
WRITTEN = r"""
84,500 | 84500 | 1
84{,}500 | 84,500 | 1
84\,500 | 84500 | 1
84,\!500 | 84500 | 1
\$84,500 | 84500 | 1
84,500 | 84, 500, 1 | 0
84,500 | 500, 84 | 0
84,000 | 0, 84 | 0
(3,000, 4) | (3000, 4) | 1
(300,400) | (300, 400) | 1
7,8 | 8, 7 | 1
(7,8) | (8,7) | 0
8\text{ million} | 8 | 0
8\text{ million} | 8,000,000 | 1
8\text{ million} | 8\text{ thousand} | 0
2.5 billion | 2500000000 | 1
15\text{ June} | 15\text{ May} | 0
15\text{ June} | 15 | 0
5\mathrm{lcm}(6,8) | 5(6,8) | 0
\operatorname{lcm}(6,8) | 24 | 1
n\text{ even} | n\text{ odd} | 0
8\text{ apples} | 8 | 1
8\text{ cm} | 8 | 1
8\text{ cm} | 8\text{ m} | 0
8\text{ m/s} | 8 | 1
8 m/s | 8\text{ meters per second} | 1
8\text{ cm}^2 | 8\text{ square centimeters} | 1
8\text{ cm}^2 | 8\text{ cm} | 0
\$8 | 8\text{ dollars} | 1
\$8 | 8\text{ cents} | 0
£8 | 8 | 1
35\% | 35 | 1
50^\circ | 50 | 1
50 degrees | 50^\circ | 1
10^{10}\pi | 10^{10}\pi+1 | 0
3.14159265359 | \pi | 0
1.41421356 | \sqrt{2} | 0
0.33333333 | \frac{1}{3} | 0
0.\overline{6} | \frac{2}{3} | 1
0.1\overline{6} | \frac16 | 1
0.\overline{6} | 0.6 | 0
\sin y+\cos x | \cos x+\sin y | 1
\sin y\cos x | \cos x\sin y | 1
\sin x | \cos x | 0
\sin^2 x | (\sin x)^2 | 1
\sin^2 x | \sin(x^2) | 0
\ln(5) | \ln 5 | 1
\ln 5+1 | 1+\ln 5 | 1
2\ln 5 | \ln 25 | 1
\ln 5 | \ln 6 | 0
\frac{\ln 9}{\ln 3} | 2 | 1
e^{2}x | xe^2 | 1
e^{i\pi} | -1 | 1
6! | 720 | 1
6! | 6 | 0
\frac{6!}{3} | 240 | 1
\binom{8}{3} | 56 | 1
\binom{8}{3} | \binom{8}{5} | 1
\binom{8}{3} | \binom{8}{4} | 0
|-9| | 9 | 1
|-9| | -9 | 0
\lfloor 4.7\rfloor | 4 | 1
\lceil 4.2\rceil | 5 | 1
\lfloor 4.7\rfloor | 5 | 0
2^{80} | 1208925819614629174706176 | 1
2^{80} | 2^{80}+1 | 0
1.5\times10^{4} | 15000 | 1
1.5e4 | 15000 | 1
4E-3 | 0.004 | 1
¾ | 0.75 | 1
2½ | \frac52 | 1
x>2 | (2,\infty) | 1
x\ge2 | [2,\infty) | 1
x\ge2 | (2,\infty) | 0
2<x\le7 | (2,7] | 1
2<x\le7 | [2,7) | 0
x<2 \text{ or } x>7 | (-\infty,2)\cup(7,\infty) | 1
x>2 | 2<x | 1
x>2 | x<2 | 0
x\neq2 | (-\infty,2)\cup(2,\infty) | 1
\emptyset | \{\} | 1
\varnothing | \emptyset | 1
\emptyset | 0 | 0
\{2,7\} | \{7,2\} | 1
\{2,7\} | \{2,8\} | 0
\mathbb{R} | (-\infty,\infty) | 1
\pm4 | 4,-4 | 1
\pm4 | 4 | 0
2\frac13 | \frac73 | 1
2 1/3 | \frac73 | 1
\sqrt{18} | 3\sqrt2 | 1
\frac{1}{\sqrt5} | \frac{\sqrt5}{5} | 1
\frac{1}{2+\sqrt3} | 2-\sqrt3 | 1
\sqrt{3}+\sqrt{2} | \sqrt{5} | 0
\sqrt[3]{54} | 3\sqrt[3]{2} | 1
\tan\frac{\pi}{4} | 1 | 1
\cos 60^\circ | \frac12 | 1
\arctan 1 | \frac{\pi}{4} | 1
(1+i)^4 | -4 | 1
3+2i | 2i+3 | 1
3+2i | 3-2i | 0
x=6 | 6 | 1
2+4=6 | 6 | 1
x=6 | y=6 | 0
y=3x-1 | -1+3x | 1
x^2-4 | (x-2)(x+2) | 0
3x+2y | 2y+3x | 1
\frac{x+1}{2} | \frac{1}{2}(x+1) | 1
x^{12} | x^{13} | 0
\frac{a}{b} | \frac{b}{a} | 0
x_1 | x_2 | 0
x_{12} | x_1 | 0
110_2 | 110 | 0
110_2 | 110_{2} | 1
110_2 | 110_3 | 0
f(3) | 3f | 0
f'(x)=4 | f(x)=4 | 0
5:3 | 3:5 | 0
10:30 | 1:30 | 0
9\text{ a.m.} | 9\text{ p.m.} | 0
\text{(D)} | D | 1
\text{Wednesday} | Wednesday | 1
\text{Wednesday} | \text{Thursday} | 0
\text{Yes} | \text{No} | 0
\infty | -\infty | 0
\begin{pmatrix}2\\5\end{pmatrix} | \begin{bmatrix}2\\5\end{bmatrix} | 1
\begin{pmatrix}2\\5\end{pmatrix} | \begin{pmatrix}5\\2\end{pmatrix} | 0
\begin{pmatrix}2&5\end{pmatrix} | \begin{pmatrix}2\\5\end{pmatrix} | 0
\neg p | p | 0
3 \pmod{8} | 3 | 0
P \implies Q | Q \implies P | 0
9\text{ or }10 | 9 | 0
9\text{ and }10 | 10, 9 | 1
\frac{1}{2007!} | \frac{1}{2008!} | 0
10^{25} | 10^{25}+1 | 0
x+10^{-12} | x | 0
-\frac{5}{8} | \frac{-5}{8} | 1
−4 | -4 | 1
7. | 7 | 1
$\frac{3}{7}$ | \frac37 | 1
\boldsymbol{7} | 7 | 1
3\mathrm{i} | 3i | 1
3\mathrm{i} | 3 | 0
"""


def boxed(solution):
    at = max(solution.rfind("\\boxed"), solution.rfind("\\fbox"))
    at = solution.index("{", at) if "{" in solution[at : at + 8] else -1
    if at < 0:
        return None
    depth = 0
    for end in range(at, len(solution)):
        depth += (solution[end] == "{") - (solution[end] == "}")
        if depth == 0:
            return solution[at + 1 : end]
    return None


def references(folder):
    with gzip.open(Path(folder) / "math" / "test.jsonl.gz", "rt") as file:
        found = (boxed(json.loads(line)["solution"]) for line in file)
        return sorted({answer for answer in found if answer})


def value_of(answer):
    """A reference's value where it is an integer, a decimal or a fraction of integers; None for any other."""
    plain = re.sub(r"^(-?)\\[dt]?frac\{(\d+)\}\{(\d+)\}$", r"\1\2/\3", answer)
    return Fraction(plain) if re.fullmatch(r"-?(\d+/[1-9]\d*|\d+|\d*\.\d+)", plain) else None


def respelled(answer, rng):
    changes = [
        lambda a: "$" + a + "$",
        lambda a: a.replace("\\frac", "\\dfrac"),
        lambda a: a.replace("(", "\\left(").replace(")", "\\right)") if "\\left" not in a else a,
        lambda a: a.replace("+", " + ").replace(",", ", ") if not re.search(r"\d,\d{3}|!", a) else a,
        lambda a: a + ".",
        lambda a: "\\displaystyle " + a,
    ]
    return rng.choice(changes)(answer)


def worked_again(value, rng):
    ways = [f"\\frac{{{value.numerator * 7}}}{{{value.denominator * 7}}}", f"{value.numerator * 3}/{value.denominator * 3}"]
    if value.denominator == 1:
        ways += [f"{value.numerator}.0", f"{value.numerator - 3}+3", f"\\sqrt{{{value.numerator ** 2}}}" if value >= 0 else f"{value}"]
        ways += [f"{value.numerator:,}", f"{value.numerator}\\text{{ cm}}", f"{value.numerator}\\cdot 10^0"]
    return rng.choice(ways)


def changed(answer, rng):
    digits = [i for i, c in enumerate(answer) if c.isdigit()]
    if not digits:
        return None
    at = rng.choice(digits)
    return answer[:at] + str((int(answer[at]) + rng.randrange(1, 9)) % 10) + answer[at + 1 :]


def pairs(folder, count, rng):
    """(kind, answer, reference, whether they are the same)"""
    answers = references(folder)
    drawn = rng.sample(answers, min(count, len(answers)))
    for answer in drawn:
        yield "itself", answer, answer, True
        yield "respelled", respelled(answer, rng), answer, True
        value = value_of(answer)
        if value is not None:
            yield "worked out again", worked_again(value, rng), answer, True
            yield "another sign", str(-value) if value else "1", answer, False
        wrong = changed(answer, rng)
        other = value_of(wrong) if wrong else None
        if wrong and (value is None or other != value):
            yield "another digit", wrong, answer, False
        stranger = rng.choice(answers)
        if stranger != answer and (value is None or value_of(stranger) != value):
            yield "another reference", stranger, answer, False
    for line in WRITTEN.strip().split("\n"):
        answer, reference, same = re.fullmatch(r"(.*?) \| (.*) \| ([01])", line).groups()
        yield "written by hand", answer, reference, same == "1"


def own_verdicts(command, rows):
    lines = "".join(json.dumps({"prompt": "", "completion": f"\\boxed{{{a}}}", "reference": r}) + "\n" for _, a, r, _ in rows)
    done = subprocess.run([command, "score", "--reward", "math_accuracy", "-"], input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line)["score"] == 1 for line in done.stdout.splitlines()]


def other_verdict(answer, reference):
    wrapped = [text if text.startswith("$") else f"${text}$" for text in (reference, answer)]
    try:
        return bool(verify(*(parse(text) for text in wrapped)))
    except Exception as error:  # whatever it may be, it is no verdict
        print(f"math-verify: no verdict on {answer!r} and {reference!r}: {type(error).__name__}")
        return False


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", default=str(ROOT / "build" / "paretofl"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--references", type=int, default=200, help="how many of MATH's references are drawn")
    parser.add_argument("--all", action="store_true", help="print every pair")
    options = parser.parse_args()
    folder = os.environ.get("PARETOFL_DATA")
    if not folder:
        sys.exit("check_math_answers: expected PARETOFL_DATA to name a folder with math/test.jsonl.gz, found nothing")
    logging.disable(logging.CRITICAL)

    rows = list(pairs(folder, options.references, random.Random(options.seed)))
    figures = collections.defaultdict(collections.Counter)
    for (kind, answer, reference, same), own in zip(rows, own_verdicts(options.command, rows), strict=True):
        other = other_verdict(answer, reference)
        figures[kind].update(pairs=1, own_right=own == same, other_right=other == same, differ=own != other)
        if own != other or own != same or options.all:
            right = "both are right" if own == other == same else "both are WRONG" if own == other else \
                "math_accuracy is right" if own == same else "math_accuracy is WRONG"
            print(f"{right}: {answer!r} and {reference!r} are {'the same' if same else 'not the same'} ({kind})")
    print(f"\n{'kind':20} {'pairs':>6} {'math_accuracy right':>20} {'math-verify right':>18} {'disagreements':>14}")
    total = sum(figures.values(), collections.Counter())
    for kind, figure in [*figures.items(), ("all", total)]:
        print(f"{kind:20} {figure['pairs']:6} {figure['own_right']:20} {figure['other_right']:18} {figure['differ']:14}")
    return int(total["own_right"] != total["pairs"])


if __name__ == "__main__":
    sys.exit(main())
