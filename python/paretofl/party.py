"""The process of one client of a federation with a problem of one's own, as `paretofl.federate` starts it.

    python -m paretofl.party SETTINGS --client K --data DIR --socket PATH --state DIR

SETTINGS is the JSON file of a `FederationSettings`. The process ends with the one that has started it.
"""

from __future__ import annotations

import argparse
import pathlib
import sys

from paretofl._engine import Error
from paretofl.federation_settings import FederationSettings
from paretofl.host import host
from paretofl.process_end import end_with_parent


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("settings", type=pathlib.Path)
    parser.add_argument("--client", type=int, required=True)
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--socket", type=pathlib.Path, required=True)
    parser.add_argument("--state", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    end_with_parent()
    try:
        settings = FederationSettings.read(arguments.settings)
        host(settings.problem(arguments.data, arguments.client), strategy=settings.strategy, rounds=settings.rounds, seed=settings.seed,
             options=settings.options, socket=arguments.socket, state=arguments.state)
    except Error as error:
        print(f"paretofl: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
