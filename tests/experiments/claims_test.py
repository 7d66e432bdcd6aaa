"""experiments/claims.py and experiments/paired.py: what a difference says of a claim, and the page as the tables have it."""

import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "experiments"))
from claims import difference, slope, verdict  # noqa: E402
from paired import differences, interval, interval_of  # noqa: E402


class PairedTest(unittest.TestCase):
    def test_differences_are_of_the_seeds_that_both_have(self):
        self.assertEqual(differences({1: 5, 3: 2, 2: 7}, {2: 4, 1: 1, 4: 0}), [4, 3])

    def test_the_interval_is_student_s(self):
        # Of 1, 2, 3, 4: mean 2.5, standard error sqrt(5/3)/2, and 3.182 of them.
        middle, lowest, highest = interval_of([1, 2, 3, 4])
        self.assertAlmostEqual(middle, 2.5)
        self.assertAlmostEqual(highest - middle, 3.182 * (5 / 3)**0.5 / 2)
        self.assertAlmostEqual(middle - lowest, highest - middle)
        self.assertEqual(interval([1, 2, 3, 4]), "+2.5 [0.4, 4.6]")


class VerdictTest(unittest.TestCase):
    def test_the_interval_decides(self):
        self.assertEqual(verdict([1.0, 1.1, 0.9], 1), "shown")
        self.assertEqual(verdict([1.0, 1.1, 0.9], -1), "contrary")
        self.assertEqual(verdict([-1.0, -1.1, -0.9], -1), "shown")
        self.assertEqual(verdict([-1.0, 1.1, 0.9], 1), "not shown")

    def test_few_seeds_show_nothing(self):
        self.assertEqual(verdict([5.0, 5.1], 1), "not shown (2 seeds)")
        self.assertEqual(verdict([5.0], 1), "not shown (1 seed)")

    def test_a_row_counts_the_seeds_that_both_have(self):
        row = difference("better", "a design", {1: 3, 2: 4, 3: 5, 4: 9}, {1: 1, 2: 2, 3: 3}, "points")
        self.assertEqual(row, ("better", "a design; 3 seeds", "+2.0 [2.0, 2.0] points", "shown", True))

    def test_no_worse_than_by_a_margin(self):
        equal = [{seed: value for seed, value in enumerate(values)} for values in ([0.01, -0.01, 0.0], [0.0, 0.0, 0.0])]
        self.assertEqual(difference("as good", "a design", *equal, "")[3], "not shown")
        self.assertEqual(difference("as good", "a design", *equal, "", margin=0.05)[3], "shown")
        self.assertEqual(difference("as small", "a design", *equal, "", sign=-1, margin=0.05)[3], "shown")
        self.assertEqual(difference("as good", "a design", {1: -1.0, 2: -1.1, 3: -0.9}, {1: 0, 2: 0, 3: 0}, "", margin=0.05)[3], "contrary")

    def test_the_slope_is_of_logarithms(self):
        rows = [{"seed": seed, "x": x, "y": int(seed) * x**-0.5} for seed in ("1", "2") for x in (1, 4, 64)]
        for seed, found in slope(rows, "x", "y").items():
            self.assertAlmostEqual(found, -0.5, msg=seed)


class PageTest(unittest.TestCase):
    def test_the_page_is_what_the_tables_say(self):
        checked = subprocess.run([sys.executable, str(ROOT / "experiments" / "claims.py"), "--check"], capture_output=True, text=True, timeout=60)
        self.assertEqual(checked.returncode, 0, checked.stderr)


if __name__ == "__main__":
    unittest.main()
