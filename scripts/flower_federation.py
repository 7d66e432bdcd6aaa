"""A federation over Flower for scripts/faults_over_flower.py: two clients, each with its own SuperNode, on this machine."""

import importlib.util
import itertools
import json
import os
import signal
import subprocess
import time
from pathlib import Path

import federation_scene
from federation_scene import LIMIT, ROOT, Fault, send, wait_until

FLOWER = Path(os.environ.get("PARETOFL_FLOWER", ROOT / "build/flower"))


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


deployment = load(ROOT / "python/paretofl/flower/deployment.py")
deployment.BIN = FLOWER / "bin"


class Deployment(deployment.Deployment):
    """One whose SuperNodes are in network namespaces of their own, where these are given."""

    def __init__(self, folder, parties, address, networks):
        super().__init__(folder, parties, LIMIT, address)
        self.networks = networks

    def start(self, name, *words):
        network = self.networks.get(name)
        super().start(name, *(["nsenter", "--target", str(network.holder.pid), "--net"] if network else []), *words)


class Network:
    """A network namespace of a party's, with a link to the server's. The SuperLink listens on ADDRESS there."""

    ADDRESS = "10.78.0.1"
    numbers = itertools.count(1)

    def __init__(self):
        number = next(Network.numbers)
        self.port, own, theirs = f"party-{number}", f"10.78.{number}.1", f"10.78.{number}.2"
        self.holder = subprocess.Popen(["unshare", "--net", "sleep", "infinity"])
        here = os.readlink("/proc/self/ns/net")
        wait_until(lambda: os.readlink(f"/proc/{self.holder.pid}/ns/net") != here, "network namespace")
        run("ip", "address", "replace", f"{self.ADDRESS}/32", "dev", "lo")
        run("ip", "link", "add", self.port, "type", "veth", "peer", "name", "eth0", "netns", str(self.holder.pid))
        run("ip", "address", "add", f"{own}/24", "dev", self.port)
        run("ip", "link", "set", self.port, "up")
        for words in (["link", "set", "lo", "up"], ["address", "add", f"{theirs}/24", "dev", "eth0"], ["link", "set", "eth0", "up"],
                      ["route", "add", "default", "via", own]):
            self.inside("ip", *words)

    def inside(self, *words):
        run("nsenter", "--target", str(self.holder.pid), "--net", *words)

    def end(self):
        self.holder.kill()
        self.holder.wait()


def run(*words):
    subprocess.run(words, check=True, capture_output=True)


class FlowerFederation(federation_scene.Federation):
    """Hosts, a SuperLink and SuperNodes; party k has client k."""

    def __init__(self, folder, problem, isolated):
        super().__init__(folder, problem, isolated)
        self.deployment, self.networks, self.config = None, {}, problem.config

    def deploy(self, *, networks=False, supernodes=True, but=None):
        if networks:
            self.networks = {f"supernode-{party}": Network() for party in range(self.problem.clients)}
        self.deployment = Deployment(self.folder / "flower", self.problem.clients, Network.ADDRESS if networks else "127.0.0.1", self.networks)
        self.deployment.__enter__()
        self.deployment.start_superlink()
        self.start_hosts("--set", f"runtime.deadline_seconds={self.deadline()}", but=but)
        for party in range(self.problem.clients):
            self.deployment.register(party)
            if supernodes:
                self.start_supernode(party)

    def deadline(self):
        return next(line for line in self.config.read_text().splitlines() if line.startswith("deadline_seconds")).split()[-1]

    def set_deadline(self, seconds):
        """Before deploying: of the server and of the hosts."""
        text = self.problem.config.read_text()
        self.config = self.folder / "config.toml"
        self.config.write_text(text.replace("deadline_seconds = 0.0", f"deadline_seconds = {seconds}")
                               .replace("patience_seconds = 300.0", f"patience_seconds = {2 * seconds}"))

    def start_supernode(self, party):
        self.deployment.start_supernode(party, [party], str(self.folder / "s{client}"))

    def process(self, name):
        return self.deployment.processes[name]

    @property
    def outcome(self):
        return self.run_directory / "federation/flower.json"

    def start_app(self, resume=False):
        self.outcome.unlink(missing_ok=True)
        self.deployment.start_app({"config": str(self.config), "directory": str(self.run_directory), "clients": self.problem.clients,
                                   "resume": resume, "overwrite": not resume, "wait": float(LIMIT)})

    def start_app_again(self):
        """As Federation.go_on: from the newest checkpoint, or where there is no run yet from the beginning."""
        app = self.process("app")
        end_group(app, signal.SIGKILL)
        app.wait()
        self.start_app((self.run_directory / "config.toml").exists())

    def over(self):
        """Whether the server has told how the run ended, or the command that started it has ended without that."""
        return self.outcome.exists() or self.process("app").poll() is not None

    def expect_begin(self):
        """Waits until all parties have joined: before, a run does not begin without one of them."""
        wait_until(lambda: self.over() or (self.run_directory / "config.toml").exists(), "beginning of the run", 2 * LIMIT)

    def expect_rounds(self, number):
        wait_until(lambda: self.over() or self.rounds() >= number, f"round {number}", 2 * LIMIT)

    def when(self, process=None):
        return "after the end" if self.outcome.exists() else f"after {self.rounds()} rounds"

    def pid_of_server(self):
        """The process that runs the ServerApp; None where the run has ended."""
        wait_until(lambda: self.over() or self.servers(), "process of the ServerApp")
        return (self.servers() or [None])[0]

    def servers(self):
        return [pid for pid in descendants(self.process("superlink").pid) if "serverapp" in name_of(pid)]

    def kill_all_of(self, name):
        """As a service manager does it: the process and all that it has started, whatever their groups. The process is the first to die."""
        pids, found = set(), {self.process(name).pid}
        while found - pids:  # stopped first, so that none starts another meanwhile
            for pid in found - pids:
                send(pid, signal.SIGSTOP)
            pids |= found
            found = {pid for known in pids for pid in (known, *descendants(known))}
        for pid in pids:
            send(pid, signal.SIGKILL)
        self.process(name).wait()
        wait_until(lambda: not any(runs(pid) for pid in pids), f"end of {name}'s processes")

    def error(self, meanwhile=lambda: None):
        """How the run ended: the server's error, or nothing."""

        def ended():
            meanwhile()
            return self.over()

        wait_until(ended, "end of the run over Flower", 4 * LIMIT)
        if not self.outcome.exists():
            raise Fault(f"expected the server to tell how it ended, found: {last_line(self.folder / 'flower/app.log')}")
        return json.loads(self.outcome.read_text() or '{"error": "torn"}')["error"]

    def expect_success(self, meanwhile=lambda: None):
        error = self.error(meanwhile)
        if error:
            raise Fault(f"expected a run without an error, found: {error}")

    def statuses(self):
        """What Flower says of the runs, the newest first."""
        runs = json.loads(self.deployment.command("flwr", "list", "loopback", "--format", "json"))["runs"]
        return [entry["status"] for entry in runs]

    def end(self):
        for host in self.hosts.values():
            host.send_signal(signal.SIGCONT)
        if self.deployment is not None:
            for process in self.deployment.processes.values():
                end_group(process, signal.SIGCONT)
            self.deployment.__exit__()
        super().end()
        for network in self.networks.values():
            network.end()


def end_group(process, number):
    """Sends a signal to a process and all in its group."""
    try:
        os.killpg(process.pid, number)
    except ProcessLookupError:
        pass


def descendants(pid):
    """The processes that a process has started, and those that these have started, and so on."""
    started = {}
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            started.setdefault(stat_of(int(entry.name))[1], []).append(int(entry.name))
    found, left = [], [str(pid)]
    while left:
        children = started.get(left.pop(), [])
        found += children
        left += map(str, children)
    return found


def stat_of(pid):
    """The state of a process and its parent; nothing where it is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()[:2]
    except OSError:
        return ["", ""]


def runs(pid):
    return stat_of(pid)[0] not in ("", "Z")


def name_of(pid):
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace")
    except OSError:
        return ""


def last_line(log):
    lines = [line for line in log.read_text(errors="replace").splitlines() if line.strip()]
    return lines[-1] if lines else "nothing"


def pause(rng, longest):
    """A moment somewhere within an exchange; no verdict depends on it."""
    time.sleep(rng.random() * longest)
