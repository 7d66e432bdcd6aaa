"""The Python files that define a problem, for parties to compare."""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib.util
import pathlib
import site
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from typing import Any

from paretofl.plugins import TAKEN


def digests_of(objects: Iterable[Any]) -> dict[str, str]:
    """The SHA-256, in hexadecimal, of the file of each module that defines one of the objects, and of each that such a file imports, at its
    top or in a function. The keys are the modules' names; for the program that runs, and a file whose name another module has, the file's name without ".py". Python's own modules,
    installed packages and this package are left out. A module without a file, such as a notebook, has the text "not in a file".
    """
    found: dict[str, str] = {}
    names, seen = [name for item in objects for name in modules_of(item)], set()
    while names:
        name = names.pop()
        if name in seen or is_pythons(name):
            continue
        seen.add(name)
        file = file_of(name)
        if file is None:
            if name == "__main__":
                found[name] = "not in a file"
        elif not is_installed(file):
            content = file.read_bytes()
            found[file.stem if name == "__main__" or name.startswith(TAKEN) else name] = hashlib.sha256(content).hexdigest()
            names += imported_by(content, name)
    return dict(sorted(found.items()))


def modules_of(item: Any) -> Iterator[str]:
    """The names of the modules that define a class and its bases, a function, or another object's class."""
    while isinstance(item, functools.partial):
        item = item.func
    function = getattr(item, "__func__", item)  # of a bound method
    if hasattr(function, "__code__"):
        yield function.__module__
        item = getattr(item, "__self__", item)
    for kind in (item if isinstance(item, type) else type(item)).__mro__:
        yield kind.__module__


def imported_by(content: bytes, name: str) -> Iterator[str]:
    """The names of the modules that a file may import; some may be names of what is in a module."""
    package = getattr(sys.modules.get(name), "__package__", None) or name.rpartition(".")[0]
    for node in ast.walk(ast.parse(content)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".")[: 1 - node.level or None] if node.level else []
            module = ".".join([*parents, *([node.module] if node.module else [])])
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)


def file_of(name: str) -> pathlib.Path | None:
    """The Python file of a module, which need not be loaded."""
    file = getattr(sys.modules.get(name), "__file__", None)
    if name not in sys.modules:
        try:
            spec = importlib.util.find_spec(name)
        except (ImportError, ValueError):
            spec = None
        file = None if spec is None or not spec.has_location else spec.origin
    return pathlib.Path(file).resolve() if file is not None and file.endswith(".py") and pathlib.Path(file).is_file() else None


def is_pythons(name: str) -> bool:
    """Whether a module is Python's own or this package's."""
    top = name.partition(".")[0]
    return name != "__main__" and (top in sys.stdlib_module_names or top == "paretofl")


def is_installed(file: pathlib.Path) -> bool:
    return any(file.is_relative_to(folder) for folder in installed_folders())


@functools.cache
def installed_folders() -> tuple[pathlib.Path, ...]:
    """Where packages are installed."""
    folders = [sysconfig.get_path("purelib"), sysconfig.get_path("platlib"), *site.getsitepackages(), site.getusersitepackages()]
    return tuple(pathlib.Path(folder).resolve() for folder in folders)
