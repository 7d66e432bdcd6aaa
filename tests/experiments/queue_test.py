"""experiments/queue.sh: finished runs are kept, interrupted ones go on, others are not taken for them."""

import subprocess
import tempfile
import unittest
from pathlib import Path

QUEUE = Path(__file__).resolve().parents[2] / "experiments" / "queue.sh"


class QueueTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name) / "of runs"
        self.run_folder = self.folder / "group" / "a, b-1"

    def shell(self, script):
        # `echo` stands for the command: what it is told is what run_queue prints, on stderr, and nothing is run.
        return subprocess.run(["bash", "-euo", "pipefail", "-c", f'source "{QUEUE}"; {script}'], capture_output=True, text=True, timeout=60,
                              env={"PATH": "/usr/bin:/bin", "PARETOFL": "echo", "RUNS": str(self.folder), "JOBS": "1"})

    def queue(self, settings="rounds=3"):
        return self.shell(f"queue 'group/a, b-1' preset.toml {settings}; run_queue")

    def test_new_run(self):
        started = self.queue("rounds=3 'strategy.preference=[1, 2]'")
        self.assertEqual(started.returncode, 0, started.stderr)
        self.assertIn("echo run preset.toml", started.stderr)
        self.assertIn("--set rounds=3", started.stderr)

    def test_threads_of_a_run(self):
        self.assertIn("--set runtime.threads=1 ", self.queue().stderr)
        self.assertIn("--set runtime.threads=3 ", self.shell("THREADS=3; queue group/b preset.toml; run_queue").stderr)

    def test_interrupted_and_finished_run(self):
        self.queue()
        self.run_folder.mkdir()
        (self.run_folder / "config.toml").touch()
        self.assertIn("echo run --resume", self.queue().stderr)
        (self.run_folder / "summary.json").touch()
        self.assertEqual(self.queue().stderr, "")

    def test_run_with_other_settings(self):
        self.queue()
        self.run_folder.mkdir()
        for file in ("config.toml", "summary.json"):
            (self.run_folder / file).touch()
            refused = self.queue("rounds=5")
            self.assertEqual(refused.returncode, 1)
            self.assertIn("preset.toml rounds=5", refused.stderr)
            self.assertIn("found one of: preset.toml rounds=3", refused.stderr)

    def test_same_run_twice(self):
        twice = self.shell("queue group/a preset.toml; queue group/a preset.toml; run_queue")
        self.assertEqual(twice.stderr.count("echo run"), 1)

    def test_failing_run_fails_the_queue(self):
        failed = self.shell("command=false; queue group/a preset.toml; queue group/b preset.toml; run_queue; echo went on")
        self.assertNotEqual(failed.returncode, 0)
        self.assertEqual(failed.stderr.count("false run"), 2)
        self.assertNotIn("went on", failed.stdout)

    def test_table_of_a_failing_command_stays(self):
        table = self.folder.parent / "table.md"
        written = self.shell(f"keep '{table}' echo first")
        self.assertEqual((written.stdout, table.read_text()), ("first\n", "first\n"))
        failed = self.shell(f"keep '{table}' bash -c 'echo second; exit 3'; echo went on")
        self.assertNotEqual(failed.returncode, 0)
        self.assertNotIn("went on", failed.stdout)
        self.assertEqual(table.read_text(), "first\n")
        self.assertEqual([file.name for file in table.parent.iterdir()], ["table.md"])


if __name__ == "__main__":
    unittest.main()
