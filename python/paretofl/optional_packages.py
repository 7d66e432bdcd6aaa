"""Packages that only some functions need."""

from importlib.metadata import version
from importlib.util import find_spec
from re import findall


def expect_package(package: str, user: str, install: str, at_least: tuple[int, ...] = ()) -> None:
    """Does nothing if Python finds the package. Otherwise ImportError with what needs it and how to install it.

    user: the function or class that needs the package, for the message.
    install: what pip installs, such as "paretofl[plot]".
    at_least: the oldest version that will do, such as (3, 7).
    """
    if find_spec(package) is None:
        raise ImportError(f'{user}: expected the package {package}, found none; pip install "{install}"')
    if at_least and tuple(map(int, findall(r"\d+", version(package))))[: len(at_least)] < at_least:
        oldest = ".".join(map(str, at_least))
        raise ImportError(f'{user}: expected {package} {oldest} or newer, found {version(package)}; pip install "{install}"')
