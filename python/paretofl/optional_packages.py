"""Packages that only some functions need."""

from importlib.util import find_spec


def expect_package(package: str, user: str, install: str) -> None:
    """Does nothing if Python finds the package. Otherwise ImportError with what needs it and how to install it.

    user: the function or class that needs the package, for the message.
    install: what pip installs, such as "paretofl[plot]".
    """
    if find_spec(package) is None:
        raise ImportError(f'{user}: expected the package {package}, found none; pip install "{install}"')
