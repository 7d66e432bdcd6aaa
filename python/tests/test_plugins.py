import json
import os
import subprocess
import sys
import textwrap

import pytest

import paretofl
from paretofl.command import needs_python

PLUGIN = textwrap.dedent("""
    import numpy as np
    import paretofl
    from plugin_neighbour import POWER


    @paretofl.register_solver("plugged")
    class Plugged(paretofl.Solver):
        \"\"\"Weights by powers of the norms.\"\"\"

        def __init__(self, power=POWER):
            self.power = power

        def solve(self, gramian):
            return np.diag(gramian) ** self.power


    @paretofl.register_strategy("plugged_average")
    class PluggedAverage(paretofl.Strategy):
        def run_round(self, round, theta):
            return theta - round.train(np.ones(len(round.objectives))).mean()
""")


@pytest.fixture
def plugin(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "plugin_neighbour.py").write_text("POWER = 0.25\n")
    file = tmp_path / "parts" / "my_parts.py"
    file.write_text(PLUGIN)
    return file


def command(*arguments, cwd, env=None):
    return subprocess.run([sys.executable, "-m", "paretofl.command", *map(str, arguments)], capture_output=True, text=True, cwd=cwd,
                          env={**os.environ, **(env or {})})


def test_the_command_lists_runs_and_resumes_with_a_python_file(tmp_path, plugin):
    listed = command("list", "solvers", "plugged", "--plugin", plugin, cwd=tmp_path)
    assert listed.returncode == 0 and "Weights by powers of the norms" in listed.stdout and f"[plugin {plugin}]" in listed.stdout
    assert "power" in listed.stdout and "0.25" in listed.stdout

    run = command("run", "fedcmoo-quadratics", "--plugin", plugin, "--set", "strategy.solver=plugged", "--set", "rounds=4", "--dir", "run", cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    summary = json.loads((tmp_path / "run" / "summary.json").read_text())
    assert summary["plugins"][0]["file"] == str(plugin) and len(summary["plugins"][0]["sha256"]) == 64
    assert 'plugins = ["my_parts.py"]' in (tmp_path / "run" / "config.toml").read_text().replace("'", '"')

    missing = command("run", "--resume", "run", "--set", "rounds=7", cwd=tmp_path)
    assert missing.returncode == 1 and "expected the plugin my_parts.py to be loaded" in missing.stderr
    resumed = command("run", "--resume", "run", "--set", "rounds=7", "--json", cwd=tmp_path, env={"PARETOFL_PLUGINS": str(plugin)})
    whole = command("run", "fedcmoo-quadratics", f"--plugin={plugin}", "--set", "strategy.solver=plugged", "--set", "rounds=7", "--set",
                    "runtime.threads=1", "--dir", "whole", "--json", cwd=tmp_path)
    assert json.loads(resumed.stdout)["parameters_sha256"] == json.loads(whole.stdout)["parameters_sha256"]


def test_a_sweep_has_the_plugin_in_every_process(tmp_path, plugin):
    sweep = command("sweep", "fedcmoo-quadratics", "--plugin", plugin, "--over", 'strategy.solver="plugged","min_norm"', "--seeds", "1,2", "--set",
                    "rounds=3", "--jobs", "2", "--dir", "sweep", "--json", cwd=tmp_path)
    assert sweep.returncode == 0, sweep.stderr
    assert sum(file.name == "summary.json" for file in (tmp_path / "sweep").rglob("*")) == 4


def test_a_strategy_of_a_plugin_runs(tmp_path, plugin):
    run = command("run", "fedcmoo/fedavg-quadratics", "--plugin", plugin, "--set", "strategy.name=plugged_average", "--set", "rounds=3", "--dir", "run", cwd=tmp_path)
    assert run.returncode == 0, run.stderr


def test_blas_has_one_thread_in_the_command(tmp_path):
    (tmp_path / "counts.py").write_text(textwrap.dedent("""
        import numpy as np
        import paretofl
        from threadpoolctl import threadpool_info

        @paretofl.register_strategy("counts_threads")
        class CountsThreads(paretofl.Strategy):
            def run_round(self, round, theta):
                return theta, {"threads": [library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"]}
    """))
    run = command("run", "fedcmoo/fedavg-quadratics", "--plugin", "counts.py", "--set", "strategy.name=counts_threads", "--set", "rounds=1", "--dir", "run",
                  cwd=tmp_path, env={"OPENBLAS_NUM_THREADS": "2"})
    assert run.returncode == 0, run.stderr
    assert set(json.loads((tmp_path / "run" / "metrics.jsonl").read_text())["metrics"]["threads"]) == {1}


def test_a_file_takes_no_other_modules_name(tmp_path):
    (tmp_path / "installed").mkdir()
    (tmp_path / "installed" / "of_another.py").write_text("WHOSE = 'the other'\n")
    for name in ("wave", "of_another", "of_itself"):  # wave is a module that nothing here has imported
        (tmp_path / f"{name}.py").write_text("NAME = __name__\n")
    script = textwrap.dedent("""
        import sys
        import paretofl
        assert "wave" not in sys.modules
        for name in ("wave", "of_another", "of_itself"):
            paretofl.load_plugin(f"{sys.argv[1]}/{name}.py")
        import wave, of_another, of_itself
        print(hasattr(wave, "open"), of_another.WHOSE, of_itself.NAME, sys.modules["paretofl_plugin_wave"].NAME)
    """)
    said = subprocess.run([sys.executable, "-c", script, str(tmp_path)], capture_output=True, text=True, check=True,
                          env={**os.environ, "PYTHONPATH": str(tmp_path / "installed")}).stdout
    assert said == "True the other of_itself paretofl_plugin_wave\n"


def test_the_help_says_which_files_are_plugins(tmp_path, plugin):
    for arguments in (("list", "--help"), ("list", "--plugin", plugin, "--help")):
        said = " ".join(command(*arguments, cwd=tmp_path).stdout.split())
        assert "the command of the Python package also takes a Python file" in said


def test_python_code_loads_one_too(tmp_path, plugin):
    script = f"import paretofl; paretofl.load_plugin({str(plugin)!r}); paretofl.load_plugin({str(plugin)!r}); print(paretofl.solvers.plugged([[16.0]]))"
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout == "[1.]\n"


@pytest.mark.parametrize("content, message", [
    ("raise RuntimeError('not today')", "RuntimeError: not today"),
    ("this is no Python", "SyntaxError"),
    ("import paretofl\n@paretofl.register_solver('min_norm')\nclass A(paretofl.Solver):\n    def solve(self, gramian): return [1]", "which a part of ParetoFL has"),
])
def test_a_plugin_that_fails_is_one_error(tmp_path, content, message):
    (tmp_path / "bad.py").write_text(content)
    ended = command("list", "solvers", "--plugin", "bad.py", cwd=tmp_path)
    assert ended.returncode == 1 and message in ended.stderr and "expected it to add its parts" in ended.stderr
    assert command("list", "solvers", "--plugin", "absent.py", cwd=tmp_path).returncode == 1
    with pytest.raises(paretofl.Error, match="no such file"):
        paretofl.load_plugin(tmp_path / "absent.py")


def test_the_program_itself_says_who_loads_python_files(tmp_path, plugin):
    program = os.path.join(os.path.dirname(paretofl.__file__), "bin", "paretofl")
    ended = subprocess.run([program, "list", "solvers", "--plugin", str(plugin)], capture_output=True, text=True)
    assert ended.returncode == 1 and "only the command of the Python package loads" in ended.stderr


def test_only_python_files_need_python():
    assert needs_python(["run", "x", "--plugin", "a.py"], "") and needs_python(["--plugin=a.py"], "") and needs_python([], "a.so:b.py")
    assert not needs_python(["run", "a.py", "--plugin", "a.so"], "b.so") and not needs_python(["--plugin"], "")
