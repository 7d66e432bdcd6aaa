import numpy as np
import pytest

import paretofl

GRAMIAN = [[1.0, 0.0], [0.0, 4.0]]


@paretofl.register_solver("inverse_norm")
class InverseNorm(paretofl.Solver):
    """Weights by the inverse of the gradients' norms.

    power: of the norm
    """

    reference = "a test"

    def __init__(self, power=1.0):
        self.power = power

    def solve(self, gramian):
        return np.diag(gramian) ** (-self.power / 2)


@paretofl.register_solver("everything")
class Everything(paretofl.Solver):
    """Remembers what it was asked."""

    negative_weights = True
    asked = []

    def __init__(self, flag=True, count=3, word="x", numbers=(1.0, 2.0), inner=paretofl.Part("solver", "min_norm")):
        self.options = (flag, count, word, numbers)
        self.inner = inner

    def solve(self, gramian, losses, preference, previous, step):
        Everything.asked.append((self.options, losses, preference, previous, step, self.inner.name))
        return -self.inner(gramian)


@paretofl.register_solver("broken")
class Broken(paretofl.Solver):
    def __init__(self, how="raise"):
        self.how = how

    def solve(self, gramian):
        if self.how == "raise":
            raise ZeroDivisionError("no weights today")
        return {"nan": [np.nan, 1], "long": [1, 1, 1], "zero": [0, 0], "negative": [-1, 2], "text": ["a", "b"], "none": None, "deep": [[1], [1]],
                "large": [1e308, 1e308]}[self.how]


def test_it_is_a_function_of_arrays_that_scales_the_weights():
    np.testing.assert_allclose(paretofl.solvers.inverse_norm(GRAMIAN), [2 / 3, 1 / 3])
    np.testing.assert_allclose(paretofl.solvers.inverse_norm(GRAMIAN, power=2), [0.8, 0.2])
    assert "inverse_norm" in dir(paretofl.solvers)
    documentation = paretofl.solvers.inverse_norm.__doc__
    assert "Weights by the inverse of the gradients' norms (a test)." in documentation and "power (real, default 1.0): of the norm" in documentation


def test_a_function_is_a_solver_too():
    @paretofl.register_solver("loss_power")
    def loss_power(losses, power=2.0):
        """Weights by powers of the losses."""
        return losses**power

    np.testing.assert_allclose(paretofl.solvers.loss_power(GRAMIAN, losses=[1, 3]), [0.1, 0.9])
    np.testing.assert_allclose(paretofl.solvers.loss_power(GRAMIAN, losses=[1, 3], power=1), [0.25, 0.75])
    assert paretofl.solvers.loss_power.__doc__.startswith("Weights by powers of the losses.") and loss_power(np.ones(1)) == 1
    with pytest.raises(paretofl.Error, match="unsupported operand"):
        paretofl.solvers.loss_power(GRAMIAN)


def test_it_gets_what_is_known_and_its_options():
    Everything.asked.clear()
    weights = paretofl.solvers.everything(GRAMIAN, losses=[1, 2], preference=[1, 3], previous=[0.5, 0.5], step=7, count=4, numbers=[], inner="upgrad")
    np.testing.assert_allclose(weights, -paretofl.solvers.upgrad(GRAMIAN))
    options, losses, preference, previous, step, inner = Everything.asked[-1]
    assert options == (True, 4, "x", []) and step == 7 and inner == "upgrad"
    assert losses.tolist() == [1, 2] and preference.tolist() == [1, 3] and previous.tolist() == [0.5, 0.5]
    paretofl.solvers.everything(GRAMIAN)
    assert Everything.asked[-1][1:] == (None, None, None, 1, "min_norm")


def test_a_config_names_it(tmp_path, two_targets):
    bits = {}
    for strategy in ("fedcmoo", "fsmgda", "firm", "fedcmoo_a"):
        for threads in (1, 2):
            run = paretofl.run(two_targets(), strategy={"name": strategy, "solver": "inverse_norm"}, rounds=4, threads=threads,
                               directory=tmp_path / f"{strategy}{threads}", options={"strategy.solver.power": 1.5})
            bits.setdefault(strategy, set()).add(run.summary["parameters_sha256"])
            assert not any(row["failures"] for row in run.metrics)
    assert all(len(hashes) == 1 for hashes in bits.values())
    assert "power = 1.5" in (tmp_path / "firm1" / "config.toml").read_text()


def test_it_has_the_bits_of_the_engines_own(tmp_path, two_targets):
    @paretofl.register_solver("own_min_norm")
    class OwnMinNorm(paretofl.Solver):
        def solve(self, gramian):
            return paretofl.solvers.min_norm(gramian)

    runs = [paretofl.run(two_targets(), strategy={"name": "fsmgda", "solver": solver}, rounds=6, directory=tmp_path / solver)
            for solver in ("min_norm", "own_min_norm")]
    np.testing.assert_allclose(runs[0].parameters, runs[1].parameters, rtol=1e-6)


@pytest.mark.parametrize("how, message", [
    ("raise", "ZeroDivisionError: no weights today\nTraceback"), ("nan", "finite"), ("long", "expected 2 weights"), ("zero", "only zeros"),
    ("negative", "at least 0"), ("text", "array of numbers"), ("none", "array of numbers|dimension"), ("deep", "1 dimension"), ("colour", "KeyError")])
def test_wrong_weights_are_one_error(how, message):
    with pytest.raises(paretofl.Error, match=message):
        paretofl.solvers.broken(GRAMIAN, how=how)


def test_large_weights_are_scaled_without_overflow():
    assert paretofl.solvers.broken(GRAMIAN, how="large").tolist() == [0.5, 0.5]


def test_what_it_raises_is_found_before_the_first_round(tmp_path, two_targets):
    with pytest.raises(paretofl.Error, match="ZeroDivisionError"):
        paretofl.run(two_targets(), strategy={"name": "fedcmoo", "solver": "broken"}, directory=tmp_path / "run")
    assert not (tmp_path / "run").exists()


class NoDefault(paretofl.Solver):
    def __init__(self, beta):
        pass

    def solve(self, gramian):
        return [1]


class NoSolve(paretofl.Solver):
    pass


class AsksForMore(paretofl.Solver):
    def solve(self, gramian, colour):
        return [1]


class OddOption(NoDefault):
    def __init__(self, beta=object()):
        pass


@pytest.mark.parametrize("name, solver, message", [
    ("min_norm", InverseNorm, "which a part of ParetoFL has"),
    ("Mine!", InverseNorm, "lower-case"),
    (3, InverseNorm, "lower-case"),
    ("mine", object, "derived from paretofl.Solver"),
    ("mine", lambda gramian, colour: gramian, "colour"),
    ("mine", lambda gramian, colour={}: gramian, "colour"),
    ("mine", len, "derived from paretofl.Solver"),
    ("mine", NoDefault, "with defaults"),
    ("mine", NoSolve, "method solve"),
    ("mine", AsksForMore, "colour"),
    ("mine", OddOption, "beta"),
])
def test_what_cannot_be_registered_is_one_error(name, solver, message):
    with pytest.raises(paretofl.Error, match=message):
        paretofl.register_solver(name, solver)
    assert "mine" not in dir(paretofl.solvers)


@pytest.mark.parametrize("options, message", [({"powr": 2}, "did you mean.*power"), ({"power": "x"}, "real"), ({"power": np.inf}, "finite")])
def test_wrong_options_are_one_error(options, message):
    with pytest.raises(paretofl.Error, match=message):
        paretofl.solvers.inverse_norm(GRAMIAN, **options)


def test_registering_again_replaces_it():
    def register(value):
        class Constant(paretofl.Solver):
            def solve(self, gramian):
                return [value, 1]

        paretofl.register_solver("replaced", Constant)

    register(1)
    register(3)
    assert paretofl.solvers.replaced(GRAMIAN).tolist() == [0.75, 0.25]
    assert dir(paretofl.solvers).count("replaced") == 1
