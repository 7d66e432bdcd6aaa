"""How tests of wrong uses are written: a table with a line per use, and what each of them must give."""

import faulthandler
from pathlib import Path
from types import SimpleNamespace

import pytest

import paretofl
from conftest import TwoTargets

LONGEST = 120  # seconds after which a use hangs; the traces of all threads are printed then


def problem(**methods):
    """A problem of two objectives and four clients with other methods."""
    return type("Mine", (TwoTargets,), methods)()


def uses(*table):
    """A test's parameters of a table (name, use, what was expected, what was found)."""
    return pytest.mark.parametrize("use, expected, found", [pytest.param(*row, id=name.replace(" ", "-")) for name, *row in table])


@pytest.fixture
def at(tmp_path):
    """Where a use happens: `new` is a folder that is not there yet, `kept` holds a run, and `run` trains a problem in `new`."""
    kept = paretofl.run(TwoTargets(), strategy="fedavg", rounds=2, directory=tmp_path / "kept", progress=False)

    def run(trained=None, strategy="fedavg", rounds=1, **arguments):
        arguments = {"directory": tmp_path / "new", "progress": False, **arguments}
        return paretofl.run(TwoTargets() if trained is None else trained, strategy=strategy, rounds=rounds, **arguments)

    return SimpleNamespace(kept=kept, new=tmp_path / "new", folder=tmp_path, run=run)


@pytest.fixture(autouse=True)
def no_hang():
    faulthandler.dump_traceback_later(LONGEST, exit=True)
    yield
    faulthandler.cancel_dump_traceback_later()


def files_of(folder):
    return {file.relative_to(folder): file.read_bytes() for file in sorted(Path(folder).rglob("*")) if file.is_file()}


def check_one_error(at, use, expected, found):
    """The use gives one paretofl.Error with what was expected and found; the run that was there is as before, and can go on."""
    before = files_of(at.kept.directory)
    with pytest.raises(paretofl.Error) as raised:
        use(at)
    message = str(raised.value)
    assert expected in message and found in message and len(message) < 3000, message
    assert message.index("expected") < message.index("found")
    assert files_of(at.kept.directory) == before
    longer = paretofl.run(TwoTargets(), resume=at.kept.directory, rounds=3, progress=False)
    assert longer.summary["parameters_sha256"] == WHOLE.digest(at.folder)


def check_failures(at, use, expected, found):
    """The use lets clients fail: a run that goes on with the others has their reasons, and a traceback where code of the user's raised."""
    run = use(at)
    reasons = [failure["reason"] for row in run.metrics for failure in row["failures"]]
    assert reasons and run.summary["status"] == "completed"
    for reason in reasons:
        assert expected in reason and found in reason, reason


class Whole:
    """The digest of three rounds that nothing interrupted."""

    known = None

    def digest(self, folder):
        if self.known is None:
            run = paretofl.run(TwoTargets(), strategy="fedavg", rounds=3, directory=folder / "whole", progress=False)
            self.known = run.summary["parameters_sha256"]
        return self.known


WHOLE = Whole()
