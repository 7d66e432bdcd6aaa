import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "my_parts.md"


def test_every_example_of_the_page_runs(tmp_path):
    pytest.importorskip("torch", reason="PyTorch is not installed (Debian: python3-torch)")
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    script = tmp_path / "page.py"
    script.write_text("\n".join(blocks))
    ended = subprocess.run([sys.executable, script], capture_output=True, text=True, cwd=tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert len(blocks) == 6 and (tmp_path / "runs" / "server_momentum" / "summary.json").is_file()
    shown = re.findall(r"^print\(.*\)  # (.*)$", script.read_text(), re.MULTILINE)  # what the comments beside the calls say
    assert len(shown) == 4 and all(line in ended.stdout.splitlines() for line in shown)
