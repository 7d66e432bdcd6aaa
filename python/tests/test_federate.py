"""Whole federations of a problem of one's own: the parameters are those of a simulation, and each process has its own folder alone."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import paretofl

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FLOWER = pathlib.Path(os.environ.get("PARETOFL_FLOWER", ROOT / "build/flower"))
STRATEGY = {"name": "fedcmoo", "cohort_size": 2, "local_steps": 3}

PROGRAM = textwrap.dedent(r'''
    import numpy as np
    import paretofl

    class Targets(paretofl.Problem):
        """Each client draws theta to two targets of its own."""

        def __init__(self, targets, own):
            self.targets, self.own = targets, own

        def num_clients(self):
            return 3

        def own_clients(self):
            return self.own

        def objectives(self):
            return ["first", "second"]

        def initial_parameters(self):
            return np.zeros(4, np.float32)

        def gradients(self, client, theta, draw):
            noise = np.random.Generator(np.random.Philox(draw.seed)).normal(size=(2, 4))
            distance = theta.astype(np.float64) - self.targets[client]
            return 0.5 * (distance**2).sum(axis=1), distance + 0.1 * noise

        def evaluate(self, theta):
            return {"norm": float(np.linalg.norm(theta))}

    def make_problem(folder, client):
        with open(folder / "made_for", "a") as file:
            file.write(f"{client}\n")
        targets = {} if client is None else {client: np.loadtxt(folder / "targets.txt")}
        return Targets(targets, [] if client is None else [client])

    def of_all(folder, client):
        return Targets({}, None)

    def something_else(folder, client):
        return 3

    def fails_at_one(folder, client):
        if client == 1:
            raise paretofl.Error("targets.txt: expected 2 rows, found none")
        return make_problem(folder, client)
''').replace("\\\\n", "\\n")


@pytest.fixture
def program(tmp_path, monkeypatch):
    (tmp_path / "targets_problem.py").write_text(PROGRAM)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folders/server").mkdir(parents=True)
    for client in range(3):
        (tmp_path / f"folders/client-{client}").mkdir()
        np.savetxt(tmp_path / f"folders/client-{client}/targets.txt", np.random.default_rng(client).normal(size=(2, 4)))
    yield __import__("targets_problem")
    sys.modules.pop("targets_problem", None)


def simulation(program):
    return program.Targets([np.loadtxt(f"folders/client-{client}/targets.txt") for client in range(3)], None)


def test_a_federation_has_the_parameters_of_a_simulation_and_each_party_its_folder(program, tmp_path):
    alone = paretofl.run(simulation(program), strategy=STRATEGY, seed=4, rounds=3, directory="alone")
    how = {"strategy": STRATEGY, "seed": 4, "directory": "together", "carrier": "sockets"}
    together = paretofl.federate(program.make_problem, "folders", rounds=3, **how)
    assert together.summary["parameters_sha256"] == alone.summary["parameters_sha256"]
    assert together.summary["test"] == alone.summary["test"]
    for name, owner in {"server": "None", "client-0": "0", "client-1": "1", "client-2": "2"}.items():
        assert (tmp_path / "folders" / name / "made_for").read_text() == f"{owner}\n"
    longer = paretofl.run(simulation(program), resume="alone", rounds=5)
    further = paretofl.federate(program.make_problem, "folders", rounds=5, resume=True, **how)
    assert further.summary["parameters_sha256"] == longer.summary["parameters_sha256"]


def test_wrong_uses_are_one_error(program):
    def federate(make_problem=program.make_problem, folders="folders", **more):
        return paretofl.federate(make_problem, folders, **{"strategy": STRATEGY, "rounds": 1, "directory": "r", "carrier": "sockets", **more})

    with pytest.raises(paretofl.Error, match="expected a function at the top of a Python file, .* found <function .*lambda"):
        federate(lambda folder, client: None)
    with pytest.raises(paretofl.Error, match="expected a function at the top of a Python file"):
        federate(3)
    with pytest.raises(paretofl.Error, match=r"expected a problem with own_clients\(\) == \[\] from of_all\(.*, None\), found None"):
        federate(program.of_all)
    with pytest.raises(paretofl.Error, match="expected a paretofl.Problem from something_else, found int"):
        federate(program.something_else)
    with pytest.raises(paretofl.Error, match="client 1: expected its process to start, found: targets.txt: expected 2 rows, found none"):
        federate(program.fails_at_one)
    with pytest.raises(paretofl.Error, match="expected a party's folder .*nowhere/server, found none"):
        federate(folders="nowhere")
    with pytest.raises(paretofl.Error, match="carrier: expected flower or sockets, found 'pigeons'"):
        federate(carrier="pigeons")
    with pytest.raises(paretofl.Error, match="expected 1 to 3 parties, found 4"):
        federate(parties=4)
    with pytest.raises(paretofl.Error, match="expected a strategy and options that JSON can hold"):
        federate(options={"strategy.local_steps": {1, 2}})
    for key in ("runtime.name", "runtime.sockets"):
        with pytest.raises(paretofl.Error, match=f"expected no option {key}, which it sets itself, found 'threads'"):
            federate(options={key: "threads"})
    with pytest.raises(paretofl.Error, match="expected a run in .*/r to go on with, found none"):
        federate(resume=True)
    federate()
    for name, other, found in [("seed", 2, "None, found 2"), ("strategy", "fedavg", "{.*}, found 'fedavg'"),
                               ("options", {"evaluation.every": 2}, "{}, found {'evaluation.every': 2}")]:
        with pytest.raises(paretofl.Error, match=f"expected the {name} that the federation began with, {found}"):
            federate(resume=True, rounds=2, **{name: other})
    with pytest.raises(paretofl.Error, match="expected resume=True or overwrite=True, found both"):
        federate(resume=True, overwrite=True)
    with pytest.raises(paretofl.Error, match="expected no run in .*, found one; use resume=True or overwrite=True"):
        federate()
    federate(overwrite=True)
    (pathlib.Path("folders/client-2/targets.txt")).unlink()
    pathlib.Path("folders/client-2/made_for").unlink()
    pathlib.Path("folders/client-2").rmdir()
    with pytest.raises(paretofl.Error, match="expected a party's folder .*client-2, found none"):
        federate(overwrite=True)


def test_an_interrupt_over_sockets_names_what_goes_on(program, monkeypatch):
    def evaluate(self, theta):
        os.kill(os.getpid(), signal.SIGINT)
        return {"norm": 1.0}

    how = {"strategy": STRATEGY, "seed": 4, "directory": "stopped", "carrier": "sockets"}
    with monkeypatch.context() as patched:
        patched.setattr(program.Targets, "evaluate", evaluate)
        with pytest.raises(KeyboardInterrupt, match=r"stopped has a checkpoint; go on with paretofl.federate\(..., directory='.*stopped', resume=True\)"):
            paretofl.federate(program.make_problem, "folders", rounds=50, options={"evaluation.every": 1}, **how)
    done = len(pathlib.Path("stopped/metrics.jsonl").read_text().splitlines())
    assert done < 50
    further = paretofl.federate(program.make_problem, "folders", rounds=done + 1, resume=True, options={"evaluation.every": 1}, **how)
    assert further.metrics[-1]["round"] == done + 1


def test_flower_is_asked_for_by_name_where_it_is_missing(program, monkeypatch):
    monkeypatch.setitem(sys.modules, "flwr", None)
    with pytest.raises(paretofl.Error, match="expected Flower for carrier=.flower. .pip install flwr==1.42.0., found none"):
        paretofl.federate(program.make_problem, "folders", strategy=STRATEGY, rounds=1, directory="r")


def test_settings_that_are_damaged_are_one_error(tmp_path):
    from paretofl.federation_settings import FederationSettings

    for text in ("", "[]", "{}", '{"program": "a.py:f", "strategy": "fedavg", "more": 1}', "3"):
        (tmp_path / "settings.json").write_text(text)
        with pytest.raises(paretofl.Error, match="settings.json: expected the settings of a federation, found"):
            FederationSettings.read(tmp_path / "settings.json")
    with pytest.raises(paretofl.Error, match="expected the settings of a federation"):
        FederationSettings.read(tmp_path / "none.json")


@pytest.mark.skipif(not (FLOWER / "bin/flower-superlink").exists(), reason="needs `make flower`")
def test_the_example_over_flower_has_the_parameters_of_a_simulation(tmp_path):
    def digest(carrier):
        example = ROOT / "examples/federated_module.py"
        subprocess.run([FLOWER / "bin/python", example, tmp_path / carrier, "--carrier", carrier], check=True, stdout=subprocess.DEVNULL)
        return json.loads((tmp_path / carrier / "run/summary.json").read_text())["parameters_sha256"]

    assert digest("flower") == digest("none")
