"""The page of jobs in Python: every program runs as it stands, and the table has the numbers of lines that the page's command counts."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from libtorch import skip_without_libtorch

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "python_jobs.md"
TEXT = PAGE.read_text(encoding="utf-8")
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
DATA, *JOBS = re.split(r"^## \d+\. ", TEXT, flags=re.MULTILINE)
NAMES = [job.partition("\n")[0] for job in JOBS]
NEEDS = {"My PyTorch model": ["torch"], "To PyTorch and to ONNX": ["torch", "safetensors", "onnxruntime"], "Compare three seeds": ["pandas", "matplotlib"]}
LEAVES = ["seeds.svg", "homes/summary.json", "model/summary.json", "front.csv", "shouting/summary.json", "longer/summary.json", "glyphs.onnx", "solver/summary.json"]


def python(program, folder):
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=folder)


@pytest.mark.parametrize("job, left", zip(JOBS, LEAVES), ids=[name.replace(" ", "-") for name in NAMES])
def test_a_job_runs_as_it_stands(tmp_path, job, left):
    name = job.partition("\n")[0]
    for module in NEEDS.get(name, []):
        pytest.importorskip(module)
    if "homes" in job:
        assert python(*BLOCK.findall(DATA), tmp_path).returncode == 0
    (program,) = BLOCK.findall(job)
    ended = python(program, tmp_path)
    if "GRPO" in name and "libparetofl_torch.so" in ended.stderr:
        skip_without_libtorch()
    assert ended.returncode == 0, ended.stderr
    assert (tmp_path / "runs" / "jobs" / left).is_file() and list((tmp_path / "runs" / "jobs").glob("*/*.toml"))


def test_the_table_has_the_numbers_of_lines():
    assert len(JOBS) == 8
    (command,) = re.findall(r"^```sh\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    counted = subprocess.run(command, shell=True, capture_output=True, text=True, cwd=ROOT, check=True).stdout.splitlines()
    rows = re.findall(r"^\| \[(\d+\. .*?)\]\(#(.*?)\) \| (\d+) \|$", TEXT, re.MULTILINE)
    assert counted == [f"{lines} ## {title}" for title, _, lines in rows]
    assert [title for title, _, _ in rows] == [f"{number}. {name}" for number, name in enumerate(NAMES, 1)]
    assert [anchor for _, anchor, _ in rows] == [re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title, _, _ in rows]
