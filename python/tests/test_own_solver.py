import functools

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


class PowerOfLosses:
    """Weights by powers of the losses."""

    def __call__(self, losses, power=2.0):
        return losses**power


@functools.lru_cache
def by_step(step, offset=0):
    """Weights that change from step to step."""
    return [1, step + offset]


@pytest.mark.parametrize("callable_, known, options, weights, summary", [
    (PowerOfLosses(), {"losses": [1, 3]}, {"power": 1}, [0.25, 0.75], "Weights by powers"),
    (PowerOfLosses().__call__, {"losses": [1, 3]}, {}, [0.1, 0.9], "test_own_solver.PowerOfLosses.__call__"),
    (functools.partial(PowerOfLosses(), power=1), {"losses": [1, 3]}, {}, [0.25, 0.75], "Weights by powers"),
    (functools.partial(PowerOfLosses(), power=1), {"losses": [1, 3]}, {"power": 2}, [0.1, 0.9], "Weights by powers"),
    (by_step, {"step": 3}, {}, [0.25, 0.75], "Weights that change"),
    (by_step, {"step": 3}, {"offset": 1}, [0.2, 0.8], "Weights that change"),
    (lambda power=1.0, **known: known["losses"] ** power, {"losses": [1, 3]}, {}, [0.25, 0.75], "test_own_solver.<lambda>"),
    (lambda losses, *others: losses, {"losses": [1, 3]}, {}, [0.25, 0.75], "test_own_solver.<lambda>")])
def test_any_callable_is_a_solver(callable_, known, options, weights, summary):
    assert paretofl.register_solver("called", callable_) is callable_
    np.testing.assert_allclose(paretofl.solvers.called(GRAMIAN, **known, **options), weights)
    assert paretofl.solvers.called.__doc__.lower().startswith(summary.lower())


@pytest.mark.parametrize("code", ["def part(gramian):\n    return [1, 3]", "import paretofl\nclass part(paretofl.Solver):\n    def solve(self, gramian):\n        return [1, 3]"])
def test_code_without_a_name_is_registered_too(code):
    names = {}
    exec(code, names)
    name = f"of_nowhere_{type(names['part']).__name__}"
    for _ in range(2):
        paretofl.register_solver(name, names["part"])
    assert paretofl.solvers.solve(name, GRAMIAN).tolist() == [0.25, 0.75]


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
    ("mine", object, "expected a class derived from paretofl.Solver or a function"),
    ("mine", 3, "expected a class derived from paretofl.Solver or a function"),
    ("mine", lambda gramian, colour: gramian, "colour"),
    ("mine", lambda gramian, colour={}: gramian, "colour"),
    ("mine", len, "mine: solve: expected parameters of gramian.*found obj"),
    ("mine", type, "derived from paretofl.Solver"),
    ("mine", max, "mine: expected a function with parameters"),
    ("mine", lambda gramian, /: gramian, "expected parameters of"),
    ("mine", lambda gramian, k=["a"]: gramian, "mine: k: expected a bool, int, float, str or a list of numbers as the default, found a list of str"),
    ("mine", lambda gramian, k=["a", 1]: gramian, "mine: .* found both in one list"),
    ("mine", lambda gramian, k=2**70: gramian, "mine: .* for k, found a larger one"),
    ("mine", lambda gramian, k="\ud800": gramian, "mine: .* for k, found lone surrogates"),
    ("mine", lambda gramian, k=None: gramian, "mine: expected a bool, .* as the default of k, found None"),
    ("mine", lambda gramian, k=np.float32(2): gramian, "mine: expected a bool, .* as the default of k, found"),
    ("mine", lambda gramian, k=paretofl.Part("solver", "min_nrm"): gramian, "mine: .*min_norm"),
    ("mine", type("OddReference", (InverseNorm,), {"reference": 3}), "mine: expected a text as the attribute reference, found 3"),
    ("mine", type("OddText", (InverseNorm,), {"reference": "\ud800"}), "mine: .* found lone surrogates"),
    ("mine", NoDefault, "with defaults"),
    ("mine", NoSolve, "method solve"),
    ("mine", AsksForMore, "colour"),
    ("mine", OddOption, "beta"),
])
def test_what_cannot_be_registered_is_one_error(name, solver, message):
    with pytest.raises(paretofl.Error, match=message):
        paretofl.register_solver(name, solver)
    assert "mine" not in dir(paretofl.solvers) and paretofl.solvers.min_norm(GRAMIAN).shape == (2,)


@pytest.mark.parametrize("options, message", [({"powr": 2}, "did you mean.*power"), ({"power": "x"}, "real"), ({"power": np.inf}, "finite")])
def test_wrong_options_are_one_error(options, message):
    with pytest.raises(paretofl.Error, match=message):
        paretofl.solvers.inverse_norm(GRAMIAN, **options)


def test_it_may_be_registered_again_while_it_is_made():
    def register(value, words):
        @paretofl.register_solver("registers_itself")
        class RegistersItself(paretofl.Solver):
            def __init__(self, words=words):
                register(value + 1, words + "x" * 1000)
                self.weights = [1, value]

            def solve(self, gramian):
                return self.weights

    register(1, "x" * 100)
    for value in (1, 2, 3):
        assert paretofl.solvers.registers_itself(GRAMIAN)[1] == value / (1 + value)


def test_nothing_is_registered_while_a_run_is_under_way(tmp_path, two_targets):
    class Registers(two_targets):
        def gradients(self, client, theta, draw):
            paretofl.register_solver("inverse_norm", InverseNorm)

    with pytest.raises(paretofl.Error, match="register: expected the solver inverse_norm before or after a run, found a run under way"):
        paretofl.run(Registers(), strategy={"name": "fedavg", "cohort_size": 2}, rounds=1, directory=tmp_path / "run")
    paretofl.register_solver("inverse_norm", InverseNorm)


def test_an_exception_may_have_a_text_that_is_no_unicode():
    @paretofl.register_solver("says_surrogates")
    def says_surrogates(gramian, how="own"):
        raise (paretofl.Error if how == "error" else KeyError)("caf\ud800")

    for how, message in (("own", r"KeyError: 'caf\\ud800'"), ("error", r"^caf\\ud800$")):
        with pytest.raises(paretofl.Error, match=message):
            paretofl.solvers.says_surrogates(GRAMIAN, how=how)


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


@pytest.mark.parametrize("exception", [KeyboardInterrupt, SystemExit])
def test_what_is_no_exception_of_python_passes_through(tmp_path, two_targets, exception):
    def stops(gramian):
        raise exception("now")

    paretofl.register_solver("stops", stops)
    with pytest.raises(exception, match="now"):
        paretofl.solvers.stops(np.eye(2))

    class Evaluates(two_targets):
        def evaluate(self, theta):
            raise exception("now")

    with pytest.raises(exception, match="now"):
        paretofl.run(Evaluates(), strategy="fedavg", rounds=1, directory=tmp_path / "run")
