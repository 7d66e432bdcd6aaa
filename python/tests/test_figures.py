import numpy as np
import pytest

import paretofl

pytest.importorskip("matplotlib")


@pytest.fixture
def sweep(tmp_path, two_targets):
    return paretofl.sweep(two_targets(), directory=tmp_path / "sweep", strategy=["fsmgda", "fedcmoo"], seeds=[1, 2], rounds=5, options={"evaluation.every": 1})


@pytest.mark.parametrize("kind", ["metrics", "weights", "front"])
@pytest.mark.parametrize("suffix", ["svg", "pdf", "png"])
def test_every_kind_is_written_with_equal_bytes(tmp_path, sweep, kind, suffix):
    files = [tmp_path / f"{number}.{suffix}" for number in (1, 2)]
    for file in files:
        paretofl.plot(sweep, kind, file)
    assert files[0].stat().st_size > 2000 and files[0].read_bytes() == files[1].read_bytes()


def test_a_line_is_the_mean_over_seeds(sweep):
    figure = paretofl.plot(sweep, "metrics")
    assert [panel.get_title() for panel in figure.axes] == ["first", "second"]
    lines = figure.axes[0].get_lines()
    assert [line.get_label() for line in lines] == ["fsmgda", "fedcmoo"]
    expected = np.mean([[row["test"]["loss"]["first"] for row in run.metrics] for run in sweep.runs[:2]], axis=0)
    np.testing.assert_allclose(lines[0].get_ydata(), expected)
    np.testing.assert_array_equal(lines[0].get_xdata(), [1, 2, 3, 4, 5])


def test_the_horizontal_axis_may_be_megabytes_or_seconds(sweep):
    run = sweep.runs[0]
    sent = np.cumsum([row["bytes_up"] + row["bytes_down"] for row in run.metrics]) / 1e6
    np.testing.assert_allclose(run.plot("weights", x="bytes").axes[0].get_lines()[0].get_xdata(), sent)
    seconds = run.plot("metrics", x="seconds").axes[0].get_lines()[0].get_xdata()
    assert np.all(np.diff(seconds) > 0)


def test_the_front_of_a_run_with_a_model_per_client(tmp_path, two_targets):
    run = paretofl.run(two_targets(noise=0), strategy="fedpref", rounds=5, directory=tmp_path / "run")
    points = np.array(run.metrics[-1]["clients"]["loss"])
    kept = paretofl.indicators.pareto_front(points, minimize=True)
    assert [row["client"] for row in run.front()] == kept.tolist()
    np.testing.assert_array_equal([[row["first"], row["second"]] for row in run.front("loss")], points[kept])
    assert len(run.plot("front").axes[0].collections[0].get_offsets()) == len(points)


def test_the_front_of_a_single_model_is_over_its_rounds(sweep):
    run = sweep.runs[0]
    points = np.array([list(row["test"]["loss"].values()) for row in run.metrics])
    assert [row["round"] - 1 for row in run.front()] == paretofl.indicators.pareto_front(points, minimize=True).tolist()


@pytest.mark.parametrize("arguments, message", [
    (dict(kind="pie"), "kind"),
    (dict(x="hours"), "x of"),
    (dict(metric="accuracy"), "metric"),
    (dict(path="figure.jpeg"), "svg"),
    (dict(labels=["one"]), "2 labels"),
])
def test_wrong_arguments_are_one_error(sweep, arguments, message):
    with pytest.raises(paretofl.Error, match=message):
        sweep.plot(**{"kind": "metrics", **arguments})


def test_what_is_no_run(sweep, tmp_path):
    for wrong in (3, [], ["run"], None):
        with pytest.raises(paretofl.Error, match="plot: expected"):
            paretofl.plot(wrong)
    other = paretofl.run("fedcmoo-quadratics", rounds=1, directory=tmp_path / "other")
    with pytest.raises(paretofl.Error, match="same objectives"):
        paretofl.plot([sweep, other])
