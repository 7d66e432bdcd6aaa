"""A package that only some functions need, and that is missing, is named with the command that installs it."""

import pytest

import paretofl
from paretofl import optional_packages


@pytest.fixture
def nothing_installed(monkeypatch):
    monkeypatch.setattr(optional_packages, "find_spec", lambda package: None)


def test_a_missing_package_is_named_with_its_command(tmp_path, two_targets, nothing_installed):
    run = paretofl.run(two_targets(), strategy="fedavg", rounds=1, directory=tmp_path / "run")
    with pytest.raises(ImportError, match=r'plot: expected the package matplotlib, found none; pip install "paretofl\[plot\]"'):
        run.plot()
    with pytest.raises(ImportError, match=r'to_pandas: expected the package pandas, found none; pip install "paretofl\[pandas\]"'):
        run.metrics.to_pandas()
    for callback, package in ((paretofl.callbacks.WandB, "wandb"), (paretofl.callbacks.MLflow, "mlflow")):
        with pytest.raises(ImportError, match=f'expected the package {package}, found none; pip install "{package}"'):
            callback()


def test_a_package_that_is_there_is_no_error():
    optional_packages.expect_package("numpy", "test", "numpy")


@pytest.mark.parametrize("found, good", [("3.6.3", False), ("2.99", False), ("3.7", True), ("3.7.0rc1", True), ("3.10.1", True), ("4", True)])
def test_a_version_that_is_too_old_is_named_beside_the_oldest(monkeypatch, found, good):
    monkeypatch.setattr(optional_packages, "version", lambda package: found)
    if good:
        optional_packages.expect_package("numpy", "plot", "paretofl[plot]", (3, 7))
    else:
        with pytest.raises(ImportError, match=rf'plot: expected numpy 3.7 or newer, found {found}; pip install "paretofl\[plot\]"'):
            optional_packages.expect_package("numpy", "plot", "paretofl[plot]", (3, 7))


def test_a_plot_names_the_matplotlib_that_is_too_old(tmp_path, two_targets, monkeypatch):
    run = paretofl.run(two_targets(), strategy="fedavg", rounds=1, directory=tmp_path / "run")
    monkeypatch.setattr(optional_packages, "find_spec", lambda package: True)
    monkeypatch.setattr(optional_packages, "version", lambda package: "3.6.3")
    with pytest.raises(ImportError, match="plot: expected matplotlib 3.7 or newer, found 3.6.3"):
        run.plot()
