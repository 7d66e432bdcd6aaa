"""What all processes of a federation with a problem of one's own start from."""

from __future__ import annotations

import dataclasses
import inspect
import json
import os
import pathlib
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

from paretofl._engine import Error
from paretofl.annotations import Path
from paretofl.plugins import run_file
from paretofl.problem import Problem


@dataclasses.dataclass(frozen=True)
class FederationSettings:
    """A JSON file brings them to each process."""

    program: str  # FILE.py:FUNCTION, which makes the problem of one party from its folder and its client's number, or None for the server
    strategy: Any
    rounds: int | None = None
    seed: int | None = None
    options: dict[str, Any] = dataclasses.field(default_factory=dict)

    def write(self, file: pathlib.Path) -> None:
        try:
            file.write_text(json.dumps(dataclasses.asdict(self), indent=2) + "\n")
        except TypeError as error:
            raise Error(f"federate: expected a strategy and options that JSON can hold, found: {error}") from None

    @staticmethod
    def read(file: Path) -> FederationSettings:
        try:
            return FederationSettings(**json.loads(pathlib.Path(file).read_text()))
        except (OSError, ValueError, TypeError) as error:
            raise Error(f"{file}: expected the settings of a federation, found: {error}") from None

    def expect_same(self, before: FederationSettings) -> None:
        """Error that names what a federation that is resumed began with and these settings have otherwise; `rounds` may differ."""
        for name in ("strategy", "seed", "options"):
            found, begun = json.loads(json.dumps(getattr(self, name))), getattr(before, name)
            if found != begun:
                raise Error(f"federate: expected the {name} that the federation began with, {begun!r}, found {found!r}")

    def problem(self, folder: pathlib.Path, client: int | None) -> Problem:
        """The problem of the party that has this folder: that of a client, or for None that of the server."""
        if not folder.is_dir():
            raise Error(f"federate: expected a party's folder {folder}, found none")
        file, _, function = self.program.rpartition(":")
        make_problem = getattr(module_of(pathlib.Path(file)), function, None)
        if not callable(make_problem):
            raise Error(f"federate: expected a function {function} in {file}, found none")
        problem = make_problem(folder, client)
        if not isinstance(problem, Problem):
            raise Error(f"federate: expected a paretofl.Problem from {function}, found {type(problem).__name__}")
        own, wanted = problem.own_clients(), [] if client is None else [client]
        if own is None or list(own) != wanted:
            raise Error(f"federate: expected a problem with own_clients() == {wanted} from {function}({str(folder)!r}, {client}), found {own}")
        problem._made_by = make_problem
        return problem


def module_of(file: pathlib.Path) -> ModuleType:
    """The module of a Python file, which has the file's name, also where the file is the program that runs."""
    known = sys.modules.get(file.stem)
    if known is not None and getattr(known, "__file__", None) and os.path.realpath(str(known.__file__)) == os.path.realpath(file):
        return known
    return run_file(file)


def program_of(make_problem: Callable[[pathlib.Path, int | None], Problem]) -> str:
    """FILE.py:FUNCTION of a function that other processes find there."""
    file, name = None, getattr(make_problem, "__qualname__", "")
    if inspect.isfunction(make_problem):
        file = inspect.getsourcefile(make_problem)
    if not name.isidentifier() or file is None or not pathlib.Path(file).is_file():
        raise Error(f"federate: expected a function at the top of a Python file, which other processes can load, found {make_problem!r}")
    return f"{pathlib.Path(file).resolve()}:{name}"
