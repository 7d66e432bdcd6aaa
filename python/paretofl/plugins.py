"""Parts of one's own in files, as the option --plugin of the command loads them."""

from __future__ import annotations

import importlib.util
import os
import pathlib
import sys

from paretofl import _engine
from paretofl.annotations import Path
from paretofl.settings import path_of

TAKEN = "paretofl_plugin_"  # begins the name of a file's module where another module has the file's name


def after_file():
    """What follows a plugin's file: the command sets it."""


def load_plugin(file: Path) -> None:
    """Loads a plugin, as `--plugin FILE` of the command does: a Python file whose classes register themselves, or a shared library.

    The records of a run name the plugins that were loaded, and resuming it needs them again. A file that is loaded already is not loaded
    again. Error on a file that is no plugin, and if the plugin fails.
    """
    _engine.load_plugin(os.fspath(path_of("plugin", file)))


def run_file(file):
    """Runs a Python file as a module of its own name, with its folder among those that imports look in, and returns the module."""
    path = pathlib.Path(file)
    name = path.stem if path.stem.isidentifier() and not is_taken(path.stem, path) else f"{TAKEN}{path.stem}"
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
    after_file()
    return module


def is_taken(name, path):
    """Whether a module of another file has this name, which other code may import by it."""
    if name in sys.modules or name in sys.stdlib_module_names:
        return True
    found = importlib.util.find_spec(name)
    return found is not None and (found.origin is None or os.path.realpath(found.origin) != os.path.realpath(path))
