"""What a problem of one's own must offer."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from types import SimpleNamespace

import numpy as np
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped, unused-ignore]

from paretofl._engine import Draw, Error
from paretofl.annotations import ArrayLike, NDArray
from paretofl.arrays import check_text, short, to_numpy
from paretofl.settings import named as named_table
from paretofl.source_files import digests_of


class Problem:
    """A federated problem that Python code defines: clients with M objectives of d shared parameters theta.

    Subclasses define `num_clients`, `objectives`, `initial_parameters` and `gradients`, and may define the other methods.
    `paretofl.run(problem, strategy=...)` trains it by any strategy that works with gradients. Methods may be called from several threads
    for different clients. Equal arguments must give equal results, so random numbers come from `draw`. An exception in `gradients` is a
    failure of that client. The run records it and continues if enough other clients answered.

    A subclass may set `single_samples = True` if its losses and gradients are means over the samples that `draw.minibatch(num_samples, ..)`
    names, with `num_samples(client)` of them, and what is computed of a sample depends on no other. Such problems train with the settings
    privacy.example_*, under which a draw names one sample.
    """

    single_samples = False
    _made_by = None  # the function that has made the problem for a party
    _initial_advice = ""  # how initial parameters are made the same in every process, for an error's end

    def num_clients(self) -> int:
        """The number of clients, at least 1."""
        raise NotImplementedError(f"{type(self).__name__}.num_clients")

    def objectives(self) -> Sequence[str]:
        """The names of the M objectives."""
        raise NotImplementedError(f"{type(self).__name__}.objectives")

    def initial_parameters(self) -> ArrayLike | Mapping[str, ArrayLike]:
        """theta at the start: an array [d], or a dictionary of named arrays of any shapes, which are laid out one after the other (see
        `unflatten`). They are finite numbers and become float32."""
        raise NotImplementedError(f"{type(self).__name__}.initial_parameters")

    def gradients(self, client: int, theta: NDArray[np.float32], draw: Draw) -> tuple[ArrayLike, ArrayLike]:
        """A pair of the losses [M] and their gradients [M, d] on one minibatch of a client. Both are finite.

        client: the client's number, from 0.
        theta: [d], float32, where the gradients are taken. It is read-only and valid for this call.
        draw: `draw.minibatch(num_samples, batch_size)` chooses the samples, and `draw.seed` seeds all that is random.
        """
        raise NotImplementedError(f"{type(self).__name__}.gradients")

    def evaluate(self, theta: NDArray[np.float32]) -> Mapping[str, ArrayLike]:
        """Test figures of theta [d]: a dictionary with M numbers per metric, such as {"loss": [..], "accuracy": [..]}. A single number
        is a figure of the whole model. A run of a problem that does not define it has no test figures."""
        raise NotImplementedError(f"{type(self).__name__}.evaluate")

    def validate(self, theta: NDArray[np.float32]) -> Mapping[str, ArrayLike]:
        """The same as `evaluate` on held-out data, by which the setting evaluation.choose_by may choose the model that is kept."""
        raise NotImplementedError(f"{type(self).__name__}.validate")

    def evaluate_held_out(self, client: int, theta: NDArray[np.float32]) -> tuple[Mapping[str, ArrayLike], float] | None:
        """A pair of the figures of theta [d] on the data that a client holds out itself, M numbers per metric as in `evaluate`, and the number
        of samples that they are means of; None where it holds none out. Of use with the setting evaluation.federated, by which the server
        gathers them. Default: no client holds data out."""
        raise NotImplementedError(f"{type(self).__name__}.evaluate_held_out")

    def num_samples(self, client: int) -> float:
        """The number of samples of a client, which is its weight in means over clients. The default is 1 for each client."""
        return 1

    def own_clients(self) -> Sequence[int] | None:
        """The clients whose data this process has, where it is a party of a federation: [k] at client k, and [] at the server. The other
        methods are then asked about these clients alone. Default: None, all, as in a simulation. See `paretofl.host` and
        `paretofl.federate`."""
        return None

    def preference(self, client: int) -> ArrayLike | None:
        """A client's private preference [M], positive numbers of any scale, for personalized strategies. None, the default: all objectives
        count the same."""
        return None

    def client_objectives(self, client: int) -> Sequence[str] | None:
        """The names of the objectives that a client has, where it has some of them only. Default: None, all.

        Each objective then counts as its mean over the clients that have it: n / n_k times client i's losses and gradients of objective k,
        which n_k of the n clients have, and 0 for clients without it, whatever `gradients` returns for it. Clients that weigh their
        objectives by themselves (`firm`, `tfirm`, `fedmoa`, `fedgrpo` and personalized strategies) weigh those that they have, uncounted.
        """
        return None

    def heads(self) -> Mapping[str, Sequence[str]]:
        """The named parameters that serve one objective alone: {objective: [names]}. By default all parameters are shared."""
        return {}

    def unflatten(self, theta: NDArray[np.float32]) -> dict[str, NDArray[np.float32]]:
        """Views of theta [d] with the names and shapes of `initial_parameters`. Error on another number of parameters."""
        size = sum(int(np.prod(shape, dtype=np.int64)) for _, shape, _ in self._description().slices)
        if np.shape(theta) != (size,):
            raise Error(f"theta: expected shape [{size}], found {list(np.shape(theta))}")
        parts, begin = {}, 0
        for name, shape, _ in self._description().slices:
            size = int(np.prod(shape, dtype=np.int64))
            parts[name] = theta[begin : begin + size].reshape(shape)
            begin += size
        return parts

    # What the engine calls, with memory of its own to write into. The views are valid until the method returns.

    def _jacobian(self, client, theta, draw, losses, jacobian):
        found_losses, found_jacobian = self._gradients(client, theta, draw, losses.size)
        losses[:] = found_losses
        jacobian[:] = found_jacobian

    def _weighted_gradient(self, client, theta, weights, draw, losses, gradient):
        found_losses, found_jacobian = self._gradients(client, theta, draw, losses.size)
        losses[:] = found_losses
        gradient[:] = weights @ found_jacobian.astype(np.float64)

    def _objective_gradient(self, client, theta, objective, draw, gradient):
        found_losses, found_jacobian = self._gradients(client, theta, draw, len(self._description().objectives))
        gradient[:] = found_jacobian[objective]
        return float(found_losses[objective])

    def _gradients(self, client, theta, draw, objectives):
        theta.setflags(write=False)
        result = self.gradients(client, theta, draw)
        if not isinstance(result, tuple) or len(result) != 2:
            raise Error(f"gradients: expected a tuple (losses, jacobian), found {type(result).__name__}")
        losses = to_numpy(result[0], "losses", np.float64, 1)
        jacobian = to_numpy(result[1], "jacobian", np.float32, 2)
        has = self._description().has_objective[client]
        if losses.shape != (objectives,):
            raise Error(f"losses: expected {objectives}, one per objective, found {losses.size}")
        if jacobian.shape != (objectives, theta.size):
            raise Error(f"jacobian: expected shape [{objectives}, {theta.size}], one row per objective, found {list(jacobian.shape)}")
        if not all(has):
            losses, jacobian = np.where(has, losses, 0), np.where(np.reshape(has, (-1, 1)), jacobian, 0)
        check_finite(losses, "losses", self._description().objectives)
        check_finite(jacobian, "jacobian", self._description().objectives)
        return losses, jacobian

    def _has(self, method):
        """Whether the problem defines this method, such as `evaluate`."""
        return getattr(type(self), method) is not getattr(Problem, method)

    def _evaluation(self, theta, split, client):
        """Figures of theta: a model for all clients, for which `client` is None, or the client's own."""
        theta.setflags(write=False)
        figures = self.evaluate(theta) if split == "test" else self.validate(theta)
        return split_figures(figures, self._description().objectives)

    def _held_out_evaluation(self, theta, client):
        """Figures per objective and the number of samples; none where the client holds nothing out."""
        theta.setflags(write=False)
        found = self.evaluate_held_out(client, theta)
        if found is None:
            return {}, 0.0
        if not isinstance(found, tuple) or len(found) != 2:
            raise Error(f"evaluate_held_out: expected a tuple (figures, number of samples) or None, found {type(found).__name__}")
        figures, samples = found
        if isinstance(samples, bool) or not isinstance(samples, (int, float, np.number)) or not (np.isfinite(samples) and samples > 0):
            raise Error(f"evaluate_held_out: expected a positive number of samples, found {samples!r}")
        per_objective, overall = split_figures(figures, self._description().objectives)
        if overall:
            raise Error(f"evaluate_held_out: expected one number per objective for {sorted(overall)[0]}, found a single one")
        for metric, values in per_objective.items():
            if not np.all(np.isfinite(values)):
                raise Error(f"evaluate_held_out: expected finite numbers for {metric}, found {values}")
        return per_objective, float(samples)

    def _workload(self):
        """The config's workload of a run of this problem."""
        description = self._description()
        return {"name": "python", "problem": description.name, "fingerprint": description.fingerprint}

    def _code(self):
        """SHA-256 by name of the Python files that define the problem, which all parties of a federation must have alike."""
        return digests_of(self._defined_by())

    def _defined_by(self):
        """The classes and functions that the problem is made of."""
        return [type(self), *([] if self._made_by is None else [self._made_by])]

    def _parts(self):
        """Pairs of a name for people and a class or a function that the problem is made of: a run that is resumed with others warns."""
        return [(item.__qualname__, item) for item in self._defined_by() if isinstance(item, type)]

    def _sample_digests(self):
        """Digests of some samples of data sets, by names for people, where `_facts` has none of the data."""
        return {}

    def _facts(self):
        """What else of the problem a resumed run must share with the run's beginning, as a list of texts and numbers."""
        return []

    def _running(self):
        """A context for the length of a run: the engine's threads work side by side, so that BLAS must not start threads of its own."""
        return threadpool_limits(1)

    def _initial(self):
        """theta [d] at the start, as the engine has it."""
        theta = lay_out(self.initial_parameters(), self.heads(), self._description().objectives)[1]
        if hashlib.sha256(theta).digest() != self._description().initial_digest:
            raise Error("initial_parameters: expected the same numbers as at the beginning of the run, found others")
        return theta

    def _description(self, anew=False):
        """What the engine must know, checked: kept until it is asked for anew, as at the beginning of every run."""
        if anew or getattr(self, "_kept_description", None) is None:
            self._kept_description = describe(self)
        return self._kept_description


def check_finite(values, name, objectives):
    """Error unless every row of values [M, ...] is finite; it names the objective."""
    for k, row in enumerate(values):
        if not np.all(np.isfinite(row)):
            raise Error(f"{name}: expected finite numbers, found others for objective {objectives[k]}")


def split_figures(figures, objectives):
    """The figures per objective, and those of the whole, of what `evaluate` returned."""
    if not hasattr(figures, "items"):
        raise Error(f"evaluate: expected a dictionary of figures by metric, found {type(figures).__name__}")
    if not figures:
        raise Error("evaluate: expected at least one figure, found none; without a method evaluate, a run has no test figures")
    per_objective, overall = {}, {}
    for metric, values in figures.items():
        if isinstance(values, Mapping):
            raise Error(f"evaluate: expected a list of {len(objectives)} numbers for {metric}, in the order {', '.join(objectives)}, found a dictionary")
        if np.ndim(values) == 0:
            overall[str(metric)] = float(to_numpy(values, f"evaluate: {metric}", np.float64, 0))
            continue
        array = to_numpy(values, f"evaluate: {metric}", np.float64, 1)
        if array.size != len(objectives):
            raise Error(f"evaluate: expected {len(objectives)} numbers for {metric}, one per objective, or a single one, found {array.size}")
        per_objective[str(metric)] = array.tolist()
    return per_objective, overall


def describe(problem):
    """Everything about a problem that is the same in every round. Error on what no engine can train."""
    num_clients = problem.num_clients()
    if not isinstance(num_clients, (int, np.integer)) or isinstance(num_clients, bool) or num_clients < 1:
        raise Error(f"num_clients: expected an integer of at least 1, found {num_clients!r}")
    objectives = problem.objectives()
    objectives = list(objectives) if hasattr(objectives, "__iter__") and not isinstance(objectives, str) else objectives
    if not isinstance(objectives, list) or not objectives or not all(isinstance(name, str) and name for name in objectives) or len(set(objectives)) != len(objectives):
        raise Error(f"objectives: expected different names, one per objective, found {objectives!r}")
    check_text("".join(objectives), "objectives")
    slices, initial = lay_out(problem.initial_parameters(), problem.heads(), objectives)
    own = problem.own_clients()
    if own is not None and (not hasattr(own, "__len__") or len(own) > 1 or not all(isinstance(client, (int, np.integer)) and 0 <= client < num_clients for client in own)):
        raise Error(f"own_clients: expected None, [] or a list of one client below {num_clients}, found {own!r}")
    known = range(num_clients) if own is None else own
    num_samples = [problem.num_samples(client) if client in known else 1 for client in range(num_clients)]
    for client, samples in enumerate(num_samples):
        try:
            fits = isinstance(samples, (int, float, np.integer, np.floating)) and 0 < float(samples) < 1e300
        except OverflowError:  # an integer beyond floats
            fits = False
        if not fits:
            raise Error(f"num_samples: expected a positive number for client {client}, found {short(samples)}")
    num_samples = [float(samples) for samples in num_samples]
    if not sum(num_samples) < 1e300:
        raise Error(f"num_samples: expected a sum over the clients below 1e300, found {sum(num_samples)}")
    if problem.single_samples and not all(samples.is_integer() for samples in num_samples):
        raise Error(f"num_samples: expected whole numbers with single_samples, found {num_samples}")
    preferences = [[1.0] * len(objectives) if weights is None else to_numpy(weights, "preference", np.float64, 1).tolist()
                   for weights in (problem.preference(client) if client in known else None for client in range(num_clients))]
    has_objective = [objectives_of(client, problem.client_objectives(client), objectives) for client in range(num_clients)]
    for k, name in enumerate(objectives):
        if not any(has[k] for has in has_objective):
            raise Error(f"client_objectives: expected a client that has {name}, found none")
    name = f"{type(problem).__module__}.{type(problem).__qualname__}"
    facts = (num_clients, objectives, slices, num_samples, preferences) if own is None else ("parties", num_clients, objectives, slices)
    if not all(map(all, has_objective)):
        facts += (has_objective,)
    facts += tuple(problem._facts())
    digest = hashlib.sha256(repr(facts).encode())
    facts_digest = digest.hexdigest()
    digest.update(initial)
    return SimpleNamespace(
        name=name, num_clients=int(num_clients), objectives=objectives, slices=slices, own=None if own is None else list(own), single_samples=bool(problem.single_samples), initial_digest=hashlib.sha256(initial).digest(), facts_digest=facts_digest, num_samples=num_samples,
        preferences=preferences, has_objective=has_objective, has_test=problem._has("evaluate"), has_validation=problem._has("validate"), has_held_out=problem._has("evaluate_held_out"), fingerprint=digest.hexdigest()[:32])


def objectives_of(client, names, objectives):
    """Whether a client has each of the objectives [M]."""
    if names is None:
        return [True] * len(objectives)
    names = [names] if isinstance(names, str) else names
    if not isinstance(names, (list, tuple, set, frozenset)):
        raise Error(f"client_objectives: expected names of {objectives} for client {client}, found {names!r}")
    unknown = [name for name in names if name not in objectives]
    if unknown or not names:
        raise Error(f"client_objectives: expected names of {objectives} for client {client}, found {unknown or 'none'}")
    return [name in names for name in objectives]


def lay_out(initial, heads, objectives):
    """Slices (name, shape, head), the shared ones first, and theta [d] in their order."""
    named = dict(initial) if hasattr(initial, "items") else {"theta": to_numpy(initial, "initial_parameters", np.float32, 1)}
    for name in named:
        if not isinstance(name, str):
            raise Error(f"initial_parameters: expected names of arrays, found {name!r}")
        check_text(name, "initial_parameters: names")
    head_of = {}
    for objective, names in named_table("heads", heads, "of parameters' names by objective").items():
        if objective not in objectives:
            raise Error(f"heads: expected objectives of {objectives}, found {objective!r}")
        for name in names:
            if name not in named:
                raise Error(f"heads: expected names of parameters for {objective}, found {name!r}; known: {', '.join(named)}")
            if name in head_of:
                raise Error(f"heads: expected every parameter in one head at most, found {name} in two")
            head_of[name] = objectives.index(objective)
    ordered = sorted(named, key=lambda name: head_of.get(name, -1))
    arrays = {}
    for name in ordered:
        value = named[name]
        arrays[name] = to_numpy(value, f"initial_parameters: {name}", np.float32, np.ndim(value))
    slices = [(name, [int(extent) for extent in arrays[name].shape], head_of.get(name, -1)) for name in ordered]
    theta = np.concatenate([arrays[name].ravel() for name in ordered]) if ordered else np.empty(0, np.float32)
    if theta.size == 0:
        raise Error("initial_parameters: expected at least one number, found none")
    if not np.all(np.isfinite(theta)):
        raise Error("initial_parameters: expected finite numbers, found others")
    return slices, theta
