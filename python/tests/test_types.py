"""The package's types as mypy sees them: those of a user's program, and those of the package itself."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import paretofl

pytest.importorskip("mypy", reason="mypy is not installed (pip install mypy)")
PROGRAM = Path(__file__).parent / "typed_program.py"

# Wrong lines, and a part of what mypy says of each.
WRONG = {
    'paretofl.run("fedcmoo-quadratics", rounds="ten")': '"rounds"',
    'paretofl.run("fedcmoo-quadratics", round=10)': '"round"',
    'paretofl.sweep("fedcmoo-quadratics")': '"directory"',
    'paretofl.run("fedcmoo-quadratics").parameters.dimension': '"dimension"',
    'paretofl.run("fedcmoo-quadratics").plot("weight")': "Literal['weight']",
    "paretofl.solvers.cagrad([[1.0]], rho=0.5)": '"rho"',
    'paretofl.solvers.cagrad([[1.0]], c="half")': 'No overload variant of "cagrad"',
    'paretofl.solvers.linear([[1.0]], scale="norm")': 'No overload variant of "linear"',
    'text: str = paretofl.solvers.min_norm([[1.0]])': "Incompatible types in assignment",
    'paretofl.compressors.top_k([1.0], budget="small")': '"budget"',
    'paretofl.preferences.dirichlet(objectives=2)': '"clients"',
    'paretofl.indicators.hypervolume([[1.0]])': '"reference"',
    'paretofl.aggregators.mean([[1.0]], weight=[1.0])': '"weight"',
    'paretofl.Part("optimizer", "sgd")': "Argument 1",
    'paretofl.register_solver(3)': "register_solver",
    'paretofl.environments.make(3)': '"make"',
    'paretofl.environments.make_vec("minecart", 2).reset(seed=[None, 1])': 'List item 0 has incompatible type',
    'paretofl.torch.backward(3, [])': '"backward"',
    'class Few(paretofl.Problem):\n    def num_clients(self) -> str: ...': '"num_clients"',
}


@pytest.fixture(scope="module")
def mypy(tmp_path_factory):
    """mypy with these arguments: its exit status and its lines. One cache serves all tests."""
    pytest.importorskip("torch", reason="PyTorch is not installed (Debian: python3-torch)")
    pytest.importorskip("gymnasium", reason="Gymnasium is not installed (pip install gymnasium)")
    cache = tmp_path_factory.mktemp("mypy")

    def run(*arguments):
        ended = subprocess.run([sys.executable, "-m", "mypy", "--cache-dir", cache, "--no-error-summary", *arguments], capture_output=True,
                               text=True, cwd=cache)
        assert ended.returncode in (0, 1), ended.stdout + ended.stderr
        return ended.returncode, ended.stdout.splitlines()

    return run


def test_a_users_program_is_clean_by_strict_rules(mypy):
    assert mypy("--strict", PROGRAM) == (0, [])


def test_the_same_program_runs(tmp_path):
    pytest.importorskip("torch", reason="PyTorch is not installed (Debian: python3-torch)")
    pytest.importorskip("gymnasium", reason="Gymnasium is not installed (pip install gymnasium)")
    pytest.importorskip("matplotlib", reason="matplotlib is not installed (pip install matplotlib)")
    subprocess.run([sys.executable, PROGRAM, tmp_path], check=True, capture_output=True)


def test_wrong_uses_are_reported(mypy, tmp_path):
    text, places = "import paretofl, paretofl.environments, paretofl.torch\n", {}
    for wrong in WRONG:
        places[wrong] = range(text.count("\n") + 1, text.count("\n") + wrong.count("\n") + 2)
        text += wrong + "\n"
    program = tmp_path / "wrong.py"
    program.write_text(text)
    status, lines = mypy("--strict", program)
    found = [(int(line.split(":")[1]), line) for line in lines if re.match(r".*wrong\.py:\d+: error:", line)]
    assert status == 1
    for wrong, part in WRONG.items():
        assert any(number in places[wrong] and part in line for number, line in found), (wrong, found)
    assert {number for number, _ in found} <= {number for place in places.values() for number in place}


def test_the_package_itself_is_clean(mypy):
    assert mypy("-p", "paretofl") == (0, [])


def test_the_package_says_that_it_has_types():
    folder = Path(paretofl.__file__).parent
    assert (folder / "py.typed").is_file()
    assert "class Draw:" in (folder / "_engine.pyi").read_text(encoding="utf-8")
    assert "def min_norm(" in (folder / "_solvers.pyi").read_text(encoding="utf-8")


def test_importing_the_package_imports_neither_pytorch_nor_what_only_some_need():
    unwanted = ["torch", "matplotlib", "pandas", "gymnasium", "mlflow", "wandb", "optuna"]
    code = f"import sys, paretofl; print([name for name in {unwanted} if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.strip() == "[]"
