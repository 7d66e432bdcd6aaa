"""What the Python code of a problem is, so that a resumed run notices other code or data.

What cannot be told from state that a run changes is left out: it is better to miss a change than to warn of none.
"""

from __future__ import annotations

import dis
import functools
import hashlib
import importlib.util
import json
import pathlib
import sys
import types
import warnings
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from paretofl._engine import Error
from paretofl.source_files import is_installed, is_pythons

FILE = "definition.json"  # in a run's directory
SCHEME = 2  # of the digests: those of another one are not compared


def definition_of(problem: Any) -> dict[str, Any]:
    """The digests of the parts of a problem by name, and the Python whose compiler they are of."""
    code: dict[str, list[str | None]] = {}
    for name, part in problem._parts():
        code.setdefault(name, []).append(known(digest_of, part))
    return {"python": f"{SCHEME}-{importlib.util.MAGIC_NUMBER.hex()}-{sys.flags.optimize}", **initial_of(problem),
            "code": {name: None if None in digests else sorted(map(str, digests)) for name, digests in code.items()},
            "samples": known(problem._sample_digests) or {}}


def initial_of(problem: Any) -> dict[str, str]:
    """The digests of the initial parameters and of all else that the problem's fingerprint is made of; none where it is made of other things."""
    description = problem._description()
    if getattr(description, "facts_digest", None) is None:
        return {}
    return {"facts": description.facts_digest, "initial": description.initial_digest.hex()}


def known(function: Any, *arguments: Any) -> Any:
    """What the function returns; None where an object of the user's raises while it is looked at."""
    try:
        return function(*arguments)
    except Exception:
        return None


def write_definition(problem: Any, directory: pathlib.Path) -> None:
    """Keeps the definition of a problem whose run begins."""
    (directory / FILE).write_text(json.dumps(definition_of(problem), indent=1, sort_keys=True), encoding="utf-8")


def expect_same_initial(problem: Any, directory: pathlib.Path) -> None:
    """Error where the initial parameters are all that differs from the problem that the run in the directory began with."""
    try:
        begun = json.loads((directory / FILE).read_text(encoding="utf-8"))
        kept = {key: begun[key] for key in ("facts", "initial")}
    except (OSError, ValueError, KeyError, TypeError):
        return
    found = initial_of(problem)
    if kept["facts"] == found.get("facts") and kept["initial"] != found["initial"]:
        raise Error(f"initial_parameters: expected those that the run in {directory} began with, found others, while all else of the problem is "
                    f"the same{problem._initial_advice}")


def warn_of_another(problem: Any, directory: pathlib.Path) -> None:
    """Warns of parts that are others than when the run in the directory began, as far as that is known."""
    try:
        begun = json.loads((directory / FILE).read_text(encoding="utf-8"))
        kept = {kind: dict(begun[kind]) for kind in ("code", "samples")}
    except (OSError, ValueError, KeyError, TypeError):  # a run without it, or what is left of a file
        return
    found = definition_of(problem)
    kinds = ["code", "samples"] if begun.get("python") == found["python"] else ["samples"]  # another Python compiles the same code otherwise
    changed = [name for kind in kinds for name, digest in found[kind].items() if digest and kept[kind].get(name) not in (None, digest)]
    if changed:
        warnings.warn(f"run: expected the code and data that the run in {directory} began with, found others in: " + ", ".join(changed[:8])
                      + (f" and {len(changed) - 8} more" if len(changed) > 8 else "") + ". The run continues with these.", stacklevel=3)


def digest_of(part: Any) -> str:
    """The SHA-256, in hexadecimal, of what a function or a class does, as far as it can be told: its compiled code, its defaults, and the numbers,
    texts and functions that it takes from around it; and those of functions that it calls and of a class's methods and bases. Names of variables,
    comments, and where the code lies do not count, nor does the code of installed packages and of Python's own. Of lists, arrays and other
    objects that can change in their place the type alone counts, and of what some function of the module stores, nothing."""
    return hashlib.sha256("\n".join(described(part, set())).encode()).hexdigest()


def described(item: Any, seen: set[int]) -> Iterator[str]:
    """Texts that are equal for equal items."""
    if is_plain(item):
        yield from values(item)
    elif type(item) is tuple:
        for part in item:
            yield from described(part, seen)
    elif isinstance(item, functools.partial):
        for part in (item.func, *item.args):
            yield from described(part, seen)
        yield from of_names(item.keywords, seen)
    elif isinstance(item, property):
        for function in (item.fget, item.fset):
            yield from described(function, seen)
    elif isinstance(item, (staticmethod, classmethod)):
        yield from described(item.__func__, seen)
    elif isinstance(item, types.MethodType):
        yield type(item.__self__).__qualname__
        yield from described(item.__func__, seen)
    elif isinstance(item, types.FunctionType) and is_users(item.__globals__.get("__name__")):
        if id(item) not in seen:
            seen.add(id(item))
            yield from of_function(item, seen)
    elif isinstance(item, type) and is_users(item.__module__):
        if id(item) not in seen:
            seen.add(id(item))
            yield from of_class(item, seen)
    elif isinstance(item, type):
        yield item.__qualname__
    else:
        if callable(item) and is_users(type(item).__module__):
            yield from described(type(item), seen)
        wrapped = getattr(item, "__wrapped__", None)  # by a decorator of an installed package
        yield from described(wrapped, seen) if callable(wrapped) else [getattr(item, "__qualname__", type(item).__qualname__)]


def of_function(function: types.FunctionType, seen: set[int]) -> Iterator[str]:
    """The texts of a function written in Python."""
    code, around = function.__code__, function.__globals__
    yield from of_code(code, function.__doc__)
    for default in function.__defaults__ or ():
        yield from described(default, seen)
    yield from of_names(function.__kwdefaults__ or {}, seen)
    codes = [code, *codes_in(around, around.get("__name__"))]
    stored = {name for each in codes for name in names_of(each, "STORE_GLOBAL") | names_of(each, "STORE_DEREF")}
    for name, cell in zip(code.co_freevars, function.__closure__ or ()):
        if name not in stored:
            yield from described(content_of(cell), seen)
    yield from of_names({name: around[name] for name in names_of(code, "LOAD_GLOBAL") - stored if name in around}, seen)


def of_class(kind: type, seen: set[int]) -> Iterator[str]:
    """The texts of a class written in Python."""
    for base in kind.__bases__:
        yield from described(base, seen)
    module = vars(sys.modules[kind.__module__]) if kind.__module__ in sys.modules else {}
    codes = [*codes_in({"": kind}, kind.__module__), *codes_in(module, kind.__module__)]
    stored = {name for each in codes for name in names_of(each, "STORE_ATTR")}
    members = {name: member for name, member in vars(kind).items() if not name.startswith("__") or callable(member)}
    yield from of_names({name: member for name, member in members.items() if name not in stored or [*functions_of(member)]}, seen)


def of_names(named: Mapping[str, Any], seen: set[int]) -> Iterator[str]:
    """The texts of what has names, in their order."""
    for name in sorted(named):
        yield from (name, *described(named[name], seen))


def of_code(code: types.CodeType, documentation: str | None = None) -> Iterator[str]:
    """The texts of compiled code."""
    yield from (code.co_code.hex(), repr((code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)), repr(code.co_names))
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from of_code(constant)
        elif constant != documentation or documentation is None:
            yield from values(constant)


def codes_in(space: Mapping[str, Any], module: str | None) -> Iterator[types.CodeType]:
    """The compiled code of the functions and of the classes' methods that the space of a module has and that the module defines."""
    for item in list(space.values()):
        members = list(vars(item).values()) if isinstance(item, type) and item.__module__ == module else [item]
        yield from (function.__code__ for member in members for function in functions_of(member) if function.__module__ == module)


def functions_of(item: Any) -> Iterator[types.FunctionType]:
    """The functions of a function, property or method, also inside decorators."""
    for part in (item.fget, item.fset) if isinstance(item, property) else (item,):
        part = part.__func__ if isinstance(part, (staticmethod, classmethod)) else part
        while isinstance(part, types.FunctionType):
            yield part
            part = vars(part).get("__wrapped__")


@functools.lru_cache(4096)
def names_of(code: types.CodeType, operation: str) -> frozenset[str]:
    """The names that an operation has in a function and in those inside it; for STORE_DEREF, of variables of functions around it."""
    names = {one.argval for one in dis.get_instructions(code) if one.opname == operation}
    names -= set(code.co_cellvars) if operation == "STORE_DEREF" else set()
    return frozenset(names.union(*(names_of(constant, operation) for constant in code.co_consts if isinstance(constant, types.CodeType))))


def content_of(cell: types.CellType) -> Any:
    """What a variable of a function around another one holds; None where that is nothing yet."""
    try:
        return cell.cell_contents
    except ValueError:
        return None


def values(value: Any) -> Iterator[str]:
    """The texts of a plain value."""
    if isinstance(value, (tuple, frozenset)):
        parts = ["\n".join(values(part)) for part in value]
        yield from (f"{type(value).__name__} of {len(value)}", *(parts if isinstance(value, tuple) else sorted(parts)))
    else:
        yield f"{type(value).__name__} {value.item() if isinstance(value, np.generic) else value!r}"


def is_plain(value: Any) -> bool:
    """Whether a value is a number, a text or the like, or a tuple of such: what nobody changes in its place."""
    if type(value) in (tuple, frozenset):
        return all(map(is_plain, value))
    return value is None or value is ... or type(value) in (bool, int, float, complex, str, bytes) or isinstance(value, (np.number, np.bool_))


def is_users(module: str | None) -> bool:
    """Whether a module is neither Python's own, nor this package's, nor installed."""
    file = getattr(sys.modules.get(module or ""), "__file__", None)
    return not is_pythons(module or "__main__") and not (file is not None and is_installed(pathlib.Path(file)))
