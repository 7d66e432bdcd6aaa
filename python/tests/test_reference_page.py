import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def test_the_reference_is_what_the_docstrings_say():
    pytest.importorskip("torch", reason="PyTorch is not installed (Debian: python3-torch)")
    pytest.importorskip("gymnasium", reason="Gymnasium is not installed (pip install gymnasium)")
    checked = subprocess.run([sys.executable, "-B", ROOT / "scripts" / "reference_page.py", "--check"], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr
