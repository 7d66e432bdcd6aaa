"""A process must not load two LibTorches: it hangs or ends."""

import importlib.util
import sys
from pathlib import Path

from paretofl._engine import Error


def expect_one_libtorch():
    """Error where importing `torch` would load another LibTorch than the one that a run of a language model has loaded."""
    found = None if "torch" in sys.modules else importlib.util.find_spec("torch")
    if found is None or found.origin is None:
        return
    own = Path(found.origin).parent / "lib" / "libtorch_cpu.so"
    mapped = [line.split(maxsplit=5)[-1] for line in Path("/proc/self/maps").read_text().splitlines()]
    loaded = {Path(file).resolve() for file in mapped if Path(file).name.startswith(own.name)}
    if loaded and own.exists() and own.resolve() not in loaded:
        raise Error(f"torch: expected the PyTorch of {min(loaded)}, which this process has loaded, found {own}; import torch in another process")
