"""experiments/theory_series.py: series outlive their runs, and are those of the file and of new runs together."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "experiments"))
from theory_series import keep_series, slope  # noqa: E402


class TheorySeriesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = Path(folder.name) / "theory.csv"

    def kept(self, series):
        return keep_series(self.file, ["T", "beta"], ["figure"], series)

    def test_new_runs_join_those_of_the_file(self):
        self.kept({"beta": {0.003: {1: [0.5]}}, "T": {64.0: {1: [4.0], 10: [5.0], 2: [6.0]}, 8.0: {1: [9.0]}}})
        found = self.kept({"T": {64.0: {2: [7.0]}}})
        self.assertEqual(found, {"T": {8.0: {1: [9.0]}, 64.0: {1: [4.0], 2: [7.0], 10: [5.0]}}, "beta": {0.003: {1: [0.5]}}})
        self.assertEqual(list(found["T"]), [8.0, 64.0])
        self.assertEqual(self.file.read_text(), "series,value,seed,figure\nT,8,1,9\nT,64,1,4\nT,64,2,7\nT,64,10,5\nbeta,0.003,1,0.5\n")

    def test_the_slope_is_that_of_a_power(self):
        self.assertAlmostEqual(slope([(x, 3 * x**-0.5) for x in (1, 2, 8)]), -0.5)


if __name__ == "__main__":
    unittest.main()
