"""Parties of a problem of one's own: each process has one client's data, and the parameters are those of a simulation."""

import subprocess
import sys
import textwrap

import pytest

import paretofl

torch = pytest.importorskip("torch")

PROGRAM = textwrap.dedent('''
    import sys
    import torch
    import paretofl
    import paretofl.torch

    def data(client):
        generator = torch.Generator().manual_seed(client)
        inputs = torch.randn(20 + client, 3, generator=generator)
        return inputs, inputs.sum(1, keepdim=True), inputs[:, :1] - client

    def problem(clients):
        torch.manual_seed(1)
        model = torch.nn.Sequential(torch.nn.Linear(3, 8), torch.nn.Tanh(), torch.nn.Dropout(0.2), torch.nn.Linear(8, 2))
        return paretofl.torch.Problem(
            model, {"sum": lambda out, batch: (out[:, :1] - batch[1]).square().mean(), "first": lambda out, batch: (out[:, 1:] - batch[2]).square().mean()},
            clients=clients, num_clients=None if isinstance(clients, list) else 3, test=data(9), batch_size=8)

    STRATEGY = {"name": "fedcmoo", "cohort_size": 2, "local_steps": 3}

    if __name__ == "__main__":
        client = int(sys.argv[1])
        paretofl.host(problem({client: data(client)}), strategy=STRATEGY, seed=4, socket=sys.argv[2], state=sys.argv[3])
''')


@pytest.fixture
def program(tmp_path, monkeypatch):
    (tmp_path / "party_problem.py").write_text(PROGRAM)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(tmp_path)
    yield __import__("party_problem")
    sys.modules.pop("party_problem", None)


def test_parties_have_the_parameters_of_a_simulation(program, tmp_path):
    alone = paretofl.run(program.problem([program.data(client) for client in range(3)]), strategy=program.STRATEGY, seed=4, rounds=3, directory="alone")
    hosts = [subprocess.Popen([sys.executable, "party_problem.py", str(client), f"socket-{client}", f"state-{client}"]) for client in range(3)]
    try:
        server = program.problem({})
        sockets = {"runtime.name": "sockets", "runtime.sockets": "socket-{client}", "runtime.reconnect_seconds": 60.0}
        together = paretofl.run(server, strategy=program.STRATEGY, seed=4, rounds=3, directory="together", options=sockets)
        assert together.summary["parameters_sha256"] == alone.summary["parameters_sha256"]
        assert together.summary["test"] == alone.summary["test"]
        for host in hosts:
            host.kill()
            host.wait()
        hosts = [subprocess.Popen([sys.executable, "party_problem.py", str(client), f"socket-{client}", f"state-{client}"]) for client in range(3)]
        further = paretofl.run(server, resume="together", rounds=5, options=sockets)
        longer = paretofl.run(program.problem([program.data(client) for client in range(3)]), resume="alone", rounds=5)
        assert further.summary["parameters_sha256"] == longer.summary["parameters_sha256"]
    finally:
        for host in hosts:
            host.terminate()
            assert host.wait(60) == 0


def test_what_a_party_must_have_is_one_error(program, tmp_path):
    with pytest.raises(paretofl.Error, match=r"own_clients\(\) == \[k\], the data of one client, found None"):
        paretofl.host(program.problem([program.data(0)] * 3), strategy="fedavg", socket="s", state="t")
    with pytest.raises(paretofl.Error, match=r"the data of one client, found \[\]"):
        paretofl.host(program.problem({}), strategy="fedavg", socket="s", state="t")
    with pytest.raises(paretofl.Error, match="one client below 3 at most in a dictionary"):
        program.problem({0: program.data(0), 1: program.data(1)})
    with pytest.raises(paretofl.Error, match="one client below 3 at most in a dictionary"):
        program.problem({3: program.data(0)})
    with pytest.raises(paretofl.Error, match="expected the server, whose data this process has"):
        paretofl.run(program.problem({}), strategy="fedavg", rounds=1, directory="r", options={"min_reply_fraction": 1.0, "max_abandoned_rounds": 1})
