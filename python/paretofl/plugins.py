"""Parts of one's own in files, as the option --plugin of the command loads them."""

import importlib.util
import os
import sys
from pathlib import Path

from paretofl import _engine
from paretofl.settings import path_of


def load_plugin(file):
    """Loads a plugin, as `--plugin FILE` of the command does: a Python file whose classes register themselves, or a shared library.

    Runs name the plugins that were loaded: resuming asks for them again. A file that is loaded already is left as it is. Error on what is no
    plugin, and where it fails.
    """
    _engine.load_plugin(os.fspath(path_of("plugin", file)))


def run_file(file):
    """Runs a Python file as a module of its own name, with its folder among those that imports look in."""
    path = Path(file)
    name = path.stem if path.stem.isidentifier() and path.stem not in sys.modules else f"paretofl_plugin_{path.stem}"
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
