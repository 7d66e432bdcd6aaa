"""Rewards and question sets of Python in the runs of language models, in a package that is built with LibTorch."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from libtorch import skip_without_libtorch

import paretofl

PAGE = Path(__file__).parents[2] / "docs" / "my_parts.md"

if not (Path(paretofl.__file__).parent / "libparetofl_torch.so").is_file():
    skip_without_libtorch(allow_module_level=True)

PARTS = '''
import numpy as np
import paretofl

calls = 0

@paretofl.register_reward("vowels")
def vowels(completions):
    """The share of vowels."""
    global calls
    calls += 1
    return [sum(letter in "aeiou" for letter in completion) / max(1, len(completion)) for completion in completions]

@paretofl.register_question_set("doubles")
def doubles(seed, count=12):
    """Doubling numbers."""
    asked = [(f"What is {n} + {n}?", str(2 * n)) for n in np.random.default_rng(seed).integers(100, size=count).tolist()]
    return {"training": asked[:-6], "validation": asked[-6:-4], "test": asked[-4:]}
'''

CONFIGS = {
    "alignment": '''
strategy = {name = "firm", cohort_size = 2, local_steps = 2}
rounds = 2
[workload]
name = "alignment"
clients = 2
evaluation_prompts = 4
objectives = {vowels = "vowels", length = "length"}
ppo = {batch_size = 4, minibatch_size = 2, max_new_tokens = 8}
''',
    "reasoning": '''
strategy = {name = "fedgrpo", cohort_size = 2, local_steps = 2}
rounds = 2
[workload]
name = "reasoning"
clients = 2
groups = "mine:vowels+length"
evaluation_questions = 2
tasks = {mine = "doubles"}
rewards = {vowels = "vowels", length = "length"}
grpo = {prompts = 2, completions = 2, max_new_tokens = 8}
''',
}

STAND_IN = 'ctypes.CDLL("stand_in/libtorch_cpu.so")'
RUN = '''
import my_parts
run = paretofl.run("config.toml", directory="run", overwrite=True, threads=2, progress=False)
assert my_parts.calls > 0
print(run.summary["parameters_sha256"])
'''


@pytest.fixture(params=CONFIGS)
def folder(request, tmp_path):
    (tmp_path / "my_parts.py").write_text(PARTS)
    (tmp_path / "config.toml").write_text(CONFIGS[request.param])
    return tmp_path


@pytest.fixture
def stand_in(tmp_path):
    """A shared library with the file name of LibTorch's, from another folder."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler: two LibTorches in one process are not tested")
    (tmp_path / "stand_in").mkdir()
    (tmp_path / "stand_in.c").write_text("int stand_in;\n")
    subprocess.run([compiler, "-shared", "-fPIC", "-o", tmp_path / "stand_in" / "libtorch_cpu.so", tmp_path / "stand_in.c"], check=True)


def python(folder, *lines, **environment):
    script = folder / "script.py"
    script.write_text("import ctypes, sys\nimport paretofl\n" + "\n".join(lines))
    return subprocess.run([sys.executable, script], capture_output=True, text=True, cwd=folder, env={**os.environ, **environment}, timeout=300)


def output(ended):
    assert ended.returncode == 0, ended.stderr
    return ended.stdout.splitlines()


def command(folder):
    ended = subprocess.run([sys.executable, "-m", "paretofl.command", "run", "config.toml", "--plugin", "my_parts.py", "--dir", "command", "--json"],
                           capture_output=True, text=True, cwd=folder)
    return json.loads("".join(output(ended)))["parameters_sha256"]


def test_runs_are_those_of_the_command_with_and_without_pytorch(folder):
    pytest.importorskip("torch", reason="PyTorch is not installed (Debian: python3-torch)")
    [expected] = output(python(folder, RUN))
    assert output(python(folder, "import torch", RUN)) == [expected]
    used = "print(torch.ones(3, requires_grad=True).sum().item())"
    assert output(python(folder, RUN, "import torch, paretofl.torch", used, RUN)) == [expected, "3.0", expected]
    assert command(folder) == expected


@pytest.mark.parametrize("lines, printed", [([STAND_IN, RUN], 0), ([RUN, STAND_IN, RUN], 1)])
def test_a_second_libtorch_is_one_error(folder, stand_in, lines, printed):
    ended = python(folder, *lines)
    assert ended.returncode == 1 and len(ended.stdout.splitlines()) == printed
    error = ended.stderr.splitlines()[-1]
    assert "Error: " in error and "expected libtorch_cpu.so" in error and "libparetofl_torch.so is linked with" in error
    assert "found stand_in/libtorch_cpu.so" in error and "--plugin FILE.py" in error


def test_problems_do_not_import_a_second_libtorch(folder, stand_in):
    package = folder / "other" / "torch"
    (package / "lib").mkdir(parents=True)
    shutil.copy(folder / "stand_in" / "libtorch_cpu.so", package / "lib")
    (package / "__init__.py").write_text("raise AssertionError('imported')")
    other = {"PYTHONPATH": str(folder / "other")}
    ended = python(folder, RUN, "import paretofl.torch", **other)
    assert ended.returncode == 1 and len(ended.stdout.splitlines()) == 1
    error = ended.stderr.splitlines()[-1]
    assert "Error: torch: expected the PyTorch of " in error and f"found {package / 'lib' / 'libtorch_cpu.so'}" in error
    assert "AssertionError: imported" in python(folder, "import paretofl.torch", **other).stderr


def test_the_example_of_the_page_runs(tmp_path):
    text = PAGE.read_text(encoding="utf-8")
    reward = re.search(r'^@paretofl.register_reward.*?\n\n\n', text, re.MULTILINE | re.DOTALL).group()
    [run] = re.findall(r"^```python not-run\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    figures = ast.literal_eval(output(python(tmp_path, reward, run))[-1])
    assert sorted(figures) == ["length", "polite"]
