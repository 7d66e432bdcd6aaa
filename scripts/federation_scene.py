"""What the checks of federations share (scripts/check_federation.py): a small problem, the processes of its parties, and how a run's end is judged."""

import dataclasses
import json
import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMMAND = os.environ.get("PARETOFL", str(ROOT / "build/paretofl"))
LIMIT = 120  # seconds for a whole run
SAME, TOLD, REFUSED = "same bits", "told", "refused"
# Enough rounds that faults come in all phases; a state per client, so that a lost one shows (an ObjectiveSteps of its own).
CONFIG = """seed = 7
rounds = {rounds}
min_reply_fraction = 0.3
[strategy]
name = "firm"
cohort_size = {cohort}
local_steps = 2
[workload]
name = "quadratics"
clients = {clients}
dimension = 50
[checkpoint]
every = {every}
[runtime]
reconnect_seconds = 20.0
"""


class Fault(Exception):
    """How a fault was handled otherwise than it should be."""


class Hang(Fault):
    """What did not come in time."""


@dataclasses.dataclass
class Outcome:
    verdict: str  # SAME, TOLD or REFUSED
    struck: str  # what was done, and when
    said: str  # what the system said to it


@dataclasses.dataclass
class Problem:
    """A config with the parts of its parties, those of a similar problem, and the parameters that an undisturbed run ends with."""

    folder: Path
    clients: int
    undisturbed: str
    older_engine: Path | None  # a folder for LD_LIBRARY_PATH

    @property
    def config(self):
        return self.folder / "parts/config.toml"

    def part(self, client):
        return self.folder / f"parts/client-{client}"


def make_problem(folder, *, clients, cohort, rounds, every):
    folder.mkdir()
    (folder / "config.toml").write_text(CONFIG.format(clients=clients, cohort=cohort, rounds=rounds, every=every))
    for parts, more in (("parts", []), ("other", ["--set", "workload.condition=20.0"])):
        quietly("split", folder / "config.toml", "--out", folder / parts, *more)
    quietly("run", folder / "config.toml", "--dir", folder / "run")
    return Problem(folder, clients, digest_of(folder / "run"), make_older_engine(folder / "older"))


def quietly(*words):
    subprocess.run([COMMAND, *map(str, words)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def digest_of(run):
    return json.loads((run / "summary.json").read_text())["parameters_sha256"]


def make_older_engine(folder):
    """The engine's library as another commit would name itself; None where the command is of no commit or has no such library."""
    commit = re.search(r"commit ([0-9a-f]{40})", subprocess.run([COMMAND, "--version"], check=True, capture_output=True, text=True).stdout)
    linked = subprocess.run(["ldd", COMMAND], check=False, capture_output=True, text=True).stdout
    library = re.search(r"(libparetofl\.so\S*) => (\S+)", linked)
    if not commit or not library:
        return None
    folder.mkdir()
    content = Path(library[2]).read_bytes()
    if commit[1].encode() not in content:
        return None
    (folder / library[1]).write_bytes(content.replace(commit[1].encode(), b"0" * 40))
    return folder


class Federation:
    """The resident processes of a problem's clients and a run directory, in a folder of its own."""

    def __init__(self, folder, problem, isolated):
        """isolated: whether this process has namespaces of its own, so that it may mount file systems and make network devices."""
        self.folder, self.problem, self.isolated = folder, problem, isolated
        self.hosts, self.mounts = {}, []
        self.number = 0  # of the fault among those of its kind

    def socket(self, client):
        return self.folder / f"s{client}"

    def state(self, client):
        return self.folder / f"state-{client}"

    def log(self, client):
        return self.folder / f"host-{client}.log"

    @property
    def run_directory(self):
        return self.folder / "run"

    def start_host(self, client, **changes):
        words = [COMMAND, "host", str(changes.get("config", self.problem.config)), "--client", str(client), "--data",
                 str(changes.get("data", self.problem.part(client))), "--socket", str(self.socket(client)), "--state", str(self.state(client)),
                 *changes.get("more", [])]
        with open(self.log(client), "ab") as log:
            self.hosts[client] = subprocess.Popen(words, stdout=log, stderr=log, stdin=subprocess.DEVNULL,
                                                  env={**os.environ, **changes.get("environment", {})})

    def start_hosts(self, *more, but=None):
        others = [client for client in range(self.problem.clients) if client != but]
        for client in others:
            self.start_host(client, more=more)
        for client in others:
            self.expect_socket(client)

    def expect_socket(self, client):
        wait_until(lambda: self.socket(client).exists() or self.hosts[client].poll() is not None, f"socket of client {client}")
        if not self.socket(client).exists():
            raise Fault(f"client {client}: {self.log(client).read_text().strip()}")

    def server(self, *more, sockets=None, resume=False):
        pattern = sockets or str(self.folder / "s{client}")
        words = [COMMAND, "run", *(["--resume", "run"] if resume else [str(self.problem.config), "--dir", "run"]), "--set",
                 "runtime.name=sockets", "--set", f"runtime.sockets={pattern}", *more]
        if not resume:
            words += ["--set", f"data.root={self.problem.folder / 'parts/server'}"]
        return self.start(words)

    def start(self, words, **more):
        return subprocess.Popen(list(map(str, words)), cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                stdin=subprocess.DEVNULL, text=True, **more)

    def go_on(self, server):
        """Starts a server again, with `server(resume)`: from the newest checkpoint, or where there is no run yet from the beginning."""
        whole = (self.run_directory / "config.toml").exists()
        if not whole:
            shutil.rmtree(self.run_directory, ignore_errors=True)
        return server(whole)

    def rounds(self):
        metrics = self.run_directory / "metrics.jsonl"
        return metrics.read_bytes().count(b"\n") if metrics.exists() else 0

    def expect_round(self, number, process):
        """Waits until so many rounds are done, or the process has ended."""
        wait_until(lambda: process.poll() is not None or self.rounds() >= number, f"round {number}", LIMIT)

    def when(self, process):
        return "after the end" if process.poll() is not None else f"after {self.rounds()} rounds"

    def rows(self):
        return [json.loads(line) for line in (self.run_directory / "metrics.jsonl").read_text().splitlines()]

    def expect_same(self):
        if digest_of(self.run_directory) != self.problem.undisturbed:
            raise Fault("other parameters than without the fault")
        return SAME

    def judge(self, absent=None):
        """SAME where no client was left out, and then the parameters must be the undisturbed ones; otherwise TOLD. `absent`: the only
        client that may be left out."""
        rows = self.rows()
        failures = [failure for row in rows for failure in row["failures"]]
        if absent is not None and any(failure["client"] != absent for failure in failures):
            raise Fault(f"expected failures of client {absent} only, found {failures}")
        if any(row.get("abandoned") for row in rows) and not failures:
            raise Fault("a round without replies that names nobody")
        return TOLD if failures or any(row["late"] for row in rows) else self.expect_same()

    def left_out(self):
        """What metrics.jsonl says of clients that were left out."""
        rows = self.rows()
        failures = [failure for row in rows for failure in row["failures"]]
        late = sum(row["late"] for row in rows)
        first = f", first: client {failures[0]['client']}: {failures[0]['reason']}" if failures else ""
        return f"{late} late, {len(failures)} failures{first}"

    def end(self):
        for host in self.hosts.values():
            host.send_signal(signal.SIGCONT)
            host.kill()
            host.wait()
        for mount in self.mounts:
            subprocess.run(["umount", "-l", str(mount)], check=False)


def wait_until(condition, what, limit=60.0):
    end = time.monotonic() + limit
    while not condition():
        if time.monotonic() > end:
            raise Hang(f"no {what} within {limit:g} s")
        time.sleep(0.01)


def ended(process, limit=LIMIT):
    """Its exit code, and the last line that it said of how it went; the progress that a run shows is none."""
    try:
        _, said = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise Hang(f"no end within {limit} s") from None
    lines = [line.split("\r")[-1] for line in said.splitlines() if re.search(r"\w", line) and " rounds/s" not in line]
    ours = [line for line in lines if line.startswith("paretofl: ")]
    said = ours or (lines if process.returncode else [])
    return process.returncode, said[-1].removeprefix("paretofl: ") if said else ""


def expect_success(process):
    """The last warning."""
    code, line = ended(process)
    if code != 0:
        raise Fault(f"exit code {code}: {line}")
    return line


def expect_success_under_deadline(process, start_again, end=ended):
    """The last warning. On a busy machine everybody may be late, so that too many rounds in a row are abandoned, which ends a run with a clear
    error; then it goes on with `start_again`."""
    for _ in range(20):
        code, line = end(process)
        if code != 1 or "abandoned in a row" not in line:
            break
        process = start_again()
    if code != 0:
        raise Fault(f"exit code {code}: {line}")
    return line


def expect_refusal(process, *parts):
    """Its last line, which must have these parts, with an exit code of 1."""
    code, line = ended(process)
    if code != 1 or not all(part in line for part in parts):
        raise Fault(f"expected exit code 1 and a line with {parts}, found {code}: {line}")
    return line


def send(pid, number):
    """A signal to a process that may have ended, or that was not found."""
    try:
        os.kill(pid, number)
    except (ProcessLookupError, TypeError):
        pass


def kill(process):
    process.kill()
    process.communicate()
