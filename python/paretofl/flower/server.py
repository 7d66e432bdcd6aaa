"""The server's side: a ServerApp that runs the engine's server half."""

from __future__ import annotations

import json
import os
import pathlib
from typing import Any

from flwr.app import Context  # type: ignore[import-not-found, unused-ignore]
from flwr.serverapp import Grid, ServerApp  # type: ignore[import-not-found, unused-ignore]

import paretofl
from paretofl import _engine
from paretofl.federation_settings import FederationSettings
from paretofl.flower.grid_carrier import GridCarrier
from paretofl.flower.problem_clients import clients_of, expect_clients
from paretofl.run import config_of

server_app = ServerApp()


@server_app.main()
def main(grid: Grid, context: Context) -> None:
    """Runs the config that the app's run configuration names: `config`, a file on the server; or the problem of `problem`, a file of
    `paretofl.federate`'s settings, with the server's folder `data`; or with `resume` what `directory` holds. `directory`: where the run is kept.
    `clients`: their number, which is the problem's and may be left out. `wait`: seconds for which the parties may take to join. `overwrite`: whether to replace a run. Loads the plugins
    of PARETOFL_PLUGINS first. Writes federation/flower.json into the run directory at the end: whether all went well, or the error, or that SIGINT ended the run
    after so many rounds, with a checkpoint."""
    settings = context.run_config
    directory = pathlib.Path(str(settings["directory"]))
    resume = bool(settings.get("resume", False))
    ended: dict[str, Any] = {"error": ""}
    try:
        for file in filter(None, os.environ.get("PARETOFL_PLUGINS", "").split(":")):
            paretofl.load_plugin(file)
        own = FederationSettings.read(str(settings["problem"])) if settings.get("problem") else None
        problem = own.problem(pathlib.Path(str(settings["data"])), None) if own else None
        clients = problem.num_clients() if problem else clients_of(str(directory / "config.toml") if resume else config_of(str(settings["config"]), None))
        expect_clients(settings.get("clients", 0), clients)
        carrier = GridCarrier(grid, clients, float(settings.get("wait", 120.0)))
        carrier.join(all_of_them=not resume)
        runtime: dict[str, Any] = {"options": {"runtime.name": "flower"}, "carrier": carrier}
        if resume:
            paretofl.run(problem, resume=directory, rounds=own.rounds if own else None, **runtime)
        else:
            runtime.update(directory=directory, overwrite=bool(settings.get("overwrite", False)))
            if own:
                runtime["options"] = {**own.options, **runtime["options"]}
                paretofl.run(problem, strategy=own.strategy, rounds=own.rounds, seed=own.seed, **runtime)
            else:
                paretofl.run(str(settings["config"]), **runtime)
        ended["exchanges"] = str(carrier.exchanges)
    except KeyboardInterrupt as error:
        if not error.args:  # the engine's has words, and a checkpoint
            ended["error"] = "expected the server to run, found an interrupt before its first round"
        else:
            ended.update(interrupted=True, rounds=paretofl.Run(directory).metrics[-1]["round"])
        raise _engine.Error(f"flower: expected the run to go on, found an interrupt: {error}") from None  # Flower tells of no KeyboardInterrupt
    except BaseException as error:
        ended["error"] = f"{type(error).__name__}: {error}" if not isinstance(error, paretofl.Error) else str(error)
        raise
    finally:
        folder = directory / "federation"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "flower.json").write_text(json.dumps(ended) + "\n")
