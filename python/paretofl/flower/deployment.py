"""A whole Flower deployment on this machine's loopback interface: TLS, node authentication, one SuperLink and one SuperNode per party.

    python3 -m paretofl.flower.deployment --dir RUN --config FILE --clients N --parties P --sockets PATTERN

The clients' resident processes (paretofl host) run already. `paretofl federate` starts both. For a problem of one's own, `--problem FILE --data
FOLDER` stand in the place of the config, and `paretofl.federate` starts both. It ends with the process that has started it. SIGINT ends the
run after its round, with a checkpoint, and the exit code is then 130; SIGTERM, or SIGINT again, ends everything at once.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator

APP = pathlib.Path(__file__).parent / "app"
BIN = pathlib.Path(sys.executable).parent
STOPPED = 130  # the exit code of a run that was ended after its round


class DeploymentError(Exception):
    """What went wrong, in one line for people."""


class Deployment:
    """The processes and their files, below a folder. Use it in a `with` statement: at its end all processes end."""

    def __init__(self, folder: pathlib.Path, parties: int, wait: float = 300.0, address: str = "127.0.0.1"):
        """wait: seconds for which a process may take to be ready. address: where the SuperLink listens."""
        self.folder, self.parties, self.wait, self.address = folder, parties, wait, address
        self.processes: dict[str, subprocess.Popen] = {}
        self.port = free_port()
        # Flower's home has sockets and databases, whose paths must be short.
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="paretofl-flower-"))
        self.environment = {**os.environ, "PATH": f"{BIN}:{os.environ.get('PATH', '')}", "FLWR_HOME": str(self.home), "PYTHONUNBUFFERED": "1",
                            "FLWR_TELEMETRY_ENABLED": "0", "FLWR_DISABLE_UPDATE_CHECK": "1", "FLWR_SUPEREXEC_TASK_POLL_INTERVAL": "0.1"}

    def __enter__(self) -> Deployment:
        self.folder.mkdir(parents=True, exist_ok=True)
        self.folder.chmod(0o700)
        for database in self.folder.glob("superlink.db*"):  # an earlier deployment's
            database.unlink()
        try:
            self.make_certificates()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        with uninterrupted():
            self.end_members(signal.SIGTERM, 10.0)
            self.end_members(signal.SIGKILL, 10.0)
            shutil.rmtree(self.home, ignore_errors=True)

    def members(self) -> list[int]:
        """The processes of this deployment, also those that Flower has started in sessions of their own: all have its home in their environment."""
        for process in self.processes.values():
            process.poll()  # so that none is left that has ended
        mark, found = f"FLWR_HOME={self.home}".encode(), []
        for entry in pathlib.Path("/proc").iterdir():
            if entry.name.isdigit():
                with contextlib.suppress(OSError):
                    if mark in (entry / "environ").read_bytes().split(b"\0"):
                        found.append(int(entry.name))
        return found

    def end_members(self, number: int, seconds: float) -> None:
        """Sends a signal to all processes, and to those that they start meanwhile, until none is left or so many seconds are over."""
        told, end = set[int](), time.monotonic() + seconds
        while (left := self.members()) and time.monotonic() < end:
            for member in set(left) - told:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(member, number)
            told.update(left)
            time.sleep(0.05)

    def server_apps(self) -> list[int]:
        """The processes in which Flower runs the server's app."""
        found = []
        for member in self.members():
            with contextlib.suppress(OSError):
                if b"flwr-serverapp" in pathlib.Path(f"/proc/{member}/cmdline").read_bytes():
                    found.append(member)
        return found

    def command(self, *words: str) -> str:
        """The output of a command that must succeed."""
        done = subprocess.run(words, cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            said = (done.stderr + done.stdout).strip().splitlines() or ["nothing"]
            raise DeploymentError(f"expected `{' '.join(words)}` to succeed, found: {said[-1]}")
        return done.stdout

    def start(self, name: str, *words: str) -> None:
        """Starts a process in a session of its own, with a log of its name."""
        with open(self.folder / f"{name}.log", "ab") as log:
            self.processes[name] = subprocess.Popen(words, cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                                    start_new_session=True)

    def expect_alive(self, name: str) -> None:
        if self.processes[name].poll() is not None:
            raise DeploymentError(f"expected {name} to run, found its end; {self.last_lines(name)}")

    def last_lines(self, name: str) -> str:
        """The last lines of a process's log, in one line: the log may be removed with all that a failed start has made."""
        log = self.folder / f"{name}.log"
        lines = [line.strip() for line in log.read_text(errors="replace").splitlines() if line.strip()] if log.exists() else []
        return f"the last lines of {log.name}: {' | '.join(lines[-4:])}" if lines else f"{log.name} is empty"

    def make_certificates(self) -> None:
        """An authority of this deployment's own, and the SuperLink's certificate for its address."""
        key = ["openssl", "ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out"]
        self.command(*key, "ca.key")
        self.command("openssl", "req", "-x509", "-new", "-key", "ca.key", "-sha256", "-days", "30", "-subj", "/CN=ParetoFL on loopback", "-addext",
                     "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=critical,keyCertSign,cRLSign", "-out", "ca.crt")
        self.command(*key, "server.key")
        self.command("openssl", "req", "-new", "-key", "server.key", "-subj", "/CN=localhost", "-out", "server.csr")
        (self.folder / "names.cnf").write_text(f"subjectAltName=DNS:localhost,IP:{self.address}\nbasicConstraints=CA:FALSE\n")
        self.command("openssl", "x509", "-req", "-in", "server.csr", "-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-days", "30",
                     "-sha256", "-extfile", "names.cnf", "-out", "server.pem")

    def start_superlink(self) -> None:
        """Starts it and waits until it is ready. Its database outlives it: one that is started again knows the keys."""
        self.start("superlink", "flower-superlink", "--host", self.address, "--port", str(self.port), "--ssl-ca-certfile", "ca.crt",
                   "--ssl-certfile", "server.pem", "--ssl-keyfile", "server.key", "--enable-supernode-auth",
                   "--disable-runtime-dependency-installation", "--database", str(self.folder / "superlink.db"))
        trusted = ssl.create_default_context(cafile=str(self.folder / "ca.crt"))
        end = time.monotonic() + self.wait
        while True:
            self.expect_alive("superlink")
            try:
                urllib.request.urlopen(f"https://{self.address}:{self.port}/health", context=trusted, timeout=5).close()
                break
            except (urllib.error.URLError, OSError) as error:
                if time.monotonic() > end:
                    raise DeploymentError(f"expected the SuperLink to be ready within {self.wait:g} s, found: {error}") from error
            time.sleep(0.1)
        (self.home / "config.toml").write_text(f'[superlink]\ndefault = "loopback"\n\n[superlink.loopback]\naddress = "{self.address}:{self.port}"\n'
                                               f'root-certificates = {toml(str(self.folder / "ca.crt"))}\n')

    def register(self, party: int) -> None:
        """Makes a key of the party's own and makes it known to the SuperLink."""
        key = self.key_of(party)
        for file in (key, key + ".pub"):
            (self.folder / file).unlink(missing_ok=True)
        self.command("ssh-keygen", "-q", "-t", "ecdsa", "-b", "384", "-N", "", "-C", "", "-f", key)
        self.command("flwr", "supernode", "register", key + ".pub", "loopback", "--format", "json")

    def key_of(self, party: int) -> str:
        return f"party-{party}.key"

    def start_supernode(self, party: int, clients: list[int], sockets: str) -> None:
        """Starts the SuperNode of a party that is registered."""
        numbers = ",".join(map(str, clients))
        self.start(f"supernode-{party}", "flower-supernode", "--superlink", f"{self.address}:{self.port}", "--root-certificates", "ca.crt",
                   "--auth-supernode-private-key", self.key_of(party), "--port", str(free_port()), "--node-config",
                   f'clients="{numbers}" sockets={toml(sockets)}')

    def start_app(self, settings: dict[str, str | int | float | bool]) -> None:
        words = " ".join(f"{key}={toml(value)}" for key, value in settings.items())
        self.start("app", "flwr", "run", str(APP), "loopback", "--stream", "-c", words)

    def run(self, settings: dict[str, str | int | float | bool]) -> None:
        """Runs the app to its end. KeyboardInterrupt in it lets the server end after its round; another one ends the waiting for that."""
        self.start_app(settings)
        try:
            self.wait_while(lambda: self.processes["app"].poll() is None)
        except KeyboardInterrupt:
            servers = self.server_apps()
            if not servers:
                raise
            for server in servers:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(server, signal.SIGINT)
            self.wait_while(self.server_apps)

    def wait_while(self, going_on: Callable[[], object]) -> None:
        while going_on():
            for name in ("superlink", *(name for name in self.processes if name.startswith("supernode"))):
                self.expect_alive(name)
            time.sleep(0.1)

    def traffic(self) -> dict[str, int]:
        """What Flower counts as sent, in bytes; empty where it does not tell."""
        runs = json.loads(self.command("flwr", "list", "loopback", "--format", "json")).get("runs", [])
        found = runs[0].get("network-traffic", {}) if runs else {}
        return {key: value for key, value in found.items() if isinstance(value, int)} if isinstance(found, dict) else {}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def toml(value: str | int | float | bool) -> str:
    """A value as Flower's parsers take it, which search texts for quotes: all but plain characters are written by their numbers."""
    if not isinstance(value, str):
        return json.dumps(value)
    try:
        value.encode()
    except UnicodeEncodeError:
        raise DeploymentError(f"expected names of files and folders in UTF-8 over Flower, found {value!r}") from None
    return '"' + re.sub(r"[^A-Za-z0-9/._{},:-]", lambda character: f"\\U{ord(character[0]):08x}", value) + '"'


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """Ignores signals to stop, where this is the main thread, which alone may say so."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, signal.SIG_IGN) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def deploy(run: pathlib.Path, trained: dict[str, str], clients: int, parties: int, sockets: str, *, resume: bool, overwrite: bool) -> bool:
    """Deploys, runs, and takes everything down. `trained`: the app's settings that say what. Returns whether the run went to its end; KeyboardInterrupt
    lets it end after its round, with a checkpoint. DeploymentError where the run fails."""
    outcome = run / "federation" / "flower.json"
    outcome.unlink(missing_ok=True)
    with Deployment(run / "federation" / "flower", parties) as deployment:
        deployment.start_superlink()
        for party in range(parties):
            deployment.register(party)
            deployment.start_supernode(party, list(range(party, clients, parties)), sockets)
        deployment.run({**trained, "directory": str(run), "clients": clients, "resume": resume, "overwrite": overwrite})
        if not outcome.exists():
            raise DeploymentError(f"expected the server to tell how it ended, found its end; {deployment.last_lines('app')}")
        ended = json.loads(outcome.read_text())
        if ended.get("interrupted"):
            return False
        if ended["error"]:
            raise DeploymentError(ended["error"])
        outcome.write_text(json.dumps({**ended, "flower_traffic": deployment.traffic()}) + "\n")
    return True


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--dir", type=pathlib.Path, required=True)
    trained = parser.add_mutually_exclusive_group(required=True)
    trained.add_argument("--config", type=pathlib.Path)
    trained.add_argument("--problem", type=pathlib.Path)
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path())
    parser.add_argument("--clients", type=int, required=True)
    parser.add_argument("--parties", type=int, required=True)
    parser.add_argument("--sockets", required=True)
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--overwrite", action="store_true")
    arguments = parser.parse_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell starts processes in the background with SIGINT ignored
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    if importlib.util.find_spec("flwr") is None:
        print("paretofl: federate: expected Flower (pip install flwr==1.42.0) for " + sys.executable + ", found none; `make flower` installs it, "
              "PARETOFL_PYTHON names another Python, and --carrier sockets does without", file=sys.stderr)
        return 1
    from paretofl.process_end import end_with_parent  # here, because scripts load this file without the package

    end_with_parent()
    if arguments.config:
        settings = {"config": str(arguments.config.resolve())}
    else:
        settings = {"problem": str(arguments.problem.resolve()), "data": str(arguments.data.resolve())}
    try:
        whole = deploy(arguments.dir.resolve(), settings, arguments.clients, arguments.parties, arguments.sockets,
                       resume=arguments.resume, overwrite=arguments.overwrite)
    except KeyboardInterrupt:
        print("paretofl: federate: expected the server to run, found an interrupt before its first round, or a second one", file=sys.stderr)
        return 1
    except (DeploymentError, OSError) as error:
        print(f"paretofl: federate: {error}", file=sys.stderr)
        return 1
    return 0 if whole else STOPPED


if __name__ == "__main__":
    sys.exit(main())
