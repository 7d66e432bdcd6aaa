#!/usr/bin/env python3
"""Disturbs a federation of resident processes on this machine in many ways, from a seed, and looks at how every run ends.

Usage: scripts/check_federation.py [--seed N] [--faults N] [--only KIND:I]

hosts     kill -9 of clients' processes (paretofl host), which start again a moment later
server    kill -9 of the server, which goes on with --resume
lines     every connection passes a proxy that drops it before or after the request arrives, sends requests twice, and sends old ones again
stops     SIGSTOP of a client's process for longer than the deadline
disks     a client's process can't write for a while: no file may grow
strangers a party with another seed, another strategy's options, another split, another client's data, or no data

In the kinds `hosts`, `server` and `lines` the run must end with the parameters of an undisturbed one. In `stops` and `disks` it must end, in
`disks` after --resume where the client's state could not be kept, and metrics.jsonl must name every client that was left out. In `strangers` it must be refused in one line that says what differs. Nothing
may hang. Prints a table by kind, and one line for each fault that was handled otherwise; exits with 1 then. PARETOFL names the command.
"""

import argparse
import collections
import json
import os
import random
import resource
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMMAND = os.environ.get("PARETOFL", str(ROOT / "build/paretofl"))
CLIENTS = 4
LIMIT = 60  # seconds for a whole run
# Enough rounds that faults come in all phases; a state per client, so that a lost one shows (an ObjectiveSteps of its own).
CONFIG = """seed = 7
rounds = 40
min_reply_fraction = 0.3
[strategy]
name = "firm"
cohort_size = 3
local_steps = 2
[workload]
name = "quadratics"
clients = 4
dimension = 50
[checkpoint]
every = 5
[runtime]
reconnect_seconds = 20.0
"""
KINDS = ("hosts", "server", "lines", "stops", "disks", "strangers")


class Federation:
    """The parts of a small problem, and processes on them, in a folder of its own."""

    def __init__(self, folder, parts):
        self.folder, self.parts = folder, parts
        self.config = parts / "config.toml"
        self.hosts = {}

    def socket(self, client):
        return self.folder / f"s{client}"

    def start_host(self, client, **changes):
        words = [COMMAND, "host", str(changes.get("config", self.config)), "--client", str(client), "--data",
                 str(changes.get("data", self.parts / f"client-{client}")), "--socket", str(self.socket(client)), "--state",
                 str(self.folder / f"state-{client}"), *changes.get("more", [])]
        with open(self.folder / f"host-{client}.log", "ab") as log:
            self.hosts[client] = subprocess.Popen(words, stdout=log, stderr=log, stdin=subprocess.DEVNULL)

    def start_hosts(self):
        for client in range(CLIENTS):
            self.start_host(client)
        for client in range(CLIENTS):
            wait_until(lambda: self.socket(client).exists(), f"the socket of client {client}")

    def server(self, *more, sockets=None, resume=False):
        pattern = sockets or str(self.folder / "s{client}")
        words = [COMMAND, "run", *(["--resume", "run"] if resume else [str(self.config), "--dir", "run"]), "--set", "runtime.name=sockets", "--set",
                 f"runtime.sockets={pattern}", *more]
        if not resume:
            words += ["--set", f"data.root={self.parts / 'server'}"]
        return subprocess.Popen(words, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)

    def end(self):
        for host in self.hosts.values():
            host.send_signal(signal.SIGCONT)
            host.kill()
            host.wait()

    def rows(self):
        return [json.loads(line) for line in (self.folder / "run/metrics.jsonl").read_text().splitlines()]

    def digest(self):
        return json.loads((self.folder / "run/summary.json").read_text())["parameters_sha256"]


class Fault(Exception):
    """How a fault was handled otherwise than it should be."""


def wait_until(condition, what, limit=20.0):
    end = time.monotonic() + limit
    while not condition():
        if time.monotonic() > end:
            raise Fault(f"hang: no {what} within {limit:g} s")
        time.sleep(0.01)


def ended(process, limit=LIMIT):
    """Its exit code and the last line that it said."""
    try:
        _, said = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise Fault(f"hang: no end within {limit} s") from None
    lines = [line.split("\r")[-1] for line in said.splitlines() if line.strip()]
    return process.returncode, lines[-1] if lines else ""


def expect_success(process):
    code, line = ended(process)
    if code != 0:
        raise Fault(f"exit code {code}: {line}")


def expect_round(federation, number, process):
    """Waits until so many rounds are done, or the run has ended."""
    metrics = federation.folder / "run/metrics.jsonl"
    wait_until(lambda: process.poll() is not None or (metrics.exists() and metrics.read_bytes().count(b"\n") >= number), f"round {number}")


def hosts(federation, rng, undisturbed):
    federation.start_hosts()
    process = federation.server()
    for _ in range(rng.randint(1, 6)):
        expect_round(federation, rng.randint(0, 35), process)
        time.sleep(rng.random() * 0.01)
        for client in rng.sample(range(CLIENTS), rng.randint(1, CLIENTS)):
            federation.hosts[client].kill()
            federation.hosts[client].wait()
            federation.start_host(client)
    expect_success(process)
    expect_equal(federation, undisturbed)


def server(federation, rng, undisturbed):
    federation.start_hosts()
    process = federation.server()
    for _ in range(rng.randint(1, 3)):
        expect_round(federation, rng.randint(0, 35), process)
        time.sleep(rng.random() * 0.01)
        process.kill()
        process.communicate()
        if (federation.folder / "run/config.toml").exists():
            process = federation.server(resume=True)
        else:
            shutil.rmtree(federation.folder / "run", ignore_errors=True)
            process = federation.server()
    expect_success(process)
    expect_equal(federation, undisturbed)


def expect_equal(federation, undisturbed):
    if federation.digest() != undisturbed:
        raise Fault("other parameters than without the fault")


class Proxy(threading.Thread):
    """Between the server and one client's socket."""

    def __init__(self, path, target, rng):
        super().__init__(daemon=True)
        self.target, self.rng, self.old = str(target), rng, []
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(path))
        self.listener.listen(16)
        self.start()

    def run(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            try:
                self.pass_on(connection)
            except OSError:
                pass
            finally:
                connection.close()

    def pass_on(self, connection):
        request = frame_from(connection)
        what = self.rng.choice(["pass"] * 6 + ["drop before", "drop after", "twice", "old", "cut"])
        if what == "drop before":
            return
        if what == "cut":  # half of the request arrives
            with socket.socket(socket.AF_UNIX) as out:
                out.connect(self.target)
                out.sendall(struct.pack("<Q", len(request)) + request[:len(request) // 2])
            return
        if what == "old" and self.old:
            self.asked(self.rng.choice(self.old))
        reply = self.asked(request)
        self.old = [*self.old[-20:], request]
        if what == "drop after":
            return
        if what == "twice" and self.asked(request) != reply:
            os._exit(3)  # a repeated request must get the same reply
        connection.sendall(struct.pack("<Q", len(reply)) + reply)

    def asked(self, request):
        with socket.socket(socket.AF_UNIX) as out:
            out.connect(self.target)
            out.sendall(struct.pack("<Q", len(request)) + request)
            return frame_from(out)


def frame_from(connection):
    (length,) = struct.unpack("<Q", exactly(connection, 8))
    return exactly(connection, length)


def exactly(connection, size):
    data = b""
    while len(data) < size:
        part = connection.recv(size - len(data))
        if not part:
            raise OSError("the other side is gone")
        data += part
    return data


def lines(federation, rng, undisturbed):
    federation.start_hosts()
    proxies = [Proxy(federation.folder / f"p{client}", federation.socket(client), random.Random(rng.random())) for client in range(CLIENTS)]
    expect_success(federation.server(sockets=str(federation.folder / "p{client}")))
    for proxy in proxies:
        proxy.listener.close()
    expect_equal(federation, undisturbed)


def stops(federation, rng, _):
    more = ["--set", "runtime.deadline_seconds=0.2"]
    for client in range(CLIENTS):
        federation.start_host(client, more=more)
    for client in range(CLIENTS):
        wait_until(lambda: federation.socket(client).exists(), "socket")
    process = federation.server(*more)
    stopped = rng.randrange(CLIENTS)
    expect_round(federation, rng.randint(1, 20), process)
    federation.hosts[stopped].send_signal(signal.SIGSTOP)
    done = len(federation.rows())
    expect_round(federation, done + 5, process)
    federation.hosts[stopped].send_signal(signal.SIGCONT)
    expect_success(process)
    for row in federation.rows():
        if row["late"] != sum(failure["client"] == stopped for failure in row["failures"]):
            raise Fault(f"late: {row['late']} in a row with the failures {row['failures']}")


def disks(federation, rng, _):
    federation.start_hosts()
    process = federation.server()
    expect_round(federation, rng.randint(0, 30), process)
    client = rng.randrange(CLIENTS)
    pid = federation.hosts[client].pid
    try:
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (rng.randint(0, 2000), resource.RLIM_INFINITY))
    except ProcessLookupError:
        pass
    done = len(federation.rows()) if (federation.folder / "run/metrics.jsonl").exists() else 0
    expect_round(federation, done + 3, process)
    if federation.hosts[client].poll() is None:
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    else:  # SIGXFSZ has ended it
        federation.start_host(client)
    code, line = ended(process)
    if code == 1 and f"checkpoint: expected client {client} to answer" in line:  # the run can't go on without its state
        code, line = ended(federation.server(resume=True))
    if code != 0:
        raise Fault(f"exit code {code}: {line}")
    if any(failure["client"] != client for row in federation.rows() for failure in row["failures"]):
        raise Fault("a failure of a client whose disk is not full")


def strangers(federation, rng, _):
    client = rng.randrange(CLIENTS)
    for other in range(CLIENTS):
        if other != client:
            federation.start_host(other)
    kind = rng.choice(["strategy", "split", "seed", "client", "empty"])
    changes = {"strategy": {"more": ["--set", "strategy.client_lr=0.0123"]}, "seed": {"more": ["--set", "seed=8"]},
               "split": {"data": federation.parts.parent / f"other/client-{client}", "config": federation.parts.parent / "other/config.toml"},
               "client": {"data": federation.parts / f"client-{(client + 1) % CLIENTS}"}, "empty": {"data": federation.folder}}[kind]
    federation.start_host(client, **changes)
    said = federation.folder / f"host-{client}.log"
    if kind in ("seed", "client", "empty"):  # it sees for itself
        if federation.hosts[client].wait(20) != 1 or said.read_text().count("\n") != 1 or "expected" not in said.read_text():
            raise Fault(f"{kind}: {said.read_text()!r}")
        return
    wait_until(lambda: federation.socket(client).exists(), "socket")
    code, line = ended(federation.server())
    if code != 1 or f"client {client}: expected" not in line or "found" not in line:
        raise Fault(f"{kind}: exit code {code}: {line}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--faults", type=int, default=120, help="in all, spread over the kinds")
    parser.add_argument("--only", help="KIND:I: one fault again; its folder is kept")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pf-") as name:
        folder = Path(name)
        (folder / "config.toml").write_text(CONFIG)
        for parts, more in (("parts", []), ("other", ["--set", "workload.condition=20.0"])):
            subprocess.run([COMMAND, "split", str(folder / "config.toml"), "--out", str(folder / parts), *more], check=True, stdout=subprocess.DEVNULL)
        subprocess.run([COMMAND, "run", str(folder / "config.toml"), "--dir", str(folder / "run")], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        undisturbed = json.loads((folder / "run/summary.json").read_text())["parameters_sha256"]
        counts, wrong = collections.Counter(), 0
        planned = [(KINDS[i % len(KINDS)], i // len(KINDS)) for i in range(arguments.faults)]
        if arguments.only:
            kind, number = arguments.only.split(":")
            planned = [(kind, int(number))]
        for kind, number in planned:
            own = folder / f"{kind}{number}"
            own.mkdir()
            federation = Federation(own, folder / "parts")
            try:
                globals()[kind](federation, random.Random(f"{arguments.seed} {kind} {number}"), undisturbed)
                counts[kind] += 1
            except Fault as fault:
                wrong += 1
                print(f"{kind}:{number} (seed {arguments.seed}): {fault}", flush=True)
            finally:
                federation.end()
            if arguments.only:
                kept = Path(tempfile.mkdtemp(prefix="pf-kept-"))
                shutil.copytree(own, kept, dirs_exist_ok=True, ignore=shutil.ignore_patterns("s?", "p?"))
                print(f"kept in {kept}")
            else:
                shutil.rmtree(own)
    for kind in KINDS:
        print(f"{kind:10} {counts[kind]:4} of {sum(planned_kind == kind for planned_kind, _ in planned):4} as they should")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
