"""experiments/kept_rows.py: tables take new runs and lose none that they have."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "experiments"))
from kept_rows import joined, merge, replace  # noqa: E402


class KeptRowsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = Path(folder.name) / "table.csv"

    def merged(self, *runs):
        return merge(self.file, ["run", "round"], 1, runs)

    def test_merge_keeps_other_runs_and_sorts(self):
        self.merged([["b", "1"], ["b", "2"]])
        self.assertEqual(self.merged([["a", "1"]]), {("a",): [["a", "1"]], ("b",): [["b", "1"], ["b", "2"]]})
        self.assertEqual(self.file.read_text(), "run,round\na,1\nb,1\nb,2\n")

    def test_merge_takes_a_longer_run_and_no_shorter_one(self):
        self.merged([["a", "1"]])
        self.merged([["a", "3"], ["a", "4"]])
        self.assertEqual(self.file.read_text(), "run,round\na,3\na,4\n")
        with self.assertRaisesRegex(SystemExit, "table.csv, a: expected at least the 2 rows"):
            self.merged([["a", "5"]])
        self.assertEqual(self.file.read_text(), "run,round\na,3\na,4\n")

    def test_replace_writes_every_column(self):
        replace(self.file, [{"run": "a", "loss": 1 / 3}, {"run": "b", "accuracy": None}])
        self.assertEqual(self.file.read_text(), "run,loss,accuracy\na,0.333333,\nb,,\n")

    def test_joined_rows_are_the_files_and_in_the_place_of_the_same_runs_the_new_ones(self):
        self.assertEqual(joined(self.file, ["run"], [{"run": "a", "loss": 1.0}]), [{"run": "a", "loss": 1.0}])
        replace(self.file, [{"run": "b", "loss": 0.5}, {"run": "a", "loss": 2.0}, {"run": "7", "loss": None}])
        self.assertEqual(joined(self.file, ["run"], [{"run": "a", "loss": 1.0, "kl": 3.0}]),
                         [{"run": "b", "loss": 0.5}, {"run": "7", "loss": None}, {"run": "a", "loss": 1.0, "kl": 3.0}])

    def test_replace_refuses_fewer_rows(self):
        replace(self.file, [{"run": "a"}, {"run": "b"}])
        with self.assertRaisesRegex(SystemExit, "expected at least the 2 rows that it has, found runs for 1"):
            replace(self.file, [{"run": "c"}])
        with self.assertRaisesRegex(SystemExit, "expected finished runs, found none"):
            replace(self.file, [])
        self.assertEqual(self.file.read_text(), "run\na\nb\n")


if __name__ == "__main__":
    unittest.main()
