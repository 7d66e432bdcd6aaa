"""The workload on a user's own tables, from Python, beside NumPy."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

import paretofl

PAGE = Path(__file__).parents[2] / "docs" / "my_data.md"


def write_csv(path, names, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join([",".join(names), *(",".join(str(cell) for cell in row) for row in rows)]) + "\n")


def samples(client, count=20):
    random = np.random.default_rng(client)
    a, b = random.normal(3, 2, count), random.normal(-1, 5, count)
    y = 2 * a - b + random.normal(0, 0.5, count)
    return np.column_stack([a, b, y, (a + b > 2).astype(float)])


def config(root, **workload):
    settings = {"name": "table", "targets": ["y", "late"], "losses": ["squared", "logistic"], "model": "linear", "batch_size": 100, **workload}
    return {
        "data": {"root": str(root)},
        "workload": settings,
        "strategy": {"name": "fedavg", "cohort_size": 3, "local_steps": 1, "client_lr": 0.5, "objective_weights": [0.25, 0.75]},
    }


@pytest.fixture
def clients(tmp_path):
    for client in range(3):
        rows = [[*row[:3], "yes" if row[3] else "no", "test" if i % 5 == 0 else "train"] for i, row in enumerate(samples(client))]
        write_csv(tmp_path / "clients" / f"c{client}.csv", ["a", "b", "y", "late", "part"], rows)
    return tmp_path


def test_a_round_is_the_one_that_numpy_computes(clients, tmp_path):
    settings = config(clients, files="clients/*.csv", split_column="part")
    before = paretofl.run(settings, rounds=1, directory=tmp_path / "one").parameters
    after = paretofl.run(settings, rounds=2, directory=tmp_path / "two")

    train = [np.delete(samples(client), slice(0, None, 5), axis=0) for client in range(3)]
    mean, deviation = np.concatenate(train).mean(axis=0), np.concatenate(train).std(axis=0)
    gradients = []
    for rows in train:
        inputs = (rows[:, :2] - mean[:2]) / deviation[:2]
        error = inputs @ before[:2] + before[2] - (rows[:, 2] - mean[2]) / deviation[2]
        excess = 1 / (1 + np.exp(-(inputs @ before[3:5] + before[5]))) - rows[:, 3]
        gradients.append(np.concatenate([0.25 * 2 * inputs.T @ error, [0.25 * 2 * error.sum()], 0.75 * inputs.T @ excess, [0.75 * excess.sum()]]) / len(rows))
    expected = before - 0.5 * np.mean(gradients, axis=0)
    np.testing.assert_allclose(after.parameters, expected, atol=1e-6)

    test = np.concatenate([samples(client)[::5] for client in range(3)])
    inputs = (test[:, :2] - mean[:2]) / deviation[:2]
    theta = after.parameters
    error = inputs @ theta[:2] + theta[2] - (test[:, 2] - mean[2]) / deviation[2]
    logit = inputs @ theta[3:5] + theta[5]
    loss, overall = after.summary["test"]["loss"], after.summary["overall"]
    assert loss["y"] == pytest.approx(np.mean(error**2), rel=1e-5)
    assert loss["late"] == pytest.approx(np.mean(np.logaddexp(0, logit) - test[:, 3] * logit), rel=1e-5)
    assert overall["rmse/y"] == pytest.approx(deviation[2] * np.sqrt(np.mean(error**2)), rel=1e-5)
    assert overall["mae/y"] == pytest.approx(deviation[2] * np.mean(np.abs(error)), rel=1e-5)
    assert overall["accuracy/late"] == pytest.approx(np.mean((logit > 0) == test[:, 3]))


def test_numpy_files_are_the_same_federation(clients, tmp_path):
    (tmp_path / "arrays").mkdir()
    for client in range(3):
        np.save(tmp_path / "arrays" / f"c{client}.npy", samples(client))
        write_csv(tmp_path / "texts" / f"c{client}.csv", ["a", "b", "y", "late"], [[repr(float(x)) for x in row] for row in samples(client)])
    arrays = paretofl.run(config(tmp_path, files="arrays", columns=["a", "b", "y", "late"]), rounds=3, directory=tmp_path / "one")
    texts = paretofl.run(config(tmp_path, files="texts"), rounds=3, directory=tmp_path / "two", threads=2)
    assert arrays.summary["parameters_sha256"] == texts.summary["parameters_sha256"]


def test_a_run_goes_on_with_the_bits_of_a_longer_one(clients, tmp_path):
    settings = config(clients, files="clients", split_column="part", model="mlp")
    paretofl.run(settings, rounds=2, directory=tmp_path / "resumed")
    resumed = paretofl.run(resume=tmp_path / "resumed", rounds=4)
    whole = paretofl.run(settings, rounds=4, directory=tmp_path / "whole", threads=2)
    assert resumed.summary["parameters_sha256"] == whole.summary["parameters_sha256"]
    with open(clients / "clients" / "c1.csv", "a", encoding="utf-8") as file:
        file.write("1,2,3,no,train\n")
    with pytest.raises(paretofl.Error, match="data"):
        paretofl.run(resume=tmp_path / "resumed", rounds=5)


@pytest.mark.parametrize("wrong, message", [
    ({"targets": "y"}, "workload.targets"),
    ({"losses": ["squared", "logit"]}, "workload.losses: .*found 'logit'"),
    ({"files": "none/*.csv"}, "workload.files"),
    ({"categorical": ["c"]}, "workload.categorical"),
    ({"split": "part"}, "workload.split; did you mean"),
])
def test_a_mistake_is_an_error(clients, tmp_path, wrong, message):
    settings = config(clients, **{"files": "clients", "split_column": "part", **wrong})
    with pytest.raises(paretofl.Error, match=message):
        paretofl.run(settings, rounds=1, directory=tmp_path / "wrong")


def test_the_default_data_of_an_evaluation_are_the_runs(clients, tmp_path):
    run = paretofl.run(config(clients, files="clients/*.csv", split_column="part"), rounds=2, directory=tmp_path / "run")
    assert run.evaluate()["test"] == run.summary["test"]
    (clients / "clients").rename(tmp_path / "moved")
    with pytest.raises(paretofl.Error, match=re.escape(str(clients))):
        run.evaluate()
    (tmp_path / "new").mkdir()
    (tmp_path / "moved").rename(tmp_path / "new" / "clients")
    assert run.evaluate(data=tmp_path / "new")["test"] == run.summary["test"]


def test_the_example_of_the_page_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = PAGE.read_text(encoding="utf-8")
    exec(re.search(r"^python3 - <<'END'\n(.*?)^END$", page, re.MULTILINE | re.DOTALL)[1], {})
    names = {}
    exec(re.search(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)[1], names)
    summary = names["run"].summary
    for target, loss in summary["test"]["loss"].items():
        assert loss < 0.6 * summary["constant_predictor"]["loss"][target]
    assert summary["overall"]["accuracy/sold"] > 0.85


def test_the_program_of_the_page_predicts_what_the_network_does(tmp_path, monkeypatch):
    onnxruntime = pytest.importorskip("onnxruntime")
    monkeypatch.chdir(tmp_path)
    page = PAGE.read_text(encoding="utf-8")
    exec(re.search(r"^python3 - <<'END'\n(.*?)^END$", page, re.MULTILINE | re.DOTALL)[1], {})
    train, predict = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    names = {}
    exec(train.replace("runs/houses_python", "runs/houses"), names)
    exec(predict, names)
    with open("houses/town2.csv", newline="", encoding="utf-8") as file:
        rows = list(names["csv"].DictReader(file))
    found = names["predict"](names["model"], rows)
    inputs = [[float(row["district"] == each["value"]) if "value" in each else float(row[each["column"]]) for each in names["model"]["features"]] for row in rows]
    network = onnxruntime.InferenceSession(names["run"].export(tmp_path / "houses.onnx", format="onnx"))
    price, sold = network.run(["price", "sold"], {"features": np.array(inputs, np.float32)})
    np.testing.assert_allclose(found["price"], price[:, 0], rtol=1e-5)
    assert list(found["sold"]) == ["yes" if score > 0 else "no" for score in sold[:, 0]]
    assert np.mean([a == row["sold"] for a, row in zip(found["sold"], rows)]) > 0.85


def prediction(model, rows):
    """What table.json says of rows, which are dictionaries: one array for each target, of outputs in its units or of probabilities."""
    columns = []
    for feature in model["features"]:
        cells = [row[feature["column"]] for row in rows]
        if "value" in feature:
            columns.append([float(cell == feature["value"] and feature["seen"]) for cell in cells])
        else:
            numbers = np.array([feature.get("missing", feature["mean"]) if cell == "" else float(cell) for cell in cells])
            columns.append((numbers - feature["mean"]) / feature["deviation"] if feature["deviation"] else 0 * numbers)
    hidden = np.column_stack(columns)
    for layer in model["layers"]:
        hidden = hidden @ np.array(layer["weight"]).T + layer["bias"]
        hidden = np.tanh(hidden) if model["activation"] == "tanh" else np.maximum(hidden, 0)
    results = []
    for target in model["targets"]:
        outputs = hidden @ np.array(target["weight"]).T + target["bias"]
        if "classes" not in target:
            results.append(target["mean"] + target["deviation"] * outputs[:, 0])
        elif target["loss"] == "logistic":
            results.append(1 / (1 + np.exp(-outputs[:, 0])))
        else:
            results.append(np.exp(outputs - np.logaddexp.reduce(outputs, axis=1, keepdims=True)))
    return results


def test_the_model_that_is_written_predicts_what_was_evaluated(tmp_path):
    random = np.random.default_rng(7)
    names = ["a", "kind", "y", "grade", "part"]
    rows = [[round(random.normal(), 3) if i % 7 else "", "uvw"[i % 3], round(random.normal(5, 2), 3), ["low", "mid", "high"][i % 5 % 3],
             "test" if i % 4 == 0 else "train"] for i in range(60)]
    write_csv(tmp_path / "all.csv", names, rows)
    workload = {"name": "table", "files": "all.csv", "split_column": "part", "missing": "mean", "categorical": ["kind"],
                "targets": ["y", "grade"], "losses": ["absolute", "cross_entropy"], "hidden": [5, 4], "activation": "tanh"}
    settings = {"data": {"root": str(tmp_path)}, "workload": workload, "strategy": {"name": "fedavg", "cohort_size": 1, "client_lr": 0.1}}
    run = paretofl.run(settings, rounds=5, directory=tmp_path / "run")
    model = json.loads((tmp_path / "run" / "model" / "table.json").read_text(encoding="utf-8"))
    test = [dict(zip(names, row)) for row in rows if row[-1] == "test"]
    y, grade = prediction(model, test)
    classes = model["targets"][1]["classes"]
    assert classes == ["high", "low", "mid"]
    labels = np.array([classes.index(row["grade"]) for row in test])
    assert run.summary["overall"]["mae/y"] == pytest.approx(np.mean(np.abs(y - [row["y"] for row in test])), rel=1e-5)
    assert run.summary["test"]["loss"]["grade"] == pytest.approx(-np.mean(np.log(grade[np.arange(len(test)), labels])), rel=1e-5)
    assert run.summary["overall"]["accuracy/grade"] == pytest.approx(np.mean(grade.argmax(axis=1) == labels))
    names = {}
    exec(re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)[1].partition("\n\n\nwith open")[0], names)
    pages = names["predict"](model, [{name: str(cell) for name, cell in row.items()} for row in test])
    np.testing.assert_allclose(pages["y"], y, rtol=1e-12)
    assert list(pages["grade"]) == [classes[best] for best in grade.argmax(axis=1)]
