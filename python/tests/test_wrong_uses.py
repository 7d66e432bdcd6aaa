"""Wrong uses of runs, sweeps, problems, arrays and parts: each gives one paretofl.Error that says what was expected and what was found."""

import numpy as np
import pytest

import paretofl
from conftest import TwoTargets
from wrong_use import at, check_failures, check_one_error, no_hang, problem, uses  # noqa: F401


def with_file(at):
    at.new.mkdir()
    (at.new / "notes.txt").write_text("mine")
    return at.new


def sweep(at, **arguments):
    return paretofl.sweep(TwoTargets(), directory=at.new, progress=False, **{"strategy": "fedavg", "rounds": 1, **arguments})


UNTESTED = dict(evaluate=paretofl.Problem.evaluate)

RUNS = [
    ("no config", lambda at: paretofl.run(), "expected a config, a problem or resume", "found none"),
    ("config of another type", lambda at: paretofl.run(3), "expected a path, a preset's name, a dictionary or a paretofl.Problem", "found int"),
    ("class of a problem", lambda at: at.run(TwoTargets), "expected a path, a preset's name, a dictionary or a paretofl.Problem", "found type"),
    ("unknown preset", lambda at: paretofl.run("fedcmoo-quadratic", directory=at.new), "expected a TOML file or a preset", "did you mean fedcmoo-quadratics?"),
    ("no strategy", lambda at: at.run(strategy=None), "expected strategy=NAME", "found none"),
    ("unknown strategy", lambda at: at.run(strategy="fedcmo"), "expected one of fedavg, fedprox", "found 'fedcmo'; did you mean fedcmoo?"),
    ("strategy of another type", lambda at: at.run(strategy=3), "expected a name or a dictionary with a name", "found 3"),
    ("strategy without name", lambda at: at.run(strategy={"local_steps": 3}), "expected a name or a dictionary with a name", "found {'local_steps': 3}"),
    ("unknown solver", lambda at: at.run(strategy={"name": "fedcmoo", "solver": "upgrd"}), "expected one of fixed", "found 'upgrd'; did you mean upgrad?"),
    ("unknown option", lambda at: at.run(strategy={"name": "fedavg", "local_stepz": 3}), "expected a known key", "found strategy.local_stepz"),
    ("option of a solver by a dot", lambda at: at.run(strategy={"name": "fedcmoo", "solver": "kl_preference", "solver.mu": 0.1}),
     "expected the options of solver in a dictionary of their own, such as 'solver': {'name': 'kl_preference', 'mu': 0.1}", "found the key 'solver.mu'"),
    ("option of a config's solver by a dot", lambda at: paretofl.run({"workload": "quadratics", "strategy": {"name": "fedcmoo", "strategy.solver.mu": 1}}),
     "expected the options of solver in a dictionary of their own, such as 'solver': {'name': '...', 'mu': 1}", "found the key 'strategy.solver.mu'"),
    ("too large a cohort", lambda at: at.run(strategy={"name": "fedavg", "cohort_size": 9}), "expected 1 to 4 clients", "found 9"),
    ("unknown key", lambda at: at.run(options={"runds": 3}), "expected a known key", "found runds; did you mean rounds?"),
    ("options as a list", lambda at: at.run(options=["rounds=3"]), "expected a dictionary of settings", "found list"),
    ("options with a number as key", lambda at: at.run(options={3: 4}), "expected a dictionary of settings", "found the key 3"),
    ("option of any object", lambda at: at.run(options={"evaluation.every": object()}), "expected a bool, a number, a str or a list", "found object"),
    ("option that is an argument too", lambda at: at.run(options={"rounds": 5}), "expected no rounds, which an argument sets to 1", "found 5"),
    ("option with a value in its key", lambda at: at.run(options={"evaluation.every=1 #": 7}), "expected a key such as", "found 'evaluation.every=1 #'"),
    ("option with a lone surrogate", lambda at: at.run(options={"data.root": "/tmp/\udcff"}), "data.root: expected texts of valid Unicode", "found lone surrogates"),
    ("overwrite as a text", lambda at: at.run(overwrite="no"), "overwrite: expected True or False", "found 'no'"),
    ("strategy with a number as its name", lambda at: at.run(strategy={"name": 3}), "expected a name or a dictionary with a name", "found {'name': 3}"),
    ("negative rounds", lambda at: at.run(rounds=-1), "expected rounds >= 1", "found -1"),
    ("rounds as a text", lambda at: at.run(rounds="ten"), "expected an integer for rounds", 'found a text ("ten")'),
    ("rounds of a half", lambda at: at.run(rounds=2.5), "expected an integer for rounds", "found a real (2.5)"),
    ("no threads", lambda at: at.run(threads=0), "expected runtime.threads 1 to 256", "found 0"),
    ("negative seed", lambda at: at.run(seed=-1), "expected seed 0 to", "found -1"),
    ("directory of another type", lambda at: at.run(directory=3), "directory: expected a path", "found int"),
    ("directory with a null character", lambda at: at.run(directory="a\0b"), "directory: expected a path", "found a text with a null character"),
    ("directory with a file", lambda at: at.run(directory=with_file(at)), "to be empty or absent", "found files in it"),
    ("directory with a run", lambda at: at.run(directory=at.kept.directory), "to be empty or absent", "found files in it; use resume=DIRECTORY or overwrite=True"),
    ("sweep in the folder of another", lambda at: [sweep(at), sweep(at)], "to be empty or absent", "found a sweep in it; use resume=True"),
    ("weights as a dictionary", lambda at: at.run(strategy={"name": "fedavg", "objective_weights": {"first": 1, "second": 2}}),
     "strategy.objective_weights: expected a list of 2 numbers, in the order first, second", "found a dictionary"),
    ("preference of a config as a dictionary", lambda at: paretofl.run("fedcmoo-quadratics", strategy={"name": "fedcmoo", "preference": {"a": 1}}),
     "strategy.preference: expected a list of numbers, one for each objective in their order", "found a dictionary"),
    ("directory is a file", lambda at: at.run(directory=with_file(at) / "notes.txt"), "expected a folder", "found the file"),
    ("callback of another type", lambda at: at.run(callbacks=3), "expected functions of a row or paretofl.callbacks.Callback objects", "found int"),
    ("class of a callback", lambda at: at.run(callbacks=paretofl.callbacks.Callback), "expected functions of a row", "found the class Callback"),
    ("run within a run", lambda at: at.run(callbacks=lambda row: at.run(directory=at.folder / "inner")), "expected one run at a time", "found another under way"),
    ("model chosen without validation", lambda at: at.run(options={"evaluation.choose_by": "validation.loss"}), "a validation split", "found none"),
]

RESUMING = [
    ("of nothing", lambda at: paretofl.run(TwoTargets(), resume=at.new), "expected a run in", "found no config.toml"),
    ("of another type", lambda at: paretofl.run(TwoTargets(), resume=3), "resume: expected a path", "found int"),
    ("with another problem", lambda at: paretofl.run(TwoTargets(clients=5), resume=at.kept.directory), "expected the problem of this run", "found conftest.TwoTargets with"),
    ("without the problem", lambda at: paretofl.run(resume=at.kept.directory), "expected a problem for a run of conftest.TwoTargets", "found none"),
    ("with a strategy", lambda at: paretofl.run(TwoTargets(), resume=at.kept.directory, strategy="fedcmoo"), "expected resume with rounds, threads and options alone", "found strategy"),
    ("with another option", lambda at: paretofl.run(TwoTargets(), resume=at.kept.directory, options={"strategy.client_lr": 0.5}), "expected --set of rounds", "found 'strategy.client_lr=0.5'"),
    ("with fewer rounds", lambda at: paretofl.run(TwoTargets(), resume=at.kept.directory, rounds=1), "resume: expected rounds of at least 2", "found 1"),
]

READING = [
    ("a folder without a run", lambda at: paretofl.Run(at.folder), "expected a run's directory with a config.toml", "found none"),
    ("a folder of another type", lambda at: paretofl.Run(3), "expected a path", "found int"),
    ("the front of a run without test figures", lambda at: at.run(problem(**UNTESTED)).front(), "expected rounds with test figures", "found none"),
    ("the front by an unknown metric", lambda at: at.kept.front("acuracy"), "expected one of loss", "found 'acuracy'"),
    ("the module of a NumPy problem", lambda at: at.kept.model(), "expected a run of a paretofl.torch.Problem", "found TwoTargets"),
    ("an export of another format", lambda at: at.kept.export(at.new, "onxx"), "expected the format safetensors, numpy or onnx", "found 'onxx'"),
    ("a network of a NumPy problem", lambda at: at.kept.export(at.new, "onnx"), "expected the format safetensors or numpy", "found onnx"),
    ("figures without the problem", lambda at: paretofl.Run(at.kept.directory).evaluate(), "expected a problem for a run of", "found none"),
    ("an export to another type", lambda at: at.kept.export(3), "export: expected a path", "found int"),
    ("an export for a client of another type", lambda at: at.kept.export(at.new, client="a"), "client: expected an integer", "found 'a'"),
    ("an export for a text as preference", lambda at: at.kept.export(at.new, preference="12"), "preference: expected an array of numbers", "found elements of type <U2"),
    ("a report in another type", lambda at: at.kept.report(3), "report: expected a path", "found int"),
    ("figures on data of another type", lambda at: at.kept.evaluate(3), "data: expected a path", "found int"),
    ("a plot in a file of another type", lambda at: at.kept.plot("metrics", 3), "path: expected a path", "found int"),
    ("a plot of another kind", lambda at: at.kept.plot("metric"), "expected a kind of metrics, weights, front", "found 'metric'"),
    ("a plot in another format", lambda at: at.kept.plot("metrics", at.folder / "x.gif"), "expected a path that ends in .svg, .pdf or .png", "x.gif"),
    ("a folder without a sweep", lambda at: paretofl.Sweep(at.folder), "expected a sweep's folder with a sweep.json", "found none"),
]

SWEEPS = [
    ("over an unknown key", lambda at: sweep(at, over={"strategy.lr": [1, 2]}), "expected one of name, cohort_size", "found the unknown key strategy.lr"),
    ("over a list", lambda at: sweep(at, over=["strategy.client_lr"]), "expected a dictionary of lists", "found list"),
    ("over one value", lambda at: sweep(at, over={"strategy.client_lr": 0.1}), "expected a list of values", "found 0.1"),
    ("over preferences of another length", lambda at: sweep(at, strategy="fedcmoo_pref", preferences=[[1, 2, 3]]), "expected a preference over 2 objectives", "found [1, 2, 3]"),
    ("over numbers as preferences", lambda at: sweep(at, strategy="fedcmoo_pref", preferences=[1, 2]), "expected a number, NAME:N", "found '1,2'"),
    ("over one seed without a list", lambda at: sweep(at, seeds=1), "expected a list of integers or a text", "found 1"),
    ("over no seeds", lambda at: sweep(at, seeds=[]), "expected a list of integers or a text", "found []"),
    ("over seeds as a set of texts", lambda at: sweep(at, seeds={"1"}), "expected a list of integers or a text", "found {'1'}"),
    ("with a text as reference point", lambda at: sweep(at, reference="worst"), "expected an array of numbers", "found elements of type"),
    ("without jobs", lambda at: sweep(at, jobs=0), "expected an integer from 1 to 4096", "found 0"),
    ("in a directory of another type", lambda at: paretofl.sweep(TwoTargets(), directory=3, strategy="fedavg"), "directory: expected a path", "found int"),
    ("in a directory with a run", lambda at: paretofl.sweep(TwoTargets(), directory=at.kept.directory, strategy="fedavg"), "to be empty or absent", "found"),
]

PROBLEMS = [
    ("no clients", dict(num_clients=lambda self: 0), "num_clients: expected an integer of at least 1", "found 0"),
    ("objectives of one name", dict(objectives=lambda self: ["a", "a"]), "objectives: expected different names", "found ['a', 'a']"),
    ("objectives that are no Unicode", dict(objectives=lambda self: ["a\udcff", "b"]), "objectives: expected texts of valid Unicode", "found lone surrogates"),
    ("parameters named by numbers", dict(initial_parameters=lambda self: {1: np.zeros(3)}), "initial_parameters: expected names of arrays", "found 1"),
    ("parameters named by no Unicode", dict(initial_parameters=lambda self: {"a\udcff": np.zeros(3)}), "initial_parameters: names: expected texts of valid Unicode", "found lone surrogates"),
    ("parameters with a mask", dict(initial_parameters=lambda self: np.ma.masked_array([1.0, 2.0, 3.0], mask=[0, 0, 1])), "initial_parameters: expected an array of numbers", "found MaskedArray (some of its elements are masked)"),
    ("objectives as a number", dict(objectives=lambda self: 2), "objectives: expected different names", "found 2"),
    ("no parameters", dict(initial_parameters=lambda self: []), "initial_parameters: expected at least one number", "found none"),
    ("parameters that are not finite", dict(initial_parameters=lambda self: [np.nan] * 3), "initial_parameters: expected finite numbers", "found others"),
    ("parameters as a text", dict(initial_parameters=lambda self: "zero"), "initial_parameters: expected an array of numbers", "found elements of type <U4"),
    ("parameters as a matrix", dict(initial_parameters=lambda self: np.zeros((2, 3))), "initial_parameters: expected 1 dimension", "found 2 (shape (2, 3))"),
    ("head of no objective", dict(heads=lambda self: {"third": ["theta"]}), "heads: expected objectives of ['first', 'second']", "found 'third'"),
    ("head of no parameter", dict(heads=lambda self: {"first": ["head"]}), "heads: expected names of parameters for first", "found 'head'; known: theta"),
    ("heads as a list", dict(heads=lambda self: ["theta"]), "heads: expected a dictionary", "found list"),
    ("preference of another length", dict(preference=lambda self, client: [1, 2, 3]), "preference: expected 2 numbers", "found 3"),
    ("negative preference", dict(preference=lambda self, client: [1, -2]), "preference: expected a finite number >= 0 for objective 1", "found -2"),
    ("client without samples", dict(num_samples=lambda self, client: 0), "num_samples: expected a positive number for client 0", "found 0"),
    ("samples of a complex kind", dict(num_samples=lambda self, client: np.complex64(1)), "num_samples: expected a positive number for client 0", "1+0j"),
    ("samples beyond floats", dict(num_samples=lambda self, client: 10**400), "num_samples: expected a positive number for client 0", "found 1000"),
    ("samples whose sum overflows", dict(num_samples=lambda self, client: 9e299), "num_samples: expected a sum over the clients below 1e300", "found 3.6e+300"),
    ("samples as a text", dict(num_samples=lambda self, client: "many"), "num_samples: expected a positive number for client 0", "found 'many'"),
    ("figures as a list", dict(evaluate=lambda self, theta: [1, 2]), "evaluate: expected a dictionary of figures by metric", "found list"),
    ("figures of another length", dict(evaluate=lambda self, theta: {"loss": [1, 2, 3]}), "evaluate: expected 2 numbers for loss", "found 3"),
    ("figures as a dictionary", dict(evaluate=lambda self, theta: {"loss": {"first": 1, "second": 2}}),
     "evaluate: expected a list of 2 numbers for loss, in the order first, second", "found a dictionary"),
    ("figures as a text", dict(evaluate=lambda self, theta: {"loss": "low"}), "evaluate: loss: expected an array of numbers", "found elements of type <U3"),
    ("no figures", dict(evaluate=lambda self, theta: {}), "evaluate: expected at least one figure", "found none"),
]

FAILURES = [
    ("exception", lambda *_: 1 / 0, "ZeroDivisionError: division by zero\nTraceback", "in <lambda>"),
    ("no tuple", lambda *_: np.zeros((2, 3)), "gradients: expected a tuple (losses, jacobian)", "found ndarray"),
    ("jacobian transposed", lambda *_: (np.zeros(2), np.zeros((3, 2))), "jacobian: expected shape [2, 3], one row per objective", "found [3, 2]"),
    ("a loss too many", lambda *_: (np.zeros(3), np.zeros((2, 3))), "losses: expected 2, one per objective", "found 3"),
    ("loss that is not a number", lambda *_: ([0, np.nan], np.zeros((2, 3))), "losses: expected finite numbers", "found others for objective second"),
    ("infinite gradient", lambda *_: (np.zeros(2), np.full((2, 3), np.inf)), "jacobian: expected finite numbers", "found others for objective first"),
    ("gradient of texts", lambda *_: (np.zeros(2), [["a"] * 3] * 2), "jacobian: expected an array of numbers", "found elements of type <U1"),
    ("complex gradient", lambda *_: (np.zeros(2), np.zeros((2, 3), complex)), "jacobian: expected an array of numbers", "found elements of type complex128"),
    ("rows of several lengths", lambda *_: (np.zeros(2), [[1], [1, 2]]), "jacobian: expected an array of numbers", "found list"),
    ("theta written to", lambda self, client, theta, draw: theta.fill(0), "ValueError: assignment destination is read-only\nTraceback", "theta.fill(0)"),
    ("theta kept", lambda self, client, theta, draw: setattr(self, "kept", theta) or TwoTargets.gradients(self, client, theta, draw), "expected that nothing keeps theta", "found a reference"),
    ("other parameters", lambda self, client: None, "TypeError", "positional arguments but 4 were given"),
    ("empty minibatch", lambda self, client, theta, draw: draw.minibatch(10, 0), "minibatch: expected batch_size of 1 to 2^32 - 1", "found 0"),
    ("number as a text", lambda self, client, theta, draw: draw.minibatch("10", 2), "minibatch: expected num_samples of 1 to 2^32 - 1", "found '10'"),
    ("not defined", paretofl.Problem.gradients, "NotImplementedError: OneClient.gradients\nTraceback", "raise NotImplementedError"),
]

ARRAYS = [
    ("gramian that is not square", lambda at: paretofl.solvers.upgrad([[1, 2, 3], [1, 2, 3]]), "gramian: expected shape [M, M]", "found [2, 3]"),
    ("gramian that is not a number", lambda at: paretofl.solvers.upgrad([[np.nan, 0], [0, 1]]), "gramian: expected finite entries", "found nan at (0, 0)"),
    ("solver that is no name", lambda at: paretofl.solvers.solve(3, np.eye(2)), "expected the name of a solver", "found 3"),
    ("compressor that is no name", lambda at: paretofl.compressors.compress(3, np.eye(2)), "expected the name of a compressor", "found 3"),
    ("reward that is no name", lambda at: paretofl.rewards.score(3, ["a"]), "expected the name of a reward", "found 3"),
    ("distribution that is no name", lambda at: paretofl.preferences.draw(3, 2, 4), "expected the name of a distribution", "found 3"),
    ("unknown option of a solver", lambda at: paretofl.solvers.upgrad(np.eye(2), colour=3), "expected no options", "found solver.colour"),
    ("short reference point", lambda at: paretofl.indicators.hypervolume([[1, 2]], reference=[0]), "expected a reference point of 2 numbers", "found 1"),
    ("points as a text", lambda at: paretofl.indicators.hypervolume("points", reference=[0]), "points: expected an array of numbers", "found elements of type <U6"),
]

PARTS = [
    ("solver of another type", lambda at: paretofl.register_solver("mine", 3), "expected a class derived from paretofl.Solver", "found 3"),
    ("name with a space", lambda at: paretofl.register_solver("my solver", lambda gramian: gramian), "expected a name of lower-case letters", "found 'my solver'"),
    ("name that is taken", lambda at: paretofl.register_solver("upgrad", lambda gramian: gramian), "expected a new name", "found 'upgrad'"),
    ("plugin that is not there", lambda at: paretofl.load_plugin(at.folder / "none.py"), "expected", "found no such file"),
    ("plugin of another type", lambda at: paretofl.load_plugin(3), "plugin: expected a path", "found int"),
]


@uses(*RUNS)
def test_run(at, use, expected, found):
    check_one_error(at, use, expected, found)


@uses(*RESUMING)
def test_resuming(at, use, expected, found):
    check_one_error(at, use, expected, found)


@uses(*READING)
def test_reading(at, use, expected, found):
    check_one_error(at, use, expected, found)


@uses(*SWEEPS)
def test_sweep(at, use, expected, found):
    check_one_error(at, use, expected, found)


@uses(*PROBLEMS)
def test_problem(at, use, expected, found):
    check_one_error(at, lambda at: at.run(problem(**use), strategy="fedpref" if "preference" in use else "fedavg"), expected, found)


@uses(*FAILURES)
def test_failure_of_one_client(at, use, expected, found):
    class OneClient(TwoTargets):
        def gradients(self, client, theta, draw):
            return use(self, client, theta, draw) if client == 1 else super().gradients(client, theta, draw)

    check_failures(at, lambda at: at.run(OneClient()), expected, found)


@uses(*FAILURES)
def test_failure_of_all_clients(at, use, expected, found):
    check_one_error(at, lambda at: at.run(type("OneClient", (TwoTargets,), {"gradients": use})()), "expected a round that enough clients answer", "found all 1 abandoned")


@uses(*ARRAYS)
def test_arrays(at, use, expected, found):
    check_one_error(at, use, expected, found)


@uses(*PARTS)
def test_parts(at, use, expected, found):
    check_one_error(at, use, expected, found)


@pytest.mark.parametrize("convert", [
    lambda array: np.asfortranarray(array), lambda array: np.repeat(array, 2, axis=-1)[..., ::2], lambda array: array.astype(np.float16),
    lambda array: array.tolist(), lambda array: array[::-1][::-1]], ids=["Fortran", "strides", "float16", "lists", "reversed"])
def test_arrays_of_any_layout_are_no_wrong_use(at, convert):
    """Gradients that are not contiguous, of another type, or lists, train to the same parameters."""
    class Halves(TwoTargets):
        def gradients(self, client, theta, draw):
            losses, jacobian = super().gradients(client, theta, draw)
            return self.form(losses.astype(np.float16).astype(np.float64)), self.form(np.round(jacobian, 1).astype(np.float16).astype(np.float64))

        form = staticmethod(lambda array: array)

    plain = at.run(Halves(), directory=at.folder / "plain").summary["parameters_sha256"]
    assert at.run(type("Halves", (Halves,), {"form": staticmethod(convert)})()).summary["parameters_sha256"] == plain
