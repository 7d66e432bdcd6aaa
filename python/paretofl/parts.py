"""How parts that Python code defines become parts of the engine."""

from __future__ import annotations

import functools
import inspect
import re
from typing import Any, Literal

from paretofl import _engine
from paretofl.arrays import check_text, short

_REGISTERED: dict[tuple[str, str], Any] = {}
_NAME = re.compile(r"[a-z][a-z0-9_]*")


class Part:
    """A part of the engine, by kind and name, as the default of an option: `solver=paretofl.Part("solver", "upgrad")`.

    A config may name another part, and the constructor gets the part that was chosen. A solver is called like a function of
    `paretofl.solvers`, a compressor like a function of `paretofl.compressors`: `solver(gramian, losses=losses)`.

    kind: "solver" or "compressor".
    name: such as "upgrad". The other keywords are the part's options.

    Error on another kind.
    """

    def __init__(self, kind: Literal["solver", "compressor"], name: str, **options: Any) -> None:
        if kind not in ("solver", "compressor"):
            raise _engine.Error(f"Part: expected the kind solver or compressor, found {short(kind)}")
        if not isinstance(name, str):
            raise _engine.Error(f"Part: expected the name of a {kind}, found {short(name)}")
        self.kind, self.name, self.options = kind, name, options

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        from paretofl import compressors, solvers

        call: Any = solvers.solve if self.kind == "solver" else compressors.compress
        return call(self.name, *arguments, **self.options, **keywords)

    def __repr__(self) -> str:
        return f"Part({self.kind!r}, {self.name!r}{''.join(f', {key}={value!r}' for key, value in self.options.items())})"


def register(kind, base, name, part):
    """Registers a class derived from `base`, or where that has one METHOD a callable that takes its place, under a name, and returns it.
    Without either: the decorator that does so."""
    if part is None:
        return lambda decorated: register(kind, base, name, decorated)
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise _engine.Error(f"register: expected a name of lower-case letters, digits and underscores, found {short(name)}")
    given = part
    takes_functions = hasattr(base, "METHOD")
    if takes_functions and callable(part) and not inspect.isclass(part):
        part = class_of_function(base, name, part)
    if not (inspect.isclass(part) and issubclass(part, base)):
        expected = f"a class derived from paretofl.{base.__name__}{' or a function' if takes_functions else ''}"
        raise _engine.Error(f"register: expected {expected} as {kind} {name}, found {short(part)}")
    part.check_class(name)
    documentation = inspect.cleandoc(part.__doc__ or "") if part.__doc__ != base.__doc__ else ""
    summary = documentation.partition("\n")[0].rstrip(".") or ".".join(filter(None, (part.__module__, part.__qualname__)))
    if not isinstance(part.reference, str):
        raise _engine.Error(f"{name}: expected a text as the attribute reference, found {short(part.reference)}")
    check_text(documentation + part.reference, f"{name}: documentation")
    _engine.register_part(kind, name, summary, part.reference, origin_of(part), options_of(part, documentation, name))
    _REGISTERED[kind, name] = part
    return given


def class_of_function(base, name, function):
    """A class derived from `base` whose METHOD is the function; its other parameters, which have defaults, are the options."""
    try:
        parameters = [parameter for parameter in inspect.signature(function).parameters.values() if parameter.kind != parameter.VAR_POSITIONAL]
    except (TypeError, ValueError):  # one in C without a signature
        raise _engine.Error(f"{name}: expected a function with parameters that Python knows, found {short(function)}") from None
    inputs = [parameter for parameter in parameters if parameter.name in base.INPUTS or parameter.default is parameter.empty]
    options = [by_keyword(parameter) for parameter in parameters if parameter not in inputs]
    described = described_by(function)

    def __init__(self, **chosen):
        self.chosen = chosen

    def method(self, **known):
        return function(**known, **self.chosen)

    method.__signature__ = inspect.Signature([inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY),
                                              *map(by_keyword, inputs)])
    return type(name, (base,), {"__init__": __init__, "__signature__": inspect.Signature(options), "__doc__": described.__doc__,
                                "__module__": described.__module__, "__qualname__": described.__qualname__, base.METHOD: method})


def by_keyword(parameter):
    """A function's parameter as one that is given by keyword, where it can be."""
    return parameter.replace(kind=parameter.KEYWORD_ONLY) if parameter.kind == parameter.POSITIONAL_OR_KEYWORD else parameter


def described_by(function):
    """The function or class whose documentation tells of a callable, which functools may have made of it."""
    while isinstance(function, functools.partial) or hasattr(function, "__wrapped__"):
        function = function.func if isinstance(function, functools.partial) else function.__wrapped__
    return function if hasattr(function, "__qualname__") else type(function)


def check_method(part, base, name):
    """Error unless a class defines the METHOD of its base, with parameters out of its INPUTS."""
    method = getattr(part, base.METHOD)
    if method is getattr(base, base.METHOD):
        raise _engine.Error(f"{name}: expected a method {base.METHOD} in {part.__name__}, found none")
    accepted(method.__get__(object()) if inspect.isfunction(method) else method, base.INPUTS, f"{name}: {base.METHOD}")


def call_method(part, name, *inputs):
    """Calls a part's METHOD with those of its INPUTS that it takes."""
    method = getattr(part, part.METHOD)
    given = dict(zip(part.INPUTS, inputs))
    return method(**{key: given[key] for key in accepted(method, part.INPUTS, name)})


def make(kind, name, options):
    """A part with these options, as the engine asks for it."""
    part = _REGISTERED[kind, name]
    parameters = inspect.signature(part).parameters
    for key, value in options.items():
        if isinstance(value, tuple):
            options[key] = Part(parameters[key].default.kind, value[0], **value[1])
    return part(**options)


def options_of(part, documentation, name):
    """(key, default, kind, meaning) of the constructor's parameters. A line `key: meaning` of the documentation says what an option means."""
    options = []
    for key, parameter in inspect.signature(part).parameters.items():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD, parameter.POSITIONAL_ONLY) or parameter.default is parameter.empty:
            raise _engine.Error(f"{name}: expected keyword parameters with defaults in {part.__name__}'s constructor, found {parameter}")
        meaning = re.search(rf"^\s*{key}:\s*(.+)$", documentation, re.MULTILINE)
        default, kind = parameter.default, ""
        if isinstance(default, Part):
            default, kind = (default.name, default.options), default.kind
        elif not isinstance(default, (bool, int, float, str, list, tuple)):
            raise _engine.Error(f"{name}: expected a bool, int, float, str, a list of numbers or a paretofl.Part as the default of {key}, found {short(default)}")
        options.append((key, default, kind, meaning[1].strip() if meaning else ""))
    return options


def origin_of(part):
    """The file that defines a class, or where else it comes from."""
    try:
        file = inspect.getsourcefile(part)
    except (OSError, TypeError):  # typed in
        file = None
    return file or part.__module__ or "Python code"  # a namespace of exec may have no __name__


def accepted(function, known, where):
    """Which of the arguments `known`, by name, a function takes. Error where it needs others."""
    names = []
    for key, parameter in inspect.signature(function).parameters.items():
        if parameter.kind == parameter.VAR_KEYWORD:
            return list(known)
        if key in known and parameter.kind != parameter.POSITIONAL_ONLY:
            names.append(key)
        elif parameter.default is parameter.empty and parameter.kind != parameter.VAR_POSITIONAL:
            raise _engine.Error(f"{where}: expected parameters of {', '.join(known)}; found {key}")
    return names
