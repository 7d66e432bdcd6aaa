"""The Python files that define a problem, for parties to compare."""

from __future__ import annotations

import ast
import functools
import hashlib
import pathlib
import sys
from collections.abc import Iterable, Iterator
from importlib.machinery import EXTENSION_SUFFIXES
from typing import Any

from paretofl.plugins import TAKEN

INSTALLED = {"site-packages", "dist-packages"}


def digests_of(objects: Iterable[Any]) -> dict[str, str]:
    """The SHA-256, in hexadecimal, of the file of each module that defines one of the objects, and of each that such a file imports, at its
    top or in a function, with the packages around them. No file is executed for this, and what a file imports only as the program that runs,
    or for the checking of types, does not count.

    The keys are the modules' names; for the program that runs, and a file whose name another module has, the file's name without its suffix.
    Python's own modules, installed packages and this package are left out. A module without a file, such as a notebook, that defines an
    object has the text "not in a file".
    """
    found: dict[str, str] = {}
    seen: set[str] = set()
    roots = {name for item in objects for name in modules_of(item)}
    names = sorted(roots)
    while names:
        name = names.pop()
        if name in seen or is_pythons(name):
            continue
        seen.add(name)
        names += filter(None, [name.rpartition(".")[0]])
        file = file_of(name)
        if file is None:
            if name in roots:
                found[name] = "not in a file"
        elif not is_installed(file):
            content = file.read_bytes()
            found[file.stem if name == "__main__" or name.startswith(TAKEN) else name] = hashlib.sha256(content).hexdigest()
            names += imported_by(content, name if file.name == "__init__.py" else name.rpartition(".")[0])
    return dict(sorted(found.items()))


def modules_of(item: Any) -> Iterator[str]:
    """The names of the modules that define a class and its bases, a function, or another object's class."""
    while isinstance(item, functools.partial):
        item = item.func
    function = getattr(item, "__func__", item)  # of a bound method
    names = []
    if hasattr(function, "__code__"):
        names.append(function.__module__)
        item = getattr(item, "__self__", item)
    names += [kind.__module__ for kind in (item if isinstance(item, type) else type(item)).__mro__]
    yield from (name for name in names if isinstance(name, str))


def imported_by(content: bytes, package: str) -> Iterator[str]:
    """The names of the modules that a file in a package may import; some may be names of what is in a module. None of a file that is no
    Python of this version."""
    try:
        statements: list[ast.AST] = [ast.parse(content)]
    except (SyntaxError, ValueError):
        return
    while statements:
        node = statements.pop()
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".")[: 1 - node.level or None] if node.level else []
            module = ".".join([*parents, *([node.module] if node.module else [])])
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.If) and is_for_others(node.test):
            statements += node.orelse
        else:
            statements += ast.iter_child_nodes(node)


def is_for_others(test: ast.expr) -> bool:
    """Whether a condition is `__name__ == "__main__"` or `TYPE_CHECKING`."""
    return ast.unparse(test) in ("__name__ == '__main__'", "TYPE_CHECKING", "typing.TYPE_CHECKING")


def file_of(name: str) -> pathlib.Path | None:
    """The file of a module, which is found without executing anything."""
    *packages, last = name.split(".")
    if not all([*packages, last]):
        return None
    if name != "__main__" and not name.startswith(TAKEN):
        places = [pathlib.Path(folder) for folder in sys.path]
        for package in packages:
            places = [place / package for place in places if (place / package).is_dir()]
            places = [place for place in places if (place / "__init__.py").is_file()][:1] or places
        for place in places:
            for file in (f"{last}/__init__.py", *(last + suffix for suffix in EXTENSION_SUFFIXES), f"{last}.py"):
                if (place / file).is_file():
                    return (place / file).absolute()
    loaded = getattr(sys.modules.get(name), "__file__", None)
    return pathlib.Path(loaded).absolute() if loaded is not None and pathlib.Path(loaded).is_file() else None


def is_pythons(name: str) -> bool:
    """Whether a module is Python's own or this package's."""
    top = name.partition(".")[0]
    return name != "__main__" and (top in sys.stdlib_module_names or top == "paretofl")


def is_installed(file: pathlib.Path) -> bool:
    """Whether a file lies where Python or a system's packages put installed ones, also as a link to elsewhere."""
    return any(not INSTALLED.isdisjoint(place.parts) for place in (file, file.resolve()))
