"""A whole federation of a problem of one's own on this machine."""

from __future__ import annotations

import contextlib
import importlib.util
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import Literal

from paretofl._engine import Error
from paretofl.annotations import Options, Path, Strategies
from paretofl.federation_settings import FederationSettings, program_of
from paretofl.problem import Problem
from paretofl.run import run
from paretofl.run_result import Run
from paretofl.settings import named, path_of


def federate(make_problem: Callable[[pathlib.Path, int | None], Problem], folders: Path, *, strategy: Strategies, directory: Path,
             carrier: Literal["flower", "sockets"] = "flower", parties: int | None = None, rounds: int | None = None, seed: int | None = None,
             options: Options | None = None, resume: bool = False, overwrite: bool = False) -> Run:
    """Runs a whole federation on this machine, as the command `paretofl federate` does for configs, and returns the finished `Run`. Every client
    is a process of its own, which is given its own folder alone. The parameters are those of `paretofl.run` with all clients in one process.

    make_problem: a function at the top of a Python file, which each process loads. `make_problem(folder, k)` returns the problem of client k,
        made of what is in its folder: its `own_clients()` is [k]. `make_problem(folder, None)` returns that of the server: its
        `own_clients()` is [].
    folders: has a folder `client-0`, `client-1`, ... for each client and one named `server`.
    directory: the run directory; the states and logs of the clients are in its folder `federation`.
    carrier: "flower": the messages pass a Flower deployment on the loopback interface, with TLS and a key for each party; Flower 1.42 must be
        installed. "sockets": they go to the clients' processes directly.
    parties: the number of SuperNodes, over which the clients are dealt in turn. The default is one for each client.
    strategy, rounds, seed, options: as for `paretofl.run`; all processes have the same.
    resume: whether to go on with the federation in the directory, with the same arguments as before; `rounds` may be larger.
    overwrite: whether to replace the run that the directory holds.

    Ctrl-C ends the run after its round, with a checkpoint, and raises KeyboardInterrupt; `resume` goes on with it. A second one before that ends
    all processes at once.

    A program that calls it needs `if __name__ == "__main__":`, because each process loads its file. Error on bad input, where a client's
    process does not start, and where the run fails.
    """
    if carrier not in ("flower", "sockets"):
        raise Error(f"carrier: expected flower or sockets, found {carrier!r}")
    if carrier == "flower" and importlib.util.find_spec("flwr") is None:
        raise Error('federate: expected Flower for carrier="flower" (pip install flwr==1.42.0), found none; carrier="sockets" does without')
    settings = FederationSettings(program_of(make_problem), strategy, rounds, seed, named("options", options, "of settings by full key"))
    for key in ("runtime.name", "runtime.sockets"):
        if key in settings.options:
            raise Error(f"federate: expected no option {key}, which it sets itself, found {settings.options[key]!r}")
    parts, own = path_of("folders", folders).resolve(), path_of("directory", directory).resolve()
    server = settings.problem(parts / "server", None)
    clients = server.num_clients()
    parties = clients if parties is None else parties
    if not isinstance(parties, int) or not 1 <= parties <= clients:
        raise Error(f"federate: expected 1 to {clients} parties, found {parties!r}")
    if resume and overwrite:
        raise Error("federate: expected resume=True or overwrite=True, found both")
    if not resume and not overwrite and (own / "config.toml").exists():
        raise Error(f"federate: expected no run in {own}, found one; use resume=True or overwrite=True")
    if resume and not (own / "config.toml").exists():
        raise Error(f"federate: expected a run in {own} to go on with, found none")
    federation = own / "federation"
    if resume and (federation / "settings.json").exists():
        settings.expect_same(FederationSettings.read(federation / "settings.json"))
    federation.mkdir(parents=True, exist_ok=True)
    federation.chmod(0o700)
    file = federation / "settings.json"
    settings.write(file)
    with tempfile.TemporaryDirectory(prefix="paretofl-") as sockets, hosts(file, parts, federation, clients, sockets):
        pattern = f"{sockets}/client-{{client}}"
        if carrier == "sockets":
            runtime = {"runtime.name": "sockets", "runtime.sockets": pattern}
            try:
                if resume:
                    return run(server, resume=own, rounds=rounds, options=runtime, progress=False)
                return run(server, strategy=strategy, rounds=rounds, seed=seed, directory=own, overwrite=overwrite,
                           options={**settings.options, **runtime}, progress=False)
            except KeyboardInterrupt as interrupt:
                raise (stopped(own) if interrupt.args else interrupt) from None
        deploy(own, file, parts / "server", clients, parties, pattern, resume=resume, overwrite=overwrite)
    return Run(own, server)


@contextlib.contextmanager
def hosts(file: pathlib.Path, parts: pathlib.Path, federation: pathlib.Path, clients: int, sockets: str) -> Iterator[None]:
    """The clients' processes, from when all answer until the end of the context."""
    processes: list[subprocess.Popen] = []
    try:
        for client in range(clients):
            own = federation / f"client-{client}"
            own.mkdir(exist_ok=True)
            if not (parts / f"client-{client}").is_dir():
                raise Error(f"federate: expected a party's folder {parts / f'client-{client}'}, found none")
            words = [sys.executable, "-m", "paretofl.party", str(file), "--client", str(client), "--data", str(parts / f"client-{client}"),
                     "--socket", f"{sockets}/client-{client}", "--state", str(own / "state")]
            with open(own / "log", "ab") as log:
                processes.append(subprocess.Popen(words, cwd=parts / f"client-{client}", stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                                  start_new_session=True))
        for client, process in enumerate(processes):
            while not pathlib.Path(f"{sockets}/client-{client}").exists():
                if process.poll() is not None:
                    said = (federation / f"client-{client}" / "log").read_text(errors="replace").strip().splitlines() or ["nothing"]
                    raise Error(f"client {client}: expected its process to start, found: {said[-1].removeprefix('paretofl: ')}")
                time.sleep(0.02)
        yield
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def deploy(own: pathlib.Path, file: pathlib.Path, data: pathlib.Path, clients: int, parties: int, sockets: str, *, resume: bool,
           overwrite: bool) -> None:
    """Runs the server in a Flower deployment. Error where the run fails."""
    words = [sys.executable, "-m", "paretofl.flower.deployment", "--dir", str(own), "--problem", str(file), "--data", str(data), "--clients",
             str(clients), "--parties", str(parties), "--sockets", sockets, *(["--resume"] if resume else []),
             *(["--overwrite"] if overwrite else [])]
    process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True, start_new_session=True)  # Ctrl-C reaches it once, by this process
    interrupted = False
    try:
        try:
            said = process.communicate()[1]
        except KeyboardInterrupt:
            print("paretofl: ends after this round, with a checkpoint; Ctrl-C again ends it at once", file=sys.stderr)
            interrupted = True
            process.send_signal(signal.SIGINT)
            said = process.communicate()[1]
    except BaseException:
        process.terminate()
        process.wait()
        raise
    from paretofl.flower.deployment import STOPPED  # here, because the process above runs that file as its program

    if process.returncode == STOPPED:
        raise stopped(own)
    if process.returncode != 0:
        error = (said.strip().splitlines() or ["nothing"])[-1].removeprefix("paretofl: ")
        raise KeyboardInterrupt(error) if interrupted else Error(error)


def stopped(own: pathlib.Path) -> KeyboardInterrupt:
    """What tells that the federation in this directory was interrupted after a checkpoint."""
    return KeyboardInterrupt(f"the federation in {own} has a checkpoint; go on with paretofl.federate(..., directory={str(own)!r}, resume=True)")
