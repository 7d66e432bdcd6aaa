"""Which Python files parties compare."""

import functools
import hashlib
import json
import subprocess
import sys
import textwrap
import types

import pytest

import paretofl
from paretofl.source_files import digests_of

SHARED = "RATE = 0.5\n"
PROBLEM = textwrap.dedent("""
    import json

    import numpy as np
    import paretofl
    from my_package.rates import RATE

    if __name__ == "__main__":
        import only_as_a_program

    class Targets(paretofl.Problem):
        def __init__(self, own):
            self.own = own

        def num_clients(self):
            return 1

        def own_clients(self):
            return self.own

        def objectives(self):
            return ["first", "second"]

        def initial_parameters(self):
            return np.zeros(2, np.float32)

        def gradients(self, client, theta, draw):
            return theta.astype(np.float64) ** 2, RATE * np.diag(theta - 1)

    def loss(outputs, batch):
        return outputs[0]

    def not_called():
        import my_lazy
        from my_failing import thing
        from my_space.inner import code

    def forward(model, batch):
        return model(batch[0])

    def squares(outputs, batch):
        return outputs.square().mean()

    try:
        import torch

        class Module(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.layer = torch.nn.Linear(2, 2)
    except ImportError:
        pass

    def make_problem(folder, client):
        return Targets([] if client is None else [client])
""")
FILES = {"my_problem.py": PROBLEM, "my_package/__init__.py": "", "my_package/rates.py": "from .deeper import deepest\n" + SHARED,
         "my_package/deeper.py": "deepest = 1\n", "my_package/other.py": "", "unrelated.py": "", "only_as_a_program.py": "",
         "my_lazy/__init__.py": "from .inside import x\n", "my_lazy/inside.py": "x = 1\n",
         "my_space/inner/code.py": "import my_installed\n", "dist-packages/my_installed.py": "import my_space.inner.unseen\n",
         "my_space/inner/unseen.py": "",
         "my_failing.py": "import my_other_version\n1 / 0\n", "my_other_version.py": "print 'Python 2'\n"}
# What counts: the package around rates.py too, what is imported in a method, and files that were not executed.
COUNTED = ["my_failing.py", "my_lazy/__init__.py", "my_lazy/inside.py", "my_other_version.py", "my_package/__init__.py", "my_package/deeper.py",
           "my_package/rates.py", "my_problem.py", "my_space/inner/code.py"]


def write(folder, **changes):
    for name, content in {**FILES, **changes}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)


@pytest.fixture
def problem(tmp_path, monkeypatch):
    write(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.syspath_prepend(str(tmp_path / "dist-packages"))
    monkeypatch.chdir(tmp_path)
    yield __import__("my_problem")
    for name in [name for name in sys.modules if name.startswith(("my_", "only_as"))]:
        del sys.modules[name]


def module_name(file):
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def sha(text):
    return hashlib.sha256(text.encode()).hexdigest()


def test_files_of_classes_functions_and_what_they_import_count_and_no_others(problem):
    expected = {module_name(file): sha(FILES[file]) for file in COUNTED}
    one = problem.Targets(None)
    for item in (one, problem.Targets, one.gradients, problem.loss, functools.partial(problem.loss, batch=3)):
        assert digests_of([item]) == expected
    assert digests_of([3, "text", json.dumps, paretofl.Problem]) == {}
    assert one._code() == expected
    assert not {"my_lazy", "my_failing", "my_other_version"} & set(sys.modules), "nothing was executed"
    sys.modules["my_lazy"] = types.ModuleType("my_lazy")  # as if it had been
    assert one._code() == expected
    del sys.modules["my_lazy"]
    made, without_module = {"__name__": "made_here"}, {}
    exec("def f(): pass", made)
    exec("def f(): pass", without_module)
    assert digests_of([made["f"]]) == {"made_here": "not in a file"}
    without_module["f"].__module__ = None
    assert digests_of([without_module["f"]]) == {}
    assert {**expected, "test_source_files": digests_of([sha])["test_source_files"]} == digests_of([one, sha])


def test_a_problem_of_pytorch_has_the_files_of_its_model_and_losses(problem):
    torch = pytest.importorskip("torch")
    from paretofl.torch import Problem
    samples = (torch.zeros(4, 2), torch.zeros(4, 2))

    def made(**changes):
        return Problem(torch.nn.Linear(2, 2), **{"objectives": {"first": torch.nn.functional.mse_loss}, "clients": [samples], **changes})

    def names(**changes):
        return [name for name in made(forward=problem.forward, objectives={"first": problem.squares}, **changes)._code() if name[:3] == "my_"]

    assert names() == [module_name(file) for file in COUNTED]
    loss = {"first": lambda outputs, batch: outputs.square().mean()}
    assert list(made(objectives=loss)._code()) == ["test_source_files"]
    assert "my_problem" in made(objectives=loss, metrics={"outputs": problem.loss})._code()
    with_module = Problem(problem.Module(), loss, clients=[samples], forward=lambda model, batch: model.layer(batch[0]))
    assert "my_problem" in with_module._code()


def test_the_program_that_runs_has_the_name_of_its_file_and_what_has_no_file_says_so(problem, tmp_path):
    program = FILES["my_problem.py"] + "import paretofl.source_files\nprint(json.dumps(paretofl.source_files.digests_of([Targets])))\n"
    (tmp_path / "started.py").write_text(program)
    said = json.loads(subprocess.run([sys.executable, "started.py"], check=True, capture_output=True, text=True).stdout)
    assert said == {**{name: digest for name, digest in digests_of([problem.Targets]).items() if name != "my_problem"}, "started": sha(program)}
    said = subprocess.run([sys.executable, "-"], input="def f(): pass\nfrom paretofl.source_files import digests_of\nprint(digests_of([f]))\n",
                          check=True, capture_output=True, text=True).stdout
    assert said == "{'__main__': 'not in a file'}\n"


@pytest.mark.parametrize("changed", ["my_problem.py", "my_package/rates.py", "my_package/__init__.py", None])
def test_a_party_with_another_file_is_refused_by_the_files_name(problem, tmp_path, changed):
    other = tmp_path / "other"
    write(other, **({changed: FILES[changed] + "# changed\n"} if changed else {}))
    settings = {"program": str(other / "my_problem.py") + ":make_problem", "strategy": "fedavg", "seed": 1, "rounds": 1}
    (tmp_path / "settings.json").write_text(json.dumps(settings))
    (tmp_path / "data").mkdir()
    places = [str(tmp_path / name) for name in ("settings.json", "data", "socket-0", "state-0")]
    words = [word for pair in zip(("", "--data", "--socket", "--state"), places) for word in pair][1:]
    party = subprocess.Popen([sys.executable, "-m", "paretofl.party", *words, "--client", "0"], cwd=other)
    sockets = {"runtime.name": "sockets", "runtime.sockets": "socket-{client}", "runtime.reconnect_seconds": 60.0}
    server = problem.make_problem(None, None)
    try:
        if changed is None:
            assert paretofl.run(server, strategy="fedavg", seed=1, rounds=1, directory="run", options=sockets).summary["status"] == "completed"
        else:
            name = module_name(changed)
            with pytest.raises(paretofl.Error, match=rf"client 0: .*code of {name} \(SHA-256\)"):
                paretofl.run(server, strategy="fedavg", seed=1, rounds=1, directory="run", options=sockets)
    finally:
        party.terminate()
        party.wait(60)
