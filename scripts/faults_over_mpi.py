"""Faults of MPI jobs (scripts/check_federation.py). Each takes a Federation and a random generator."""

import os
import shutil
import signal
import subprocess
import threading
import time
from pathlib import Path

import fault_scenes
import federation_scene
from federation_scene import COMMAND, REFUSED, Fault, Outcome, send, wait_until

ROUNDS = 400
RANKS = 3
PATIENCE = 20  # seconds for mpirun to end after its ranks
notes = {}  # what is to be told of a job, by its process
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_btl": "self,vader",
               "OMPI_MCA_oob_tcp_if_include": "lo"}  # in a namespace there is no other
SETUP = {"clients": 5, "cohort": 4, "rounds": ROUNDS, "every": 20}


def missing(*_):
    """What these faults need that is not there."""
    return "" if shutil.which("mpirun") else "mpirun"


def job(federation, *more, resume=False, config=None, last=None):
    """A job of RANKS ranks; the last of them is started with other words, where `last` is given."""
    own = ["--resume", "run"] if resume else [str(config or federation.problem.folder / "config.toml"), "--dir", "run"]
    words = [COMMAND, "run", *own, "--set", "runtime.name=mpi", "--set", "runtime.threads=1", *more]
    programs = ["-np", str(RANKS), *words] if last is None else ["-np", str(RANKS - 1), *words, ":", "-np", "1", *last(words)]
    return federation.start(["mpirun", "--oversubscribe", *programs], env=ENVIRONMENT, start_new_session=True)


def rank(process, number):
    """The process id of a rank, once it is there; None where the job has ended."""
    found = []

    def there():
        for pid in children(process.pid):
            try:
                environment = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
            except OSError:
                continue
            if f"OMPI_COMM_WORLD_RANK={number}".encode() in environment:
                found.append(pid)
        return found or process.poll() is not None

    wait_until(there, f"rank {number}")
    return found[0] if found else None


def children(pid):
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def ended(process):
    """As federation_scene's. Now and then mpirun does not end where a rank has aborted the job: PMIx waits for itself after all ranks have
    ended. That is told, and mpirun is killed."""
    ranks_here = children(process.pid)
    gone = threading.Event()

    def watch():
        while ranks_here and process.poll() is None and not gone.wait(0.2):
            if all(state_of(pid) in ("", "Z") for pid in ranks_here) and gone.wait(PATIENCE) is False and process.poll() is None:
                notes[process.pid] = "; mpirun itself did not end after all ranks had"
                process.kill()

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        code, line = federation_scene.ended(process)
    finally:
        gone.set()
        watcher.join()
    return code, line + notes.pop(process.pid, "")


def state_of(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()[0]
    except OSError:
        return ""


def ranks(federation, rng):
    """kill -9 of ranks, of rank 0 too; the job ends and goes on with --resume"""
    process, struck, said = job(federation), [], ""
    for _ in range(rng.randint(1, 2)):
        federation.expect_round(rng.choice([0, 1, rng.randint(1, ROUNDS - 50)]), process)
        victim = rng.randrange(RANKS)
        pid = rank(process, victim)
        struck.append(f"rank {victim} {federation.when(process)}")
        send(pid, signal.SIGKILL)
        code, line = ended(process)
        if code == 0 and federation.rounds() < ROUNDS:
            raise Fault(f"exit code 0 after {federation.rounds()} rounds")
        said = line or said
        process = federation.go_on(lambda whole: job(federation, resume=whole))
    code, line = ended(process)
    if code != 0:
        raise Fault(f"exit code {code}: {line}")
    return Outcome(federation.expect_same(), "kill -9 of " + ", then ".join(struck), said)


def rank_stops(federation, rng):
    """SIGSTOP of a rank for longer than the deadline, for a while or for good; of rank 0 for a while"""
    victim, for_good = rng.choice([(0, False), (1, False), (2, False), (1, True), (2, True)])
    process = job(federation, "--set", "runtime.deadline_seconds=0.2", "--set", "runtime.patience_seconds=20")
    federation.expect_round(rng.randint(1, ROUNDS - 100), process)
    pid, struck = rank(process, victim), f"SIGSTOP of rank {victim} {federation.when(process)}"
    send(pid, signal.SIGSTOP)
    if victim == 0:
        time.sleep(0.5)
    elif not for_good:
        federation.expect_round(federation.rounds() + 5, process)
    if not for_good:
        struck += f", SIGCONT {federation.when(process)}"
        send(pid, signal.SIGCONT)
    code, line = ended(process)
    if code == 1 and "abandoned in a row" in line:  # a busy machine may make everybody late
        struck += f"; exit code 1 ({line}), --resume"
        code, line = ended(job(federation, resume=True))
    silent = for_good and f"rank {victim} is silent" in line  # its results are there
    if code != 0 and not silent:
        raise Fault(f"exit code {code}: {line}")
    for row in federation.rows():
        if row["late"] != sum("late" in failure["reason"] for failure in row["failures"]):
            raise Fault(f"late: {row['late']} in a row with the failures {row['failures']}")
    return Outcome(federation.judge(), struck + (", for good" if for_good else ""),
                   f"{federation.left_out()}{'; exit code ' + str(code) + ': ' + line if code else ''}")


def rank_strangers(federation, rng):
    """a rank with another engine, other options, another config or other data files"""
    what = rng.choice(["engine", "option", "seed", "data"] if federation.problem.older_engine else ["option", "seed", "data"])
    config = None
    if what == "engine":
        process = job(federation, last=lambda words: ["env", f"LD_LIBRARY_PATH={federation.problem.older_engine}", *words])
    elif what == "data":
        config = federation.folder / "table.toml"
        config.write_text(fault_scenes.TABLE.replace("runtime.threads = 1\n", ""))
        for name in ("data", "other"):
            fault_scenes.write_table(federation.folder / name)
        changed = federation.folder / "other/clients/c1.csv"
        changed.write_text(changed.read_text() + changed.read_text().splitlines()[-1] + "\n")
        process = job(federation, config=config, last=lambda words: [*words, "--set", "data.root=other"])
    else:
        setting = {"option": "strategy.client_lr=0.0123", "seed": "seed=8"}[what]
        process = job(federation, last=lambda words: [*words, "--set", setting])
    try:
        _, output = process.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        process.kill()
        raise Fault("no end within 60 s") from None
    lines = [line.removeprefix("paretofl: ") for line in output.splitlines() if f"rank {RANKS - 1}: expected" in line and "found" in line]
    if process.returncode == 0 or not lines or federation.rounds():
        raise Fault(f"{what}: exit code {process.returncode}: {output}")
    return Outcome(REFUSED, f"rank {RANKS - 1} with another {what}", lines[0])


KINDS = (ranks, rank_stops, rank_strangers)
