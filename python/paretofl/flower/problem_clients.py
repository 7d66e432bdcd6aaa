"""How many clients the problem has that a Flower app trains."""

from __future__ import annotations

import json
import pathlib
from typing import Any

from paretofl import _engine


def clients_of(config: str) -> int:
    """The number of clients of the problem that a config trains: of problem.json in the server's folder, which its data.root names."""
    root = _engine.read_config(config).get("data", {}).get("root", "data")
    file = pathlib.Path(str(root)) / "problem.json"
    try:
        return int(json.loads(file.read_text())["clients"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise _engine.Error(f"flower: expected the server's folder at data.root of {config}, with a problem.json, found: {error}") from None


def expect_clients(named: Any, clients: int) -> None:
    """Error where the app's setting `clients` is another number than the problem's; 0, as of an app without the setting, is none."""
    if isinstance(named, bool) or named not in (0, clients):
        raise _engine.Error(f"clients: expected {clients}, the number of the problem's clients, or none, found {named!r}")
