"""The server's side: a ServerApp that runs the engine's server half."""

from __future__ import annotations

import json
import os
import pathlib

from flwr.app import Context  # type: ignore[import-not-found, unused-ignore]
from flwr.serverapp import Grid, ServerApp  # type: ignore[import-not-found, unused-ignore]

import paretofl
from paretofl.flower.grid_carrier import GridCarrier

server_app = ServerApp()


@server_app.main()
def main(grid: Grid, context: Context) -> None:
    """Runs the config that the app's run configuration names: `config`, a file on the server, or `resume`, a run directory; `directory`,
    where the run is kept; `clients`, their number; `wait`, seconds for which the parties may take to join; `longest`, seconds after which an
    exchange without a deadline counts as failed; `overwrite`. Loads the plugins of PARETOFL_PLUGINS first. Writes federation/flower.json into the run directory at the end: whether all
    went well, or the error."""
    settings = context.run_config
    directory = pathlib.Path(str(settings["directory"]))
    resume = bool(settings.get("resume", False))
    ended = {"error": ""}
    try:
        for file in filter(None, os.environ.get("PARETOFL_PLUGINS", "").split(":")):
            paretofl.load_plugin(file)
        carrier = GridCarrier(grid, int(settings["clients"]), float(settings.get("wait", 120.0)), float(settings.get("longest", 600.0)))
        carrier.join()
        runtime = {"runtime.name": "flower"}
        if resume:
            paretofl.run(resume=directory, options=runtime, carrier=carrier)
        else:
            paretofl.run(str(settings["config"]), directory=directory, options=runtime, carrier=carrier,
                         overwrite=bool(settings.get("overwrite", False)))
        ended["exchanges"] = str(carrier.exchanges)
    except BaseException as error:
        ended["error"] = f"{type(error).__name__}: {error}" if not isinstance(error, paretofl.Error) else str(error)
        raise
    finally:
        folder = directory / "federation"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "flower.json").write_text(json.dumps(ended) + "\n")
