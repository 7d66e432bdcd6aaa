"""Faults of federations of resident processes on one machine (scripts/check_federation.py). Each takes a Federation and a random generator."""

import os
import random
import resource
import shutil
import signal
import socket
import struct
import subprocess
import threading
import time

from federation_scene import COMMAND, REFUSED, TOLD, Fault, Outcome, ended, expect_refusal, expect_success, expect_success_under_deadline, kill, send, wait_until

ROUNDS = 40
SECONDS = 0.4
DEADLINE = ["--set", f"runtime.deadline_seconds={SECONDS}"]


def missing(*_):
    """What these faults need that is not there."""
    return ""


def hosts(federation, rng):
    """kill -9 of clients' processes, which start again a moment later"""
    federation.start_hosts()
    process, struck = federation.server(), []
    for _ in range(rng.randint(1, 6)):
        federation.expect_round(rng.randint(0, ROUNDS - 5), process)
        time.sleep(rng.random() * 0.01)  # a moment within a round
        clients = sorted(rng.sample(range(federation.problem.clients), rng.randint(1, federation.problem.clients)))
        struck.append(f"clients {clients} {federation.when(process)}")
        for client in clients:
            kill(federation.hosts[client])
            federation.start_host(client)
    said = expect_success(process)
    return Outcome(federation.expect_same(), "kill -9 of " + ", then ".join(struck), said)


def server(federation, rng):
    """kill -9 of the server, which goes on with --resume"""
    federation.start_hosts()
    process, struck = federation.server(), []
    for _ in range(rng.randint(1, 3)):
        federation.expect_round(rng.randint(0, ROUNDS - 5), process)
        time.sleep(rng.random() * 0.01)
        struck.append(federation.when(process))
        kill(process)
        process = federation.go_on(lambda whole: federation.server(resume=whole))
    said = expect_success(process)
    return Outcome(federation.expect_same(), "kill -9 of the server " + ", then ".join(struck), said)


def federate(federation, rng):
    """kill -9 of `paretofl federate`, or of its supervisor, or of both with all clients; it goes on with --resume"""

    def start(resume):
        how = ["--resume", "run"] if resume else [federation.problem.folder / "config.toml", "--overwrite", "--dir", "run"]
        return federation.start([COMMAND, "federate", *how, "--carrier", "sockets", "--set", "runtime.reconnect_seconds=3"], start_new_session=True)

    process, struck = start(False), []
    for _ in range(rng.randint(1, 2)):
        federation.expect_round(rng.randint(0, ROUNDS - 5), process)
        time.sleep(rng.random() * 0.01)
        what = rng.choice(["the command", "the supervisor", "all"])
        own = processes_in(federation.folder)
        children = [pid for pid in own if parent_of(pid) == process.pid]
        struck.append(f"{what} {federation.when(process)}")
        for pid in {"the command": [process.pid], "the supervisor": children, "all": own}[what]:
            send(pid, signal.SIGKILL)
        code, line = ended(process)
        if what == "the supervisor" and code == 1:
            struck[-1] += f" (exit code 1: {line})"
        wait_until(lambda: not processes_in(federation.folder), "end of the killed federation's processes")
        whole = (federation.run_directory / "config.toml").exists()
        process = start(whole)
    said = expect_success(process)
    return Outcome(federation.judge(), "kill -9 of " + ", then of ".join(struck), f"{federation.left_out()}{'; ' if said else ''}{said}")


def processes_in(folder):
    """The processes that work in a folder."""
    found = []
    for entry in os.scandir("/proc"):
        try:
            if entry.name.isdigit() and os.readlink(f"/proc/{entry.name}/cwd") == str(folder):
                found.append(int(entry.name))
        except OSError:
            pass
    return found


def parent_of(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            return int(file.read().rpartition(")")[2].split()[1])
    except OSError:
        return None


class Proxy(threading.Thread):
    """Between the server and one client's socket. `ways` says what happens to requests; `fault` what the client did wrong."""

    def __init__(self, path, target, rng, ways, delay=0.0):
        super().__init__(daemon=True)
        self.target, self.rng, self.ways, self.delay = str(target), rng, ways, delay
        self.answered, self.counts, self.fault = [], {}, ""
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
        what = self.rng.choice(self.ways)
        self.counts[what] = self.counts.get(what, 0) + 1
        if what == "dropped before":
            return
        if what == "cut":  # half of the request arrives
            with socket.socket(socket.AF_UNIX) as out:
                out.connect(self.target)
                out.sendall(struct.pack("<Q", len(request)) + request[:len(request) // 2])
            return
        if what == "an old one first" and self.answered:
            self.expect_refused_or_same(*self.rng.choice(self.answered))
        if what == "two at once":
            again = []
            other = threading.Thread(target=lambda: again.append(self.asked(request)))
            other.start()
        reply = self.asked(request)
        if what == "two at once":
            other.join()
            self.expect_equal(again[0] if again else reply, reply)
        if what == "twice":
            self.expect_equal(self.asked(request), reply)
        self.answered = [*self.answered[-20:], (request, reply)]
        if what == "dropped after":
            return
        if what == "late":
            time.sleep(self.delay)
        connection.sendall(struct.pack("<Q", len(reply)) + reply)

    def expect_equal(self, again, reply):
        if again != reply:
            self.fault = "another reply to a repeated request"

    def expect_refused_or_same(self, request, reply):
        """A stale request must change nothing; the newest one again gets its reply."""
        again = self.asked(request)
        if again != reply and b"refused: expected" not in again:
            self.fault = "a stale request was applied"

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


def through_proxies(federation, rng, ways, *more, slow=(), delay=0.0):
    """Runs the server with a proxy before every client, which treats requests in one of these ways, and returns what happened and what the
    server said."""
    proxies = [Proxy(federation.folder / f"p{client}", federation.socket(client), random.Random(rng.random()),
                     ["late"] if client in slow else ways, delay) for client in range(federation.problem.clients)]
    try:
        pattern = str(federation.folder / "p{client}")
        said = expect_success_under_deadline(federation.server(*more, sockets=pattern),
                                             lambda: federation.server(sockets=pattern, resume=True))
    finally:
        for proxy in proxies:
            proxy.listener.close()
    for client, proxy in enumerate(proxies):
        if proxy.fault:
            raise Fault(f"client {client}: {proxy.fault}")
    counts = {way: sum(proxy.counts.get(way, 0) for proxy in proxies) for way in sorted({*ways, *(["late"] if slow else [])} - {"passed"})}
    return ", ".join(f"{way}: {count}" for way, count in counts.items()), said


def lines(federation, rng):
    """connections that end before or after the request arrives, or in the middle of it"""
    federation.start_hosts()
    struck, said = through_proxies(federation, rng, ["passed"] * 5 + ["dropped before", "dropped after", "cut"])
    return Outcome(federation.expect_same(), f"requests {struck}", said)


def repeats(federation, rng):
    """requests that arrive twice, one after the other or at once, and old requests that arrive again after newer ones"""
    federation.start_hosts()
    struck, said = through_proxies(federation, rng, ["passed"] * 3 + ["twice", "two at once", "an old one first"])
    return Outcome(federation.expect_same(), f"requests {struck}", said)


def stragglers(federation, rng):
    """20 % of the clients answer after the deadline, with and without additional clients"""
    more = rng.choice([DEADLINE, [*DEADLINE, "--set", "runtime.over_sample=0.25"]])
    federation.start_hosts(*more)
    slow = rng.sample(range(federation.problem.clients), federation.problem.clients // 5)
    struck, said = through_proxies(federation, rng, ["passed"], *more, slow=slow, delay=1.5 * SECONDS)
    if not any(row["late"] for row in federation.rows()):
        raise Fault("no reply is late")
    for row in federation.rows():
        if row["late"] < sum("late" in failure["reason"] for failure in row["failures"]):
            raise Fault(f"late: {row['late']} in a row with the failures {row['failures']}")
    return Outcome(TOLD, f"client {slow[0]} is slow{', with over_sample' if len(more) > 2 else ''}; requests {struck}",
                   f"{federation.left_out()}{'; ' if said else ''}{said}")


def stops(federation, rng):
    """SIGSTOP of a client's process for longer than the deadline"""
    federation.start_hosts(*DEADLINE)
    process = federation.server(*DEADLINE)
    stopped = rng.randrange(federation.problem.clients)
    federation.expect_round(rng.randint(1, ROUNDS // 2), process)
    struck = f"SIGSTOP of client {stopped} {federation.when(process)}"
    federation.hosts[stopped].send_signal(signal.SIGSTOP)
    federation.expect_round(federation.rounds() + 5, process)
    struck += f", SIGCONT {federation.when(process)}"
    federation.hosts[stopped].send_signal(signal.SIGCONT)
    said = expect_success_under_deadline(process, lambda: federation.server(resume=True))
    for row in federation.rows():  # a busy machine may make others late, too
        if row["late"] != sum("late" in failure["reason"] for failure in row["failures"]):
            raise Fault(f"late: {row['late']} in a row with the failures {row['failures']}")
    verdict = TOLD if "before the deadline" in said else federation.judge()  # said of the state in a checkpoint
    return Outcome(verdict, struck, f"{federation.left_out()}{'; ' if said else ''}{said}")


def disks(federation, rng):
    """a client's process can't write for a while: its disk is full, or no file may grow"""
    client = rng.randrange(federation.problem.clients)
    full = federation.isolated and rng.random() < 0.5
    if full:
        federation.state(client).mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m,mode=700", "tmpfs", str(federation.state(client))], check=True)
        federation.mounts.append(federation.state(client))
    federation.start_hosts()
    process = federation.server()
    federation.expect_round(rng.randint(0, ROUNDS - 10), process)
    struck = f"{'full disk' if full else 'no file may grow'}, client {client}, {federation.when(process)}"
    host = federation.hosts[client]
    filler = federation.state(client) / "filler"
    if full:
        fill(filler)
    else:
        limit_files(host, rng.randint(0, 2000))
    federation.expect_round(federation.rounds() + 3, process)
    filler.unlink(missing_ok=True)
    if host.poll() is not None:  # SIGXFSZ has ended it
        federation.start_host(client)
    elif not full:
        limit_files(host, resource.RLIM_INFINITY)
    code, line = ended(process)
    if code == 1 and f"checkpoint: expected client {client} to answer" in line:  # the run can't go on without its state
        struck += f"; exit code 1 ({line}), --resume"
        code, line = ended(federation.server(resume=True))
    if code != 0:
        raise Fault(f"exit code {code}: {line}")
    return Outcome(federation.judge(absent=client), struck, federation.left_out())


def fill(path):
    try:
        with open(path, "wb", buffering=0) as file:
            while file.write(b"0" * 4096):
                pass
    except OSError:
        pass


def limit_files(process, size):
    try:
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
    except ProcessLookupError:
        pass


def absences(federation, rng):
    """kill -9 of the server and of a client's process, which comes back some rounds after the run was resumed"""
    federation.start_hosts()
    process = federation.server()
    federation.expect_round(rng.randint(5, ROUNDS // 2), process)
    client = rng.randrange(federation.problem.clients)
    struck = f"client {client} and the server {federation.when(process)}"
    kill(process)
    kill(federation.hosts[client])
    process = federation.server("--set", "runtime.reconnect_seconds=0.1", resume=True)
    federation.expect_round(federation.rounds() + rng.randint(0, 5), process)
    struck += f"; the client came back {federation.when(process)}"
    federation.start_host(client)
    said = expect_success(process)
    return Outcome(federation.judge(absent=client), f"kill -9 of {struck}", f"{said}; {federation.left_out()}")


def copies(federation, rng):
    """the run directory is copied, and a server goes on in both"""
    federation.start_hosts()
    process = federation.server()
    federation.expect_round(rng.randint(1, ROUNDS // 2), process)
    struck = f"a copy of the run directory {federation.when(process)}"
    kill(process)
    copy = federation.folder / "copy"
    shutil.copytree(federation.run_directory, copy)
    federation.run_directory.rename(federation.folder / "original")
    for name in rng.sample(["original", "copy"], 2):
        (federation.folder / name).rename(federation.run_directory)
        process = federation.go_on(lambda whole: federation.server(resume=whole))
        if not struck.endswith("first"):
            struck += f"; the {name} first"
            expect_success(process)
            federation.expect_same()
        else:
            line = expect_refusal(process, "of the run's server to be", "another server goes on with a copy of the run")
        federation.run_directory.rename(federation.folder / f"{name} done")
    return Outcome(REFUSED, struck, line)


STRANGERS = ("strategy", "split", "engine", "seed", "client", "empty")


def stranger(problem, what, client):
    """How a host is started that does not belong to the federation."""
    return {"strategy": {"more": ["--set", "strategy.client_lr=0.0123"]},
            "split": {"data": problem.folder / f"other/client-{client}", "config": problem.folder / "other/config.toml"},
            "engine": {"environment": {"LD_LIBRARY_PATH": str(problem.older_engine)}},
            "seed": {"more": ["--set", "seed=8"]},
            "client": {"data": problem.part((client + 1) % problem.clients)},
            "empty": {"data": problem.folder}}[what]


def strangers(federation, rng):
    """a party with another engine, another strategy's options, another split, another seed, another client's data, or no data"""
    client = rng.randrange(federation.problem.clients)
    what = rng.choice([what for what in STRANGERS if what != "engine" or federation.problem.older_engine])
    struck = f"client {client} with another {what}" if what != "empty" else f"client {client} without data"
    federation.start_hosts(but=client)
    federation.start_host(client, **stranger(federation.problem, what, client))
    if what in ("seed", "client", "empty"):  # it sees for itself
        return Outcome(REFUSED, struck, refusal_of_host(federation, client))
    federation.expect_socket(client)
    line = expect_refusal(federation.server(), f"client {client}: expected", "found")
    if what == "engine" and "engine" not in line:
        raise Fault(f"expected the engine's version to be named, found {line}")
    return Outcome(REFUSED, struck, line)


def refusal_of_host(federation, client):
    host = federation.hosts[client]
    wait_until(lambda: host.poll() is not None, f"end of client {client}'s process")
    said = federation.log(client).read_text()
    if host.returncode != 1 or said.count("\n") != 1 or "expected" not in said:
        raise Fault(f"exit code {host.returncode}: {said!r}")
    return said.strip().removeprefix("paretofl: ")


KINDS = (hosts, server, federate, lines, repeats, stragglers, stops, disks, absences, copies, strangers)
SETUP = {"clients": 5, "cohort": 4, "rounds": ROUNDS, "every": 5}
