"""A federation over Flower: its messages carry the bytes that the engine's two halves exchange, and nothing else.

A Flower app needs two files of two lines: `from paretofl.flower import server_app as app` and `from paretofl.flower import client_app as
app`. The folder `app` beside this file is such an app. Every party runs its `paretofl host` beside its SuperNode, whose node configuration
names the clients and their sockets: `clients="0,4" sockets="/run/paretofl/client-{client}"`. docs/deployment.md goes step by step.

The apps need flwr, which is imported with them.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from paretofl.flower.client import client_app
    from paretofl.flower.server import server_app

__all__ = ["client_app", "server_app"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__} has no attribute {name}")
    return getattr(importlib.import_module(f"{__name__}.{name.removesuffix('_app')}"), name)
