"""Settings as the engine takes them: assignments of a key and a value in TOML's notation."""

import contextlib
import json
import os
import re
from pathlib import Path

from paretofl._engine import Error, default_cohort_size
from paretofl.arrays import check_text, short

_KEY = re.compile(r"[\w-]+(\.[\w-]+)*")


def path_of(name, value):
    """A Path of a text or such an object. Error, naming the argument, on anything else."""
    text = os.fspath(value) if isinstance(value, os.PathLike) else value
    if not isinstance(text, str):
        raise Error(f"{name}: expected a path, found {type(value).__name__}")
    if "\0" in text:
        raise Error(f"{name}: expected a path, found a text with a null character")
    return Path(text)


def named(name, value, contents):
    """A dictionary with texts as keys, empty for None. Error on anything else; `contents` says what the dictionary should hold."""
    if value is None:
        return {}
    if not hasattr(value, "items"):
        raise Error(f"{name}: expected a dictionary {contents}, found {type(value).__name__}")
    for key in value:
        if not isinstance(key, str):
            raise Error(f"{name}: expected a dictionary {contents}, found the key {key!r}")
    return dict(value)


def with_options(arguments, options):
    """The settings of arguments by full key and of the dictionary `options`, those that are not None. Error where both say one."""
    given = {key: value for key, value in arguments.items() if value is not None}
    further = {key: value for key, value in named("options", options, "of settings by full key").items() if value is not None}
    for key in given:
        if key in further:
            raise Error(f"options: expected no {key}, which an argument sets to {given[key]!r}, found {further[key]!r}")
    return {**given, **further}


def expect_bool(name, value):
    """Error, naming the argument, on anything but a bool."""
    if not isinstance(value, bool):
        raise Error(f"{name}: expected True or False, found {value!r}")


def assignments(values):
    """["key=value", ...] of a dictionary by full key, without those that are None."""
    for key in values:
        check_key(key, "options")
    return [f"{key}={toml_text(key, value)}" for key, value in values.items() if value is not None]


@contextlib.contextmanager
def arguments_named(resume):
    """Errors name Python's arguments in the place of the command's options; `resume` is the argument that continues."""
    try:
        yield
    except Error as problem:
        text = str(problem)
        named = text.replace("use --resume", f"use {resume}").replace("--resume", "resume").replace("--overwrite", "overwrite=True")
        if named == text:
            raise
        raise type(problem)(named) from None


def check_key(key, name):
    """Error, naming the argument, on a text that cannot be the full key of a setting."""
    if not _KEY.fullmatch(key):
        raise Error(f"{name}: expected a key such as 'strategy.client_lr', found {key!r}")


def quoted(key, text):
    """A text as TOML has it."""
    check_text(text, key)
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def toml_text(key, value):
    """A value as TOML has it. Error, naming the key, on what no setting can be."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, str):
        return quoted(key, value)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(toml_text(key, item) for item in value) + "]"
    if hasattr(value, "tolist"):  # a number or an array of NumPy's
        return toml_text(key, value.tolist())
    if isinstance(value, os.PathLike):
        return quoted(key, os.fspath(value))
    raise Error(f"{key}: expected a bool, a number, a str or a list of them, found {type(value).__name__}")


def listed_of(values):
    """The entries of a list, a tuple, or an array of at least one dimension; None of anything else."""
    values = values.tolist() if hasattr(values, "tolist") else values
    return list(values) if isinstance(values, (list, tuple)) else None


def strategy_table(strategy, objectives=None):
    """{"name": NAME, option: value, ...} of a name or such a dictionary. `objectives`: their names, where they are known."""
    if isinstance(strategy, str):
        return {"name": strategy}
    if isinstance(strategy, dict) and isinstance(strategy.get("name"), str):
        expect_nested(strategy)
        for option in ("objective_weights", "preference"):
            if isinstance(strategy.get(option), dict):
                wanted = "numbers, one for each objective in their order" if objectives is None else f"{len(objectives)} numbers, in the order {', '.join(objectives)}"
                raise Error(f"strategy.{option}: expected a list of {wanted}, found a dictionary")
        return strategy
    raise Error(f"strategy: expected a name or a dictionary with a name, found {strategy!r}")


def expect_nested(table):
    """Error on a key of a strategy's dictionary that names an option of a part by a dot."""
    for key, value in table.items():
        part, dot, option = str(key).removeprefix("strategy.").partition(".")
        if dot:
            name = table.get(part) if isinstance(table.get(part), str) else "..."
            raise Error(f"strategy: expected the options of {part} in a dictionary of their own, such as {part!r}: {{'name': {name!r}, {option!r}: "
                        f"{short(value)}}}, found the key {key!r}")


def default_cohort(table, num_clients):
    """The strategy's table; all clients take part where there are fewer than its default cohort_size."""
    cohort = default_cohort_size(table["name"])
    return {"cohort_size": num_clients, **table} if cohort is not None and cohort > num_clients else table
