import doctest
import importlib
import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "python.md"


def test_every_example_of_the_page_runs(tmp_path, monkeypatch):
    pytest.importorskip("torch", reason="PyTorch is not installed (Debian: python3-torch)")
    pytest.importorskip("peft", reason="PEFT is not installed (pip install peft)")
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    names = {}
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), names)
    assert len(blocks) == 8
    assert all("lora" in name for name, _, _ in names["problem"]._description().slices) and type(names["loaded"]) is type(names["adapted"])
    assert (tmp_path / "runs" / "python" / "first" / "report.html").is_file()
    assert names["run"].parameters.shape == (2,) and names["volume"] == 178


@pytest.mark.parametrize("module", ["solvers", "compressors", "preferences", "rewards", "question_sets"])
def test_every_example_of_a_module_runs(module):
    failed, tried = doctest.testmod(importlib.import_module(f"paretofl.{module}"))
    assert failed == 0 and tried >= 2
