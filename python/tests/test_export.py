"""A run's trained model for other programs, and the examples of docs/models.md."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import paretofl

PAGE = Path(__file__).parents[2] / "docs" / "models.md"
GLYPHS = {"workload": {"name": "glyphs", "clients": 3, "samples_per_client": 40}, "strategy": {"name": "fedavg", "cohort_size": 3}, "rounds": 2}


def command(*arguments):
    return subprocess.run([sys.executable, "-m", "paretofl.command", *arguments], capture_output=True, text=True)


@pytest.fixture(scope="module")
def glyphs(tmp_path_factory):
    return paretofl.run(GLYPHS, directory=tmp_path_factory.mktemp("glyphs") / "run")


def test_numpy_reads_the_archive(glyphs, tmp_path):
    arrays = np.load(glyphs.export(tmp_path / "model.npz", format="numpy"))
    assert arrays["encoder.conv1.weight"].shape == (10, 1, 3, 3)
    assert all(array.dtype == np.float32 for array in arrays.values())
    assert sum(array.size for array in arrays.values()) == glyphs.parameters.size
    assert np.array_equal(arrays["encoder.conv1.weight"].ravel(), glyphs.parameters[:90])


def test_the_safetensors_library_reads_the_same(glyphs, tmp_path):
    safetensors = pytest.importorskip("safetensors")
    from safetensors.numpy import load_file

    arrays = np.load(glyphs.export(tmp_path / "model.npz", format="numpy"))
    tensors = load_file(glyphs.export(tmp_path / "model.safetensors"))
    assert sorted(tensors) == sorted(arrays.files)
    assert all(np.array_equal(tensors[name], arrays[name]) for name in tensors)
    with safetensors.safe_open(tmp_path / "model.safetensors", "np") as file:
        metadata = file.metadata()
    assert json.loads(metadata.pop("objectives")) == ["left", "right"]
    assert metadata == {"format": "pt", "paretofl_format": "1", "workload": "glyphs", "strategy": "fedavg", "seed": "1", "round": "2"}


CASES = {
    "lenet": GLYPHS,
    "small_cnn": {"workload": {"name": "faces", "clients": 3, "samples_per_client": 20, "train_images": 100, "test_images": 20,
                               "model": "small_cnn"}, "strategy": {"name": "fedavg", "cohort_size": 3}, "rounds": 1},
    "dqn": {"workload": {"name": "minecart", "clients": 2}, "strategy": {"name": "no_communication", "local_steps": 20, "optimizer": "adam"},
            "rounds": 1},
    "tabular": {"workload": {"name": "tabular_mdp"}, "strategy": {"name": "firm", "cohort_size": 2}, "rounds": 1},
}


@pytest.mark.parametrize("case", CASES)
def test_onnx_runtime_computes_the_network(case, tmp_path):
    onnx = pytest.importorskip("onnx")
    runtime = pytest.importorskip("onnxruntime")
    from onnx.reference import ReferenceEvaluator

    run = paretofl.run(CASES[case], directory=tmp_path / "run")
    file = run.export(tmp_path / "model.onnx", format="onnx", client=1 if case == "dqn" else None)
    model = onnx.load(file)
    onnx.checker.check_model(model, full_check=True)
    session = runtime.InferenceSession(file)
    random = np.random.default_rng(1)
    inputs = {}
    for port in session.get_inputs():
        shape = [5, *port.shape[1:]]
        inputs[port.name] = random.integers(0, 10, shape) if "int64" in port.type else random.random(shape, np.float32)
    if case == "dqn":
        inputs["observation"] = 10 * random.standard_normal((5, 7), np.float32)  # far apart, with different best actions
    outputs = session.run(None, inputs)
    reference = ReferenceEvaluator(model).run(None, inputs)
    for port, found, expected in zip(session.get_outputs(), outputs, reference):
        assert found.shape == (5, *port.shape[1:]), port.name
        assert np.allclose(found, expected, atol=1e-4), port.name
    if case == "dqn":
        with np.load(run.export(tmp_path / "model.npz", format="numpy", client=1)) as arrays:
            values = inputs["observation"]
            for layer in range(3):
                values = (np.maximum(values, 0) if layer else values) @ arrays[f"q.{layer}.weight"].T + arrays[f"q.{layer}.bias"]
        assert np.allclose(outputs[0], values, atol=1e-4) and np.array_equal(outputs[1], values.argmax(axis=1))
        assert len(set(outputs[1])) > 1
    if case == "tabular":
        logits = run.parameters.reshape(10, 4)[inputs["state"]].astype(np.float64)
        assert np.allclose(outputs[0], np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True), atol=1e-6)


def test_a_problems_run_is_exported_without_it_and_evaluated_with_it(tmp_path, two_targets):
    run = paretofl.run(two_targets(), strategy="fedcmoo", rounds=3, directory=tmp_path / "run")
    arrays = np.load(paretofl.Run(tmp_path / "run").export(tmp_path / "model.npz", format="numpy"))
    assert len(arrays.files) == 1 and np.array_equal(arrays[arrays.files[0]], run.parameters)
    for evaluation in (run.evaluate(), paretofl.Run(tmp_path / "run", two_targets()).evaluate()):
        assert evaluation["test"] == run.summary["test"] and evaluation["overall"] == run.summary["overall"]
        assert evaluation["round"] == 3
    with pytest.raises(paretofl.Error, match="expected a problem for a run of .*TwoTargets, found none"):
        paretofl.Run(tmp_path / "run").evaluate()
    with pytest.raises(paretofl.Error, match="expected the format safetensors or numpy"):
        run.export(tmp_path / "model.onnx", format="onnx")
    refused = command("evaluate", str(tmp_path / "run"))
    assert refused.returncode == 1 and "found the problem conftest.TwoTargets of Python code" in refused.stderr


def test_clients_models_are_exported_one_by_one(tmp_path, two_targets):
    run = paretofl.run(two_targets(), strategy="no_communication", rounds=3, directory=tmp_path / "run")
    arrays = np.load(run.export(tmp_path / "model.npz", format="numpy", client=2))
    assert np.array_equal(arrays[arrays.files[0]], run.parameters[2])
    with pytest.raises(paretofl.Error, match="expected one of the 4 clients"):
        run.export(tmp_path / "model.npz", format="numpy")
    assert run.evaluate()["clients"] == run.summary["clients"]


def test_the_last_local_training_counts_with_fine_tune(tmp_path, two_targets):
    run = paretofl.run(two_targets(), strategy={"name": "matfl", "fine_tune": True}, rounds=3, directory=tmp_path / "run")
    assert run.evaluate()["clients"] == run.summary["clients"]


def test_the_commands_say_the_same(glyphs, tmp_path):
    evaluated = command("evaluate", str(glyphs.directory), "--json")
    assert json.loads(evaluated.stdout) == glyphs.evaluate()
    assert json.loads(evaluated.stdout)["test"] == glyphs.summary["test"]
    exported = command("export", str(glyphs.directory), "--format", "safetensors", "--output", str(tmp_path / "command"))
    assert exported.stdout == f"{tmp_path / 'command'}\n"
    assert (tmp_path / "command").read_bytes() == glyphs.export(tmp_path / "python").read_bytes()


def test_every_example_of_the_models_page_runs(tmp_path, monkeypatch):
    for library in ("torch", "safetensors", "onnxruntime"):
        pytest.importorskip(library)
    monkeypatch.chdir(tmp_path)
    text = PAGE.read_text(encoding="utf-8")
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    for block in re.findall(r"^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        subprocess.run(["bash", "-euo", "pipefail", "-c", block], check=True, env={**os.environ, "PATH": path}, capture_output=True)
    names = {}
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), names)
    assert len(blocks) == 3
    for found, expected in zip(names["scores"], (names["left"], names["right"])):
        assert np.allclose(found, expected.numpy(), atol=1e-5)
