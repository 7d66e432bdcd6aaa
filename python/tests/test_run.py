import json
import os
import resource
import signal
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest

import paretofl


def command(*arguments):
    return subprocess.run([sys.executable, "-m", "paretofl.command", *arguments], check=True, capture_output=True, text=True).stdout


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def test_a_preset_has_the_commands_bits(tmp_path):
    run = paretofl.run("fedcmoo-quadratics", rounds=6, seed=3, threads=2, directory=tmp_path / "python")
    printed = command("run", "fedcmoo-quadratics", "--set", "rounds=6", "--set", "seed=3", "--dir", str(tmp_path / "command"), "--json")
    assert run.summary["parameters_sha256"] == json.loads(printed)["parameters_sha256"]
    assert [row["round"] for row in run.metrics] == [1, 2, 3, 4, 5, 6]
    assert run.parameters.dtype == np.float32


def test_a_dictionary_a_file_and_options_say_the_same(tmp_path):
    config = {"workload": {"name": "quadratics", "clients": 12}, "strategy": {"name": "fsmgda"}, "rounds": 4, "seed": 2}
    file = tmp_path / "config.toml"
    file.write_text('workload.name = "quadratics"\nstrategy = "fedavg"\n')
    first = paretofl.run(config, directory=tmp_path / "first")
    second = paretofl.run(file, strategy="fsmgda", rounds=4, seed=2, options={"workload.clients": 12}, directory=tmp_path / "second")
    assert first.summary["parameters_sha256"] == second.summary["parameters_sha256"]


@pytest.mark.parametrize("strategy, steps", [("fedavg", 10), ({"name": "fsmgda", "local_steps": 3}, 3)])
def test_a_strategy_takes_the_place_of_a_presets_or_a_files(tmp_path, strategy, steps):
    file = tmp_path / "config.toml"
    file.write_text('workload = "quadratics"\n[strategy]\nname = "fedcmoo"\nserver_lr = 1.5\n')
    for config in ("fedcmoo-quadratics", file):
        run = paretofl.run(config, strategy=strategy, rounds=2, directory=tmp_path / "run", overwrite=config == file)
        assert run.config["strategy"]["name"] == (strategy if isinstance(strategy, str) else strategy["name"])
        assert run.config["strategy"]["local_steps"] == steps


def test_a_run_counts_its_own_cpu_seconds_alone(tmp_path):
    for name in ("one", "two"):
        before = cpu_seconds()
        run = paretofl.run("fedcmoo-quadratics", rounds=2, directory=tmp_path / name)
        assert 0 < run.summary["cpu_seconds"] <= cpu_seconds() - before


def test_resuming_goes_on_as_if_nothing_had_happened(tmp_path, two_targets):
    whole = paretofl.run(two_targets(), strategy="fedcmoo", rounds=9, directory=tmp_path / "whole")
    paretofl.run(two_targets(), strategy="fedcmoo", rounds=4, directory=tmp_path / "part")
    resumed = paretofl.run(two_targets(), resume=tmp_path / "part", rounds=9, threads=2)
    assert whole.summary["parameters_sha256"] == resumed.summary["parameters_sha256"]


def test_another_problem_cannot_resume_a_run(tmp_path, two_targets):
    paretofl.run(two_targets(), strategy="fedcmoo", rounds=2, directory=tmp_path / "run")
    with pytest.raises(paretofl.Error, match="expected the problem of this run"):
        paretofl.run(two_targets(clients=5), resume=tmp_path / "run", rounds=4)
    with pytest.raises(paretofl.Error, match="hand it to paretofl.run"):
        paretofl.run(resume=tmp_path / "run", rounds=4)


def test_every_strategy_with_gradients_trains_a_problem(tmp_path, two_targets):
    for strategy in ["fedavg", "fedprox", "fsmgda", "fedcmoo", "firm", "fedcmoo_a", "tfirm"]:
        run = paretofl.run(two_targets(), strategy=strategy, rounds=60, directory=tmp_path / strategy)
        assert sum(run.summary["test"]["loss"].values()) < 0.98 * sum(two_targets().evaluate(np.zeros(3))["loss"]), strategy
        assert run.parameters.shape == (3,)


@pytest.mark.parametrize("strategy", ["single_objective", "fedcmoo_pref", "fedcmoo_theory", "fedmoa", "fedgrpo"])
def test_other_strategies_train_a_problem_without_failures(tmp_path, two_targets, strategy):
    run = paretofl.run(two_targets(), strategy=strategy, rounds=10, directory=tmp_path / "run")
    assert not any(row["failures"] for row in run.metrics)
    assert np.all(np.isfinite(run.parameters)) and np.any(run.parameters)


def test_one_run_of_pareto_manifold_has_a_front(tmp_path, two_targets):
    run = paretofl.run(two_targets(noise=0), strategy="pareto_manifold", rounds=200, directory=tmp_path / "run",
                       options={"strategy.local_steps": 2})
    front = run.front()
    assert [row["preference"] for row in front] == [[0, 1], [0.25, 0.75], [0.5, 0.5], [0.75, 0.25], [1, 0]]
    first, second = run.objectives
    assert all(a[first] > b[first] and a[second] < b[second] for a, b in zip(front, front[1:]))
    one = run.evaluate(preference=[1, 3])
    assert one["test"]["loss"] == {name: front[1][name] for name in run.objectives}
    exported = np.load(run.export(tmp_path / "model.npz", format="numpy", preference=[1, 3]))
    assert sum(part.size for part in exported.values()) == 3
    assert run.parameters.shape == (2, 3)
    with pytest.raises(paretofl.Error, match="expected 2 numbers"):
        run.export(tmp_path / "model.npz", format="numpy", preference=[1])


@pytest.mark.parametrize("strategy", ["fedpref", "cfl", "matfl", "no_communication"])
def test_personalized_strategies_give_every_client_a_model(tmp_path, two_targets, strategy):
    run = paretofl.run(two_targets(noise=0), strategy=strategy, rounds=60, directory=tmp_path / "run")
    assert run.parameters.shape == (4, 3)
    if strategy == "no_communication":
        np.testing.assert_allclose(run.parameters, two_targets().targets.mean(axis=1), atol=0.05)


def test_a_callback_sees_every_round_and_may_end_the_run(tmp_path, two_targets):
    class Enough(Exception):
        pass

    seen = []

    def after_round(row):
        seen.append(row["round"])
        if row["round"] == 3:
            raise Enough

    with pytest.raises(Enough):
        paretofl.run(two_targets(), strategy="fedavg", rounds=8, directory=tmp_path / "run", callbacks=after_round)
    assert seen == [1, 2, 3]
    resumed = paretofl.run(two_targets(), resume=tmp_path / "run")
    whole = paretofl.run(two_targets(), strategy="fedavg", rounds=8, directory=tmp_path / "whole")
    assert resumed.summary["parameters_sha256"] == whole.summary["parameters_sha256"]


def test_ctrl_c_leaves_a_checkpoint_and_raises_keyboard_interrupt(tmp_path, two_targets):
    def interrupt(row):
        if row["round"] == 2:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt, match="resume"):
        paretofl.run(two_targets(), strategy="fedavg", rounds=6, directory=tmp_path / "run", callbacks=interrupt)
    assert len(paretofl.run(two_targets(), resume=tmp_path / "run").metrics) == 6


def test_ctrl_c_in_the_main_thread_reaches_it_and_the_run_of_another(tmp_path, two_targets):
    ends = []

    def interrupt(row):
        if row["round"] == 2:
            os.kill(os.getpid(), signal.SIGINT)

    def train():
        try:
            paretofl.run(two_targets(), strategy="fedavg", rounds=10**7, directory=tmp_path / "run", callbacks=interrupt)
        except BaseException as end:
            ends.append(end)

    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell has programs in the background ignore it
    thread = threading.Thread(target=train)
    with pytest.raises(KeyboardInterrupt):
        thread.start()
        thread.join()
    thread.join()
    assert isinstance(ends[0], paretofl.Error) and "found an interrupt; the run in" in str(ends[0]) and "has a checkpoint; go on with" in str(ends[0])
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    rounds = len(paretofl.Run(tmp_path / "run", two_targets()).metrics)
    assert len(paretofl.run(two_targets(), resume=tmp_path / "run", rounds=rounds + 1).metrics) == rounds + 1


def test_kill_at_any_moment_and_resume(tmp_path):
    script = textwrap.dedent("""
        import os, signal, sys
        sys.path.insert(0, sys.argv[1])
        from conftest import TwoTargets
        import paretofl
        def kill(row):
            if row["round"] == int(sys.argv[3]):
                os.kill(os.getpid(), signal.SIGKILL)
        paretofl.run(TwoTargets(), strategy="fedcmoo", rounds=12, directory=sys.argv[2], callbacks=kill, options={"checkpoint.every": 3})
    """)
    from conftest import TwoTargets

    whole = paretofl.run(TwoTargets(), strategy="fedcmoo", rounds=12, directory=tmp_path / "whole", options={"checkpoint.every": 3})
    for moment in (2, 5, 9):
        folder = tmp_path / f"killed{moment}"
        ended = subprocess.run([sys.executable, "-c", script, os.path.dirname(__file__), str(folder), str(moment)], capture_output=True)
        assert ended.returncode == -signal.SIGKILL
        resumed = paretofl.run(TwoTargets(), resume=folder)
        assert resumed.summary["parameters_sha256"] == whole.summary["parameters_sha256"]


def test_rows_become_a_data_frame(tmp_path, two_targets):
    pandas = pytest.importorskip("pandas")
    frame = paretofl.run(two_targets(), strategy="fedavg", rounds=3, directory=tmp_path / "run").metrics.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and len(frame) == 3 and "test.loss.first" in frame


@pytest.mark.parametrize("arguments, message", [
    (dict(), "found none"),
    (dict(config="fedcmoo-quadratics", resume="somewhere"), "both"),
    (dict(config="no-such-preset"), "no-such-preset"),
    (dict(config="/nowhere/config.toml"), "config.toml"),
    (dict(config=3), "found int"),
    (dict(config={"workload": "quadratics"}), "strategy"),
    (dict(config={"workload": "quadratics", "strategy": "fedavg", "colour": "red"}), "colour"),
    (dict(config={"workload": {"name": "quadratics", "clients": object()}, "strategy": "fedavg"}), "clients"),
    (dict(config={"workload": "quadratics", "strategy": "fedavg", "rounds": 2**80}), "64 bits"),
    (dict(config="fedcmoo-quadratics", strategy={"local_steps": 3}), "with a name"),
    (dict(config="fedcmoo-quadratics", rounds=-1), "rounds"),
    (dict(config="fedcmoo-quadratics", options={"strategy.nothing": 1}), "nothing"),
    (dict(config="fedcmoo-quadratics", options={"seed": {}}), "seed"),
    (dict(resume="/nowhere"), "/nowhere"),
])
def test_wrong_arguments_are_one_error(tmp_path, arguments, message):
    if "resume" not in arguments:
        arguments = {**arguments, "directory": tmp_path / "run"}
    with pytest.raises(paretofl.Error, match=message):
        paretofl.run(**arguments)


def test_a_line_that_is_being_written_is_no_round_yet(tmp_path, two_targets):
    run = paretofl.run(two_targets(), strategy="fedavg", rounds=3, directory=tmp_path / "run")
    rows, file = run.metrics, tmp_path / "run" / "metrics.jsonl"
    whole = file.read_text()
    file.write_text(whole[:-20])
    assert run.metrics == rows[:2]
    file.write_text(whole.replace("{", "[", 1))
    with pytest.raises(paretofl.Error, match="metrics.jsonl: expected JSON, found none"):
        run.metrics


def test_the_command_says_how_python_continues_what_python_began(tmp_path, two_targets):
    done = paretofl.run(two_targets(), strategy="fedavg", rounds=1, directory=tmp_path / "run", progress=False)
    swept = paretofl.sweep(two_targets(), strategy="fedavg", rounds=1, seeds=[1], directory=tmp_path / "sweep", progress=False)
    for arguments, function in ((("run", "--resume", done.directory), f'run(problem, resume="{done.directory}") continues the run'),
                                (("sweep", "--resume", swept.directory), f'sweep(problem, directory="{swept.directory}", resume=True) continues the sweep')):
        ended = subprocess.run([sys.executable, "-m", "paretofl.command", *map(str, arguments)], capture_output=True, text=True)
        assert ended.returncode == 1 and ended.stderr == (
            f"paretofl: {arguments[0]}: expected a workload of this program, found the problem conftest.TwoTargets of Python code; there, paretofl.{function}\n")
    assert paretofl.run(two_targets(), resume=done.directory, rounds=2, progress=False).summary["rounds"] == 2


def test_the_first_figure_that_is_not_finite_is_named_once(tmp_path, two_targets, capfd):
    class Overflows(two_targets):
        def evaluate(self, theta):
            return {"loss": [1.0, np.inf], "norm": np.nan}

    run = paretofl.run(Overflows(), strategy="fedavg", rounds=3, directory=tmp_path / "run", options={"evaluation.every": 1}, progress=False)
    assert capfd.readouterr().err.count("is not finite and is recorded as null") == 1
    assert run.summary["test"]["loss"] == {"first": 1.0, "second": None}


def test_the_place_of_a_figure_that_is_not_finite(tmp_path, two_targets, capfd):
    class Overflows(two_targets):
        def evaluate(self, theta):
            return {"loss": [1.0, np.inf]}

    paretofl.run(Overflows(), strategy="fedavg", rounds=1, directory=tmp_path / "run", progress=False)
    assert "round 1: test/loss/second is not finite and is recorded as null" in capfd.readouterr().err
