"""What the Python code of a problem is, so that a resumed run notices other code or data."""

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

from paretofl.source_files import is_installed, is_pythons

FILE = "definition.json"  # in a run's directory
MOST_NUMBERS = 1_000_000  # of an array that counts


def definition_of(problem: Any) -> dict[str, Any]:
    """The digests of the parts of a problem by name, and the Python whose compiler they are of."""
    python = f"{importlib.util.MAGIC_NUMBER.hex()}-{sys.flags.optimize}"
    return {"python": python, "code": {name: known(digest_of, part) for name, part in problem._parts().items()}, "samples": known(problem._sample_digests) or {}}


def known(function: Any, *arguments: Any) -> Any:
    """What the function returns; None where an object of the user's raises while it is looked at."""
    try:
        return function(*arguments)
    except Exception:
        return None


def write_definition(problem: Any, directory: pathlib.Path) -> None:
    """Keeps the definition of a problem whose run begins."""
    (directory / FILE).write_text(json.dumps(definition_of(problem), indent=1, sort_keys=True), encoding="utf-8")


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
        warnings.warn(f"run: expected the problem with which the run in {directory} began, found that these parts of it are others: "
                      + ", ".join(changed[:8]) + (f" and {len(changed) - 8} more" if len(changed) > 8 else ""), stacklevel=3)


def digest_of(part: Any) -> str:
    """The SHA-256, in hexadecimal, of what a function or a class does, as far as it can be told: its compiled code, its defaults, and the numbers,
    texts, arrays and functions that it takes from around it; and those of functions that it calls and of a class's methods and bases. Names of
    variables, comments, and where the code lies do not count, nor does the code of installed packages and of Python's own."""
    return hashlib.sha256("\n".join(described(part, set())).encode()).hexdigest()


def described(item: Any, seen: set[int]) -> Iterator[str]:
    """Texts that are equal for equal items."""
    while isinstance(item, functools.partial):
        yield from ("partial", *values(item.args, seen), *values(item.keywords, seen))
        item = item.func
    item = getattr(item, "__wrapped__", item) if isinstance(item, (staticmethod, classmethod)) else item
    if isinstance(item, types.MethodType):
        yield name_of(type(item.__self__))
        item = item.__func__
    if isinstance(item, property):
        for function in (item.fget, item.fset):
            yield from described(function, seen)
    elif isinstance(item, types.FunctionType) and is_users(item.__module__):
        if id(item) not in seen:
            seen.add(id(item))
            yield from of_function(item, seen)
    elif isinstance(item, type) and is_users(item.__module__):
        if id(item) not in seen:
            seen.add(id(item))
            for base in item.__bases__:
                yield from described(base, seen)
            for name, member in sorted(vars(item).items()):
                if not name.startswith("__") or callable(member):
                    yield from (name, *described(member, seen))
    elif is_plain(item) or hasattr(item, "__array__"):
        yield from values(item, seen)
    else:
        yield name_of(item if isinstance(item, (type, types.FunctionType, types.BuiltinFunctionType)) else type(item))
        if not isinstance(item, type) and is_users(type(item).__module__) and callable(item):
            yield from described(type(item), seen)


def of_function(function: types.FunctionType, seen: set[int]) -> Iterator[str]:
    """The texts of a function written in Python."""
    code = function.__code__
    yield from of_code(code, function.__doc__)
    yield from values(function.__defaults__, seen)
    yield from values(function.__kwdefaults__, seen)
    stored = set(names_of(code, "STORE_"))
    for name, cell in sorted(zip(code.co_freevars, function.__closure__ or ())):
        try:
            content = cell.cell_contents
        except ValueError:  # not yet filled
            continue
        if name not in stored:
            yield from described(content, seen)
    for name in sorted(set(names_of(code, "LOAD_GLOBAL")) - stored):
        if name in function.__globals__:
            yield from (name, *described(function.__globals__[name], seen))


def of_code(code: types.CodeType, documentation: str | None = None) -> Iterator[str]:
    """The texts of compiled code."""
    yield from (code.co_code.hex(), repr((code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)), repr(code.co_names))
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from of_code(constant)
        elif constant != documentation or documentation is None:
            yield from values(constant, set())


def names_of(code: types.CodeType, operation: str) -> Iterator[str]:
    """The names that operations of this kind have, in a function and in those inside it."""
    for instruction in dis.get_instructions(code):
        if instruction.opname.startswith(operation) and isinstance(instruction.argval, str):
            yield instruction.argval
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from names_of(constant, operation)


def values(value: Any, seen: set[int]) -> Iterator[str]:
    """The texts of a plain value, and of a container of such. Other objects have the name of their type alone."""
    if isinstance(value, (tuple, list)):
        yield f"{type(value).__name__} of {len(value)}"
        for part in value:
            yield from values(part, seen)
    elif isinstance(value, (set, frozenset)):
        yield " ".join(sorted("\n".join(values(part, seen)) for part in value))
    elif isinstance(value, Mapping):
        for key, part in value.items():
            yield from (repr(key) if is_plain(key) else name_of(type(key)), *values(part, seen))
    elif hasattr(value, "__array__"):
        yield from of_array(value)
    elif is_plain(value):
        yield f"{type(value).__name__} {value!r}"
    else:
        yield from described(value, seen)


def of_array(array: Any) -> Iterator[str]:
    """The texts of an array, or of a tensor on the CPU; of others, and of large ones, the type alone."""
    yield name_of(type(array))
    try:
        numbers = np.asarray(array.detach() if hasattr(array, "detach") else array)
    except Exception:  # such as a tensor on another device
        return
    if numbers.dtype.hasobject or numbers.size > MOST_NUMBERS:
        return
    yield from (str(numbers.dtype), str(numbers.shape), hashlib.sha256(numbers.tobytes()).hexdigest())


def is_plain(value: Any) -> bool:
    """Whether a value is a number, a text or the like, or a tuple of such: what nobody changes in its place."""
    if isinstance(value, (tuple, frozenset)):
        return all(map(is_plain, value))
    return value is None or value is ... or type(value) in (bool, int, float, complex, str, bytes)


def is_users(module: str | None) -> bool:
    """Whether a module is neither Python's own, nor this package's, nor installed."""
    file = getattr(sys.modules.get(module or ""), "__file__", None)
    return not is_pythons(module or "__main__") and not (file is not None and is_installed(pathlib.Path(file)))


def name_of(kind: Any) -> str:
    return f"{getattr(kind, '__module__', None)}.{getattr(kind, '__qualname__', type(kind).__qualname__)}"
