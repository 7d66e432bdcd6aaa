"""Flower deployments on this machine: how they end, and what they say. Those that need Flower are skipped where `make flower` was not run."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import textwrap

import pytest
from paretofl.flower import deployment

import paretofl

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FLOWER = pathlib.Path(os.environ.get("PARETOFL_FLOWER", ROOT / "build/flower"))
needs_flower = pytest.mark.skipif(not (FLOWER / "bin/flower-superlink").exists(), reason="needs `make flower`")

PROGRAM = textwrap.dedent(r'''
    import json, os, pathlib, sys
    import numpy as np
    import paretofl

    class Target(paretofl.Problem):
        """Each client draws theta to a target; the server tells in each round that it goes on, and waits until somebody has heard it."""

        def __init__(self, own):
            self.own = own

        def num_clients(self):
            return 1

        def own_clients(self):
            return self.own

        def objectives(self):
            return ["first", "second"]

        def initial_parameters(self):
            return np.zeros(3, np.float32)

        def gradients(self, client, theta, draw):
            return np.array([theta.sum(), 1.0]), np.ones((2, 3)) * draw.seed % 7

        def evaluate(self, theta):
            if os.path.exists("news"):
                with open("news", "w") as news:
                    news.write(os.environ["FLWR_HOME"])
            return {"norm": float(np.linalg.norm(theta))}

    def make_problem(folder, client):
        os.chdir(folder.parent.parent)
        return Target([] if client is None else [client])

    if __name__ == "__main__":
        try:
            paretofl.federate(make_problem, "folders", **json.loads(sys.argv[1]))
        except (KeyboardInterrupt, paretofl.Error) as end:
            print(type(end).__name__, end)
            if os.path.exists("news"):  # nobody waits any longer
                os.write(os.open("news", os.O_RDWR | os.O_NONBLOCK), b"none")
''')
HOW = {"strategy": {"name": "fedavg", "cohort_size": 1, "local_steps": 1}, "seed": 4, "directory": "run", "rounds": 30, "options": {"checkpoint.every": 1000, "evaluation.every": 1}}


@pytest.fixture
def begun(tmp_path):
    """A federation over Flower that has done its first round, and Flower's home."""
    (tmp_path / "program.py").write_text(PROGRAM)
    for name in ("server", "client-0"):
        (tmp_path / "folders" / name).mkdir(parents=True)
    os.mkfifo(tmp_path / "news")
    process = subprocess.Popen([FLOWER / "bin/python", "program.py", json.dumps(HOW)], cwd=tmp_path, stdout=subprocess.PIPE, text=True, start_new_session=True)
    home = pathlib.Path((tmp_path / "news").read_text())
    assert home.is_dir(), process.communicate()[0]
    yield process, home
    process.kill()
    process.wait()


def of_home(home):
    """The processes of the deployment that has this home, by number."""
    found = {}
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and f"FLWR_HOME={home}".encode() in (entry / "environ").read_bytes().split(b"\0"):
                found[int(entry.name)] = (entry / "cmdline").read_bytes().decode()
        except OSError:
            pass
    return found


@needs_flower
def test_an_interrupt_ends_the_run_after_its_round_and_every_process(begun, tmp_path):
    process, home = begun
    (tmp_path / "news").unlink()
    process.send_signal(signal.SIGINT)
    said = process.communicate()[0]
    assert said.startswith(f"KeyboardInterrupt the federation in {tmp_path}/run has a checkpoint; go on with paretofl.federate(..., directory=")
    assert not of_home(home) and not home.exists()
    rounds = len((tmp_path / "run/metrics.jsonl").read_text().splitlines())
    assert 1 <= rounds < 30 and list((tmp_path / "run/checkpoints").iterdir())

    def digest(**more):
        subprocess.run([sys.executable, "program.py", json.dumps({**HOW, "rounds": rounds + 1, "carrier": "sockets", **more})], cwd=tmp_path, check=True)
        return json.loads((tmp_path / more.get("directory", "run") / "summary.json").read_text())["parameters_sha256"]

    assert digest(resume=True) == digest(directory="whole")


@needs_flower
def test_the_end_of_a_supernode_ends_every_process(begun, tmp_path):
    process, home = begun
    (tmp_path / "news").unlink()
    os.kill(next(member for member, command in of_home(home).items() if "flower-supernode" in command), signal.SIGKILL)
    said = process.communicate()[0]
    assert said.startswith("Error federate: expected supernode-0 to run, found its end; the last lines of supernode-0.log: ")
    assert not of_home(home) and not home.exists()


def test_processes_in_sessions_of_their_own_end_too(tmp_path):
    os.mkfifo(tmp_path / "news")
    federation = deployment.Deployment(tmp_path, 1)
    deeper = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); open('news', 'w').write('ready'); signal.pause()"
    code = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {deeper!r}], start_new_session=True)"
    federation.end_members = lambda number, seconds, end=federation.end_members: end(number, seconds if number == signal.SIGKILL else 0.2)
    federation.start("superlink", sys.executable, "-c", code)
    assert (tmp_path / "news").read_text() == "ready"
    assert federation.members()
    federation.__exit__()
    assert not federation.members() and not federation.home.exists()


def test_an_early_end_has_the_last_lines_of_its_log(tmp_path):
    federation = deployment.Deployment(tmp_path, 1)
    federation.start("superlink", sys.executable, "-c", "print('one'); print(); print('no such port')")
    federation.processes["superlink"].wait()
    with pytest.raises(deployment.DeploymentError, match=r"expected superlink to run, found its end; the last lines of superlink.log: one \| no such port"):
        federation.expect_alive("superlink")
    federation.__exit__()


def test_settings_reach_flower_whatever_a_folder_is_called():
    tomllib = pytest.importorskip("tomllib", reason="since Python 3.11")
    for name in ('a "b"', "c='d' e=1", "\U0001f600", "back\\slash", "new\nline", "é", "x,y"):
        written = deployment.toml(f"/runs/{name}")
        assert tomllib.loads(f"key = {written}")["key"] == f"/runs/{name}"
        assert written.isascii() and not set(" '=\n") & set(written) and written.count('"') == 2
    assert deployment.toml(True) == "true" and deployment.toml(3) == "3"
    with pytest.raises(deployment.DeploymentError, match="expected names of files and folders in UTF-8"):
        deployment.toml(os.fsdecode(b"/runs/\xff"))


def test_the_number_of_clients_is_the_problems(tmp_path):
    from paretofl.flower.problem_clients import clients_of, expect_clients

    (tmp_path / "config.toml").write_text(f'[strategy]\nname = "fedavg"\n\n[data]\nroot = "{tmp_path}/server"\n')
    with pytest.raises(paretofl.Error, match="expected the server's folder at data.root of .*config.toml, with a problem.json, found"):
        clients_of(str(tmp_path / "config.toml"))
    (tmp_path / "server").mkdir()
    (tmp_path / "server/problem.json").write_text('{"clients": 5}')
    assert clients_of(str(tmp_path / "config.toml")) == 5
    for named in (0, 5):
        expect_clients(named, 5)
    for named in (-2, 1, 6, 2.5, True, "all"):
        with pytest.raises(paretofl.Error, match=f"clients: expected 5, the number of the problem's clients, or none, found {named!r}"):
            expect_clients(named, 5)


def test_without_flower_the_deployment_says_how_to_get_it(tmp_path):
    (tmp_path / "flwr.py").write_text("raise ImportError('broken')")
    words = [sys.executable, "-c", "import importlib.util, sys; find = importlib.util.find_spec; "
             "importlib.util.find_spec = lambda name: None if name == 'flwr' else find(name); "
             "from paretofl.flower.deployment import main; sys.exit(main())",
             "--dir", "run", "--config", "c", "--clients", "1", "--parties", "1", "--sockets", "s"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and done.stderr.count("\n") == 1
    assert "expected Flower (pip install flwr==1.42.0) for " in done.stderr and "--carrier sockets does without" in done.stderr
    assert paretofl.Error  # the package itself needs none


CARRIER = textwrap.dedent('''
    from types import SimpleNamespace as Some
    from flwr.app import ConfigRecord
    from paretofl import _engine
    from paretofl.flower import grid_carrier
    from paretofl.flower.grid_carrier import GridCarrier
    from paretofl.flower.records import packed

    grid_carrier.Message = lambda content, **fields: Some(metadata=Some(**fields))  # Flower's are made within a run of its own

    class Grid:  # of nodes that claim clients, and answer as `answer` says
        def __init__(self, claims, answer=None):
            self.claims, self.answer, self.messages = claims, answer, []

        def get_node_ids(self):
            return list(self.claims)

        def push_messages(self, messages):
            begin = len(self.messages)
            self.messages += messages
            return [str(i) for i in range(begin, len(self.messages))]

        def pull_messages(self, names):
            for name in list(names):
                asked = self.messages[int(name)].metadata
                content = self.claims[asked.dst_node_id] if asked.message_type == "query.clients" else self.answer(asked.dst_node_id)
                yield Some(has_error=lambda: False, content=content, metadata=Some(src_node_id=asked.dst_node_id, reply_to_message_id=name))

    def claim(*clients):
        return {"clients": ConfigRecord({"numbers": list(clients)})}

    grid = Grid({1: claim(0), 2: claim(1), 3: {}}, lambda node: {} if node == 1 else {"replies": packed({1: b"two"}), "errors": {}})
    carrier = GridCarrier(grid, 2, 1.0)
    carrier.join(all_of_them=True)
    print(sorted(carrier([(0, b"?"), (1, b"?")], 5.0)))
    grid.claims[4] = claim(0)
    carrier.look_for_parties(1e12)
    print(sorted(carrier.nodes.items()))
    try:
        GridCarrier(Grid({1: claim(0), 2: claim(0)}), 2, 1.0).join(all_of_them=True)
    except _engine.Error as error:
        print(error)
''')


@needs_flower
def test_the_carrier_takes_a_bad_message_for_its_senders_failure():
    ended = subprocess.run([FLOWER / "bin/python", "-c", CARRIER], capture_output=True, text=True)
    assert ended.stdout.splitlines() == [
        "[(0, 'the party sent a message that cannot be read (KeyError)'), (1, b'two')]",
        "[(0, 1), (1, 2)]",
        "flower: expected one party with client 0, found two",
    ], ended.stderr
    assert "expected the clients' numbers from node 3" in ended.stderr
    assert "found another one, node 4, which is not asked" in ended.stderr
