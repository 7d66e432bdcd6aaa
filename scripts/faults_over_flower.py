"""Faults of federations over Flower (scripts/check_federation.py). Each takes a FlowerFederation and a random generator."""

import json
import re
import shutil
import signal
import subprocess

from faults_over_sockets import refusal_of_host, stranger
from federation_scene import LIMIT, REFUSED, Fault, Outcome, kill
from flower_federation import FLOWER, FlowerFederation, deployment, end_group, last_line, pause, run

Federation = FlowerFederation
SETUP = {"clients": 2, "cohort": 2, "rounds": 2, "every": 1}
DEADLINE = 30.0  # seconds, several times what an undisturbed exchange takes


def missing(kinds, isolated):
    """What these faults need that is not there."""
    if not (FLOWER / "bin/flower-superlink").exists():
        return f"Flower and the package in {FLOWER}, which `make flower` installs"
    programs = ("openssl", "ssh-keygen", *(("ip", "tc", "nsenter") if "links" in kinds else ()))
    absent = [name for name in programs if not shutil.which(name, path="/usr/sbin:/usr/bin:/sbin:/bin")]
    if absent:
        return f"the programs {', '.join(absent)}"
    return "" if isolated or "links" not in kinds else "root and namespaces for the kind links"


def flower_hosts(federation, rng):
    """kill -9 of hosts behind their SuperNodes, which start again a moment later"""
    federation.deploy()
    federation.start_app()
    struck = []
    for _ in range(rng.randint(1, 3)):
        federation.expect_rounds(rng.randint(0, 1))
        pause(rng, 5)
        clients = rng.choice([[0], [1], [0, 1]])
        struck.append(f"clients {clients} {federation.when()}")
        for client in clients:
            kill(federation.hosts[client])
        pause(rng, 1)
        for client in clients:
            federation.start_host(client)
    federation.expect_success()
    return Outcome(federation.judge(), "kill -9 of " + ", then ".join(struck), federation.left_out())


def flower_server(federation, rng):
    """kill -9 of the process of the ServerApp; the run goes on with resume=true"""
    federation.deploy()
    federation.start_app()
    federation.expect_rounds(rng.randint(0, 1))
    pause(rng, 5)
    pid = federation.pid_of_server()
    struck = f"kill -9 of the ServerApp {federation.when()}"
    if pid:
        run("kill", "-9", str(pid))
    federation.start_app_again()
    federation.expect_success()
    said = f"Flower's list of runs: {', '.join(federation.statuses())}"
    return Outcome(federation.expect_same(), struck, said)


def superlink(federation, rng):
    """kill -9 of the SuperLink with all that it runs; it starts again, the SuperNodes come back, the run goes on with resume=true"""
    federation.deploy()
    federation.start_app()
    federation.expect_rounds(rng.randint(0, 1))
    pause(rng, 5)
    struck = f"kill -9 of the SuperLink {federation.when()}"
    federation.kill_all_of("superlink")
    federation.deployment.start_superlink()
    federation.start_app_again()
    federation.expect_success()
    return Outcome(federation.judge(), struck, f"Flower's list of runs: {', '.join(federation.statuses())}")


def supernodes(federation, rng):
    """kill -9 of a SuperNode, which is started again until Flower takes it back"""
    federation.deploy()
    federation.start_app()
    federation.expect_rounds(rng.randint(0, 1))
    pause(rng, 5)
    party, starts = rng.randrange(2), 0
    name = f"supernode-{party}"
    struck = f"kill -9 of SuperNode {party} {federation.when()}"
    federation.kill_all_of(name)

    def start_again():
        nonlocal starts
        if federation.process(name).poll() is not None:
            starts += 1
            federation.start_supernode(party)

    error = federation.error(start_again)
    if error and f"checkpoint: expected client {party}" in error:  # the run can't go on without its state
        struck += f"; {error}; resume=true"
        federation.start_app_again()
        error = federation.error(start_again)
    if error:
        raise Fault(f"expected a run without an error, found: {error}")
    return Outcome(federation.judge(absent=party), struck, f"{federation.left_out()}; started again {starts} times")


def supernode_stops(federation, rng):
    """SIGSTOP of a SuperNode and what it runs for longer than the deadline"""
    federation.set_deadline(DEADLINE)
    federation.deploy()
    federation.start_app()
    federation.expect_begin()
    federation.expect_rounds(rng.randint(0, 1))
    party = rng.randrange(2)
    struck = f"SIGSTOP of SuperNode {party} {federation.when()}"
    process = federation.process(f"supernode-{party}")
    end_group(process, signal.SIGSTOP)
    done = federation.rounds()
    federation.expect_rounds(done + 1)
    struck += f", SIGCONT {federation.when()}"
    end_group(process, signal.SIGCONT)
    error = federation.error()
    if error and "checkpoint: expected" not in error:
        raise Fault(f"expected a run without an error, found: {error}")
    if error:
        struck += f"; {error}; resume=true"
        federation.start_app_again()
        federation.expect_success()
    for row in federation.rows():
        if row["late"] != sum("late" in failure["reason"] for failure in row["failures"]):
            raise Fault(f"late: {row['late']} in a row with the failures {row['failures']}")
    return Outcome(federation.judge(), struck, federation.left_out())


def links(federation, rng):
    """the network between a SuperNode and the SuperLink, in namespaces of their own, drops packets, has no route, or is slow"""
    federation.deploy(networks=True)
    federation.start_app()
    struck = []
    party = rng.randrange(2)
    network = federation.networks[f"supernode-{party}"]
    for _ in range(2):
        federation.expect_rounds(rng.randint(0, 1))
        pause(rng, 4)
        what = rng.choice(["drops packets", "has no route", "is slow"])
        struck.append(f"{what} {federation.when()}")
        if what == "drops packets":
            run("ip", "link", "set", network.port, "down")
            pause(rng, 10)
            run("ip", "link", "set", network.port, "up")
        elif what == "has no route":
            network.inside("ip", "route", "add", "unreachable", f"{network.ADDRESS}/32")
            pause(rng, 10)
            network.inside("ip", "route", "delete", "unreachable", f"{network.ADDRESS}/32")
        else:  # packets wait in a queue for seconds
            rate = f"{rng.choice([32, 64, 128])}kbit"
            for ends in (lambda *words: run("tc", "qdisc", *words, "dev", network.port, "root", *shape),
                         lambda *words: network.inside("tc", "qdisc", *words, "dev", "eth0", "root", *shape)):
                shape = ["tbf", "rate", rate, "burst", "4kb", "latency", "20s"]
                ends("add")
    federation.expect_success()
    return Outcome(federation.judge(absent=party), f"the link of SuperNode {party} " + ", then ".join(struck), federation.left_out())


def flower_strangers(federation, rng):
    """a party whose host has another engine, other options, another split, another seed, another client's data, or no data"""
    client = rng.randrange(2)
    kinds = [what for what in ("engine", "strategy", "split", "client", "seed", "empty") if what != "engine" or federation.problem.older_engine]
    what = kinds[federation.number % len(kinds)]
    federation.deploy(but=client)
    federation.start_host(client, **stranger(federation.problem, what, client))
    struck = f"client {client} with another {what}" if what != "empty" else f"client {client} without data"
    if what in ("seed", "client", "empty"):
        return Outcome(REFUSED, struck, refusal_of_host(federation, client))
    federation.expect_socket(client)
    federation.start_app()
    error = federation.error()
    if f"client {client}: expected" not in error or "found" not in error or federation.rounds():
        raise Fault(f"{what}: {error or 'a run with a stranger'}")
    return Outcome(REFUSED, struck, error)


def keys(federation, rng):
    """a SuperNode with a key that nobody has registered, without a key, in plain text against TLS, or that trusts another authority"""
    federation.deploy(supernodes=False)
    party, folder = rng.randrange(2), federation.folder / "flower"
    what = ("a rogue key", "no key", "plain text", "another authority")[federation.number % 4]
    words = ["--root-certificates", "ca.crt", "--auth-supernode-private-key", federation.deployment.key_of(party)]
    if what == "a rogue key":
        run("ssh-keygen", "-q", "-t", "ecdsa", "-b", "384", "-N", "", "-C", "", "-f", str(folder / "rogue.key"))
        words[-1] = "rogue.key"
    elif what == "no key":
        words = words[:2]
    elif what == "plain text":
        words = ["--insecure"]
    else:
        run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1", "-subj", "/CN=other",
            "-keyout", str(folder / "other.key"), "-out", str(folder / "other.crt"))
        words[1] = "other.crt"
    federation.deployment.start("stranger", "flower-supernode", "--superlink", f"127.0.0.1:{federation.deployment.port}", *words, "--port",
                                str(deployment.free_port()), "--node-config", f'clients="{party}" sockets="{federation.folder}/s{{client}}"')
    process = federation.process("stranger")
    try:
        code = process.wait(LIMIT if what != "plain text" else 30)
    except subprocess.TimeoutExpired:
        if what != "plain text":
            raise Fault(f"{what}: a SuperNode that stays: {last_line(folder / 'stranger.log')}") from None
        code = None  # one that speaks no TLS tries for ever to be heard
    nodes = json.loads(federation.deployment.command("flwr", "supernode", "list", "loopback", "--format", "json")).get("nodes", [])
    if code == 0 or any(node.get("status") == "online" for node in nodes):
        raise Fault(f"{what}: exit code {code}, nodes {nodes}")
    ended = "still trying after 30 s" if code is None else f"exit code {code}"
    return Outcome(REFUSED, f"SuperNode {party} with {what}", f"{ended}: {reason_in(folder / 'stranger.log')}")


def reason_in(log):
    """The line of a SuperNode's log that says why it ends."""
    lines = [re.sub(r"\x1b\[[0-9;]*m", "", line).strip() for line in log.read_text(errors="replace").splitlines()]
    telling = [line for line in lines if re.search(r"error|fail|refus|invalid|denied|unauth|verif|not ", line, re.IGNORECASE)]
    return (telling or [line for line in lines if line] or ["nothing"])[-1]


KINDS = (flower_hosts, flower_server, superlink, supernodes, supernode_stops, links, flower_strangers, keys)
