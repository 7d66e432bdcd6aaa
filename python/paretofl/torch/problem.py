"""A PyTorch module, its losses and the clients' data as a federated problem."""

from __future__ import annotations

import contextlib
import hashlib
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import numpy as np
import torch
from torch import nn

from paretofl import problem as numpy_problem
from paretofl._engine import Error
from paretofl.annotations import NDArray
from paretofl.arrays import integer, short, to_numpy
from paretofl.settings import named
from paretofl.torch.buffers import Buffers
from paretofl.torch.determinism import deterministic
from paretofl.torch.device import device_of
from paretofl.torch.first_minibatch import FirstSamples, check_leaves, check_reached, errors_of, expecting_no_gradients_of, \
    expecting_unwritten, names_with_gradients, warn_of_untrained
from paretofl.torch.heads import ordered_names
from paretofl.torch.losses import checked_figures, checked_loss, detached, evaluated, expecting_unchanged, values
from paretofl.torch.max_pool import EnginePooling
from paretofl.torch.model_source import source_of
from paretofl.torch.modes import no_autocast_cache_in_steps, ordinary_modes, without_autocast_cache
from paretofl.torch.randomness import Randomness
from paretofl.torch.replica import Replica, frozen_parameters
from paretofl.torch.samples import Samples, default_forward, held_out_samples, samples_of, to_device
from paretofl.torch.unchanged import expecting_frozen


class Problem(numpy_problem.Problem):
    """M losses of one PyTorch module, on the data of n clients.

    model: the module. Its parameters that need gradients are theta, under their names. Frozen parameters are shared by all clients and stay
        as they are. Or a function without arguments that makes the module, so that no trainable parameters are in memory beside the engine's. It is
        called with PyTorch's generator seeded, must make the same numbers each time, and `heads` are then given by name.
    objectives: {name: loss}, where `loss(outputs, batch)` is a scalar tensor, the mean over the batch. All losses share one forward pass.
    clients: a list with one data set per client, or a function of the client's number together with `num_clients`. A party of a federation
        gives a dictionary together with `num_clients`: {k: its data set} at client k, and {} at the server. A data set is a tuple
        of tensors, a TensorDataset, or an object with a length and items, of which default_collate makes batches.
    test: a data set to evaluate on. Without it, a run has no test figures.
    validation: a data set by which the setting evaluation.choose_by may choose the model that is kept.
    held_out: a dictionary {client: data set} of what clients hold out themselves, of any of them; a party gives its own alone. With the setting
        evaluation.federated the server gathers the figures.
    metrics: {metric: function}, where `function(outputs, batch)` returns M numbers, means over the batch, such as accuracies.
    heads: {objective: submodule or its name}, the parameters that serve this objective alone.
    client_objectives: for clients that have some of the objectives only, a list with the names of each client's objectives, or a function of
        the client's number. None stands for all. Other losses are not computed on a client's data, which needs no labels for them. See
        `paretofl.Problem.client_objectives`.
    preferences: one list of M positive numbers per client, for personalized strategies. By default all objectives count the same.
    batch_size: the number of samples per minibatch. Evaluation uses the larger one of it and 256.
    forward: `forward(module, batch)` returns the outputs. The default is module(batch[0]) for tuples and lists, module(**batch) for
        dictionaries, and module(batch) otherwise. A dictionary that holds more than the inputs needs a `forward`.
    num_clients: the number of clients, if `clients` is a function.
    device: where the module computes. On the CPU its parameters are views of the engine's theta. On other devices theta and each gradient are
        copied once a step, and steps run one after the other. On CUDA, a run uses deterministic algorithms and warns if an operation has none.
    dtype: torch.bfloat16 for automatic mixed precision. By default there is none. float16 would need scaled losses and is refused.
    memory_format: torch.channels_last computes convolutions and pooling of images in that order in memory, which is often faster, also on the
        CPU, and rounds differently. Weights of four dimensions are then copied once a step.
    buffers: what is done about buffers that training changes, such as the statistics of batch normalization. "refuse" makes them an Error.
        "average": for evaluation and `run.model()` they are measured at theta on up to 20 minibatches of every client, and averaged by the
        clients' numbers of samples. "local": every client has its own. The test figures of a model for all clients are then the mean over
        the clients' figures, and `run.model(client)` needs a client. In training, every step begins with the module's original buffers.
    random: whether steps draw from generators that the whole process shares. By default the first minibatch decides, and steps that give other
        bits with equal seeds, because something keeps a state or has a generator of its own, are an Error.

    A run has the same bits with any number of threads and after resuming. Random numbers of a step, such as those of dropout and
    augmentation, are seeded from the engine's draw. PyTorch's functions that can be given a generator draw from the step's own. Others, such
    as attention with dropout, NumPy's and Python's, draw from the generators that the process shares, and such steps run one after the
    other. With the settings privacy.example_*, which need buffers="refuse", steps go through their samples one by one.

    The constructor tries one minibatch, and raises an Error on losses and data that cannot train.
    """

    def __init__(self, model: nn.Module | Callable[[], nn.Module], objectives: Mapping[str, Callable[[Any, Any], torch.Tensor]],
                 clients: Sequence[Any] | Callable[[int], Any] | Mapping[int, Any], test: Any = None, validation: Any = None,
                 metrics: Mapping[str, Callable[[Any, Any], Any]] | None = None, heads: Mapping[str, nn.Module | str] | None = None,
                 client_objectives: Sequence[Sequence[str] | None] | Callable[[int], Sequence[str] | None] | None = None,
                 preferences: Sequence[Sequence[float]] | None = None, batch_size: int = 32,
                 forward: Callable[[Any, Any], Any] | None = None, num_clients: int | None = None, device: str | torch.device = "cpu",
                 dtype: torch.dtype | None = None, buffers: Literal["refuse", "average", "local"] = "refuse",
                 random: bool | None = None, held_out: Mapping[int, Any] | None = None,
                 memory_format: torch.memory_format = torch.contiguous_format) -> None:
        self._source = source_of(model)
        self._model = self._source.template
        if not hasattr(objectives, "items") or not objectives or not all(callable(loss) for loss in objectives.values()):
            raise Error("objectives: expected a dictionary {name: loss function} with at least one, found " + repr(objectives))
        self._losses = dict(objectives)
        self._metrics = named("metrics", metrics, "{name: function}")
        if "loss" in self._metrics:
            raise Error("metrics: expected other names than loss, which the losses have, found loss")
        for name, function in {"forward": forward or default_forward, **self._metrics}.items():
            if not callable(function):
                raise Error(f"{name}: expected a function, found {function!r}")
        self._forward = forward or default_forward
        self._batch_size = integer(batch_size, "batch_size", 1)
        self._device = device_of(device)
        if dtype not in (None, torch.bfloat16):
            raise Error(f"dtype: expected torch.bfloat16 or None, found {dtype!r}")
        self._dtype = dtype
        if memory_format not in (torch.contiguous_format, torch.channels_last):
            raise Error(f"memory_format: expected torch.contiguous_format or torch.channels_last, found {memory_format!r}")
        self._memory_format = memory_format
        self._is_party = isinstance(clients, Mapping)
        if self._is_party and num_clients is None:
            raise Error("num_clients: expected the number of clients beside a dictionary of data sets, as a party of a federation gives it, found none; "
                        "clients of a simulation are a list of data sets")
        self._clients = samples_of(clients, num_clients)
        if self._is_party and buffers == "average":
            raise Error("buffers: expected local or refuse at a party of a federation, found average, which needs the data of all clients")
        self._test = None if test is None else Samples(test, "test")
        self._validation = None if validation is None else Samples(validation, "validation")
        self._held_out = held_out_samples({} if held_out is None else held_out, self.own_clients(), len(self._clients))
        if preferences is not None and not (hasattr(preferences, "__len__") and len(preferences) == len(self._clients)):
            raise Error(f"preferences: expected a list of {len(self._clients)}, one per client, found {short(preferences)}")
        self._preferences = preferences
        if not (client_objectives is None or callable(client_objectives)
                or (isinstance(client_objectives, (list, tuple)) and len(client_objectives) == len(self._clients))):
            raise Error(f"client_objectives: expected a function of the client's number or {len(self._clients)} lists of names, one per client, "
                        f"found {short(client_objectives)}")
        self._client_objectives = client_objectives
        self._has_objective = [numpy_problem.objectives_of(client, self.client_objectives(client), self.objectives())
                               for client in range(len(self._clients))]
        self._names, self._head_names = ordered_names(self._model, named("heads", heads, "{objective: submodule or its name}"), list(self._losses))
        parameters = dict(self._model.named_parameters())
        self._sizes = [parameters[name].numel() for name in self._names]
        self._buffers = Buffers(buffers, self._model)
        self.single_samples = buffers == "refuse"  # others are measured on the clients' data
        self._randomness = Randomness(random, self._device)
        self._begin_without_runs()
        self._step_for_each_loss = self._pools = self._differentiates_losses = self._differentiates_metrics = False
        self._in_place = None  # the names of the weights whose gradients are computed in the engine's memory, which the first minibatch shows
        with EnginePooling() as pooling:
            self._try_one_minibatch()
        self._pools = pooling.used

    @property
    def _initial_advice(self):
        return self._source.advice

    def _begin_without_runs(self):
        self._entering, self._runs = threading.Lock(), 0
        self._local, self._frozen, self._written = threading.local(), None, None

    def __getstate__(self):
        runs = ("_entering", "_runs", "_local", "_frozen", "_written")  # a copy has none under way
        return {name: value for name, value in vars(self).items() if name not in runs}

    def __setstate__(self, state):
        vars(self).update(state)
        self._begin_without_runs()

    # What the engine asks for.

    def num_clients(self) -> int:
        return len(self._clients)

    def objectives(self) -> list[str]:
        return list(self._losses)

    def initial_parameters(self) -> dict[str, Any]:
        model = self._source.initial()
        trainable = {name: parameter for name, parameter in model.named_parameters() if parameter.requires_grad}
        if set(trainable) != set(self._names):
            raise Error("model: expected the trainable parameters that it had when the problem was made, found a change of "
                        + ", ".join(sorted(set(trainable) ^ set(self._names))))
        return {name: trainable[name] for name in self._names}

    def heads(self) -> dict[str, list[str]]:
        return self._head_names

    def num_samples(self, client: int) -> int:
        return len(self._clients[client])

    def own_clients(self) -> list[int] | None:
        own = [client for client, samples in enumerate(self._clients) if samples is not None]
        return own if len(own) < len(self._clients) or self._is_party else None

    def client_objectives(self, client: int) -> Sequence[str] | None:
        if self._client_objectives is None:
            return None
        return self._client_objectives(client) if callable(self._client_objectives) else self._client_objectives[client]

    def _defined_by(self):
        losses_and_more = [*self._losses.values(), *self._metrics.values(), self._forward, *self._source.defined_by]
        return [*super()._defined_by(), *{type(module) for module in self._model.modules()}, *losses_and_more]

    def _parts(self):
        metrics = [(f"metric {name}", metric) for name, metric in self._metrics.items()]
        losses = [(f"loss {name}", loss) for name, loss in self._losses.items()]
        return [*super()._parts(), ("forward", self._forward), *metrics, *losses, *(("model", make) for make in self._source.defined_by)]

    def _sample_digests(self):
        if not self._randomness.checked or self.own_clients() is not None:  # equal items are not certain, or not this process's
            return {}
        own = [*self._clients[:16], self._test, self._validation, *list(self._held_out.values())[:16]]
        with self._randomness.repeatable():
            return {samples.name: samples.sampled_digest() for samples in own if samples is not None and samples.tensors is None}

    def _facts(self):
        facts = [self._batch_size, str(self._dtype), str(self._memory_format), self._buffers.policy]
        if self.own_clients() is not None:  # parties have data of their own
            return facts
        own = [*self._clients, self._test, self._validation, *(self._held_out[client] for client in sorted(self._held_out))]
        return [*facts, sorted(self._held_out), *(samples and samples.digest() for samples in own)]

    def preference(self, client: int) -> Any:
        return None if self._preferences is None else self._preferences[client]

    def evaluate(self, theta: NDArray[np.float32]) -> dict[str, Any]:
        """Losses, and the metrics given, on the test data, in evaluation mode: means over all samples."""
        return self._measured(theta, self._test)

    def validate(self, theta: NDArray[np.float32]) -> dict[str, Any]:
        """The same on the validation data."""
        return self._measured(theta, self._validation)

    def _measured(self, theta, samples, client=None):
        """The figures outside of a run, in its modes, and with the caller's threads again afterwards."""
        with self._running():
            return self._figures(self._theta(theta), samples, client)

    def _figures(self, theta, samples, client=None):
        """Means over the samples; and over the clients, where each has buffers of its own and no client is named."""
        with expecting_unwritten(theta, self._names, self._sizes), self._bound(theta) as replica, self._randomness.evaluating():
            figures = []
            for buffers in self._measured_buffers(replica, client):
                Buffers.load(replica.module, buffers)
                figures.append(self._figures_of(replica, samples))
        return {name: np.mean([one[name] for one in figures], axis=0) for name in figures[0]}

    def _figures_of(self, replica, samples, minibatches=None):
        """Means over the samples, or over so many minibatches of them."""
        size = max(self._batch_size, 256)
        stop = len(samples) if minibatches is None else min(minibatches * size, len(samples))
        sums, total = {}, 0
        with torch.set_grad_enabled(self._differentiates_losses), self._called():
            replica.module.eval()
            for begin in range(0, stop, size):
                weight = min(size, stop - begin)
                batch = to_device(samples.batch(torch.arange(begin, begin + weight, device="cpu")), self._device)
                outputs = self._forward(replica.module, batch)
                total += weight
                figures = {"loss": [evaluated(name, loss, outputs, batch) for name, loss in self._losses.items()]}
                figures.update(self._metrics_of(outputs, batch))
                for name, values in figures.items():
                    sums[name] = sums.get(name, 0) + weight * np.asarray(values, dtype=np.float64)
        return {name: values / total for name, values in sums.items()}

    def _metrics_of(self, outputs, batch):
        if not self._differentiates_metrics:
            outputs, batch = detached(outputs), detached(batch)
        with torch.set_grad_enabled(self._differentiates_metrics):
            return {name: checked_figures(name, metric(outputs, batch), len(self._losses)) for name, metric in self._metrics.items()}

    def _measured_buffers(self, replica, client):
        """The buffers to evaluate with: one dictionary, or one per client."""
        if self._buffers.policy == "refuse":
            return [{}]
        if self._buffers.policy == "local" and client is not None:
            return [self._client_buffers(replica, client)]
        each = [self._client_buffers(replica, client) for client in range(len(self._clients))]
        return each if self._buffers.policy == "local" else [Buffers.mean(each, [len(samples) for samples in self._clients])]

    def _client_buffers(self, replica, client):
        samples, size = self._clients[client], self._batch_size
        order = torch.randperm(len(samples), generator=torch.Generator().manual_seed(client), device="cpu")

        def passes():
            for begin in range(0, max(1, min(len(samples) // size, Buffers.PASSES)) * size, size):
                yield lambda: self._forward(replica.module, to_device(samples.batch(order[begin : begin + size]), self._device))

        with errors_of(f"client {client}", "samples on which the model's buffers can be measured"), self._randomness.seeded(client), self._called():
            replica.module.train()
            return self._buffers.measured(replica.module, passes())

    def _theta(self, theta):
        """theta [d] as the engine has it; Error on another number of parameters."""
        array = to_numpy(theta, "theta", np.float32, 1)
        if array.size != sum(self._sizes):
            raise Error(f"theta: expected {sum(self._sizes)} parameters, found {array.size}")
        return array

    def module(self, theta: NDArray[np.float32], client: int | None = None) -> nn.Module:
        """A copy of the model with the parameters theta [d]. If each client has buffers of its own, it has those of `client`, and it is an
        Error to name none."""
        if self._buffers.policy == "local" and client is None:
            raise Error("model: expected client=NUMBER where each client has buffers of its own, found none")
        model, theta = self._source.copied(), self._theta(theta).copy()
        named = dict(model.named_parameters())
        with torch.no_grad():
            for name, part in zip(self._names, torch.from_numpy(theta).split(self._sizes)):
                named[name].copy_(part.view(named[name].shape))
        if self._buffers.policy != "refuse":
            with self._running(), self._bound(theta) as replica:
                self._buffers.load(model, self._measured_buffers(replica, client)[0])
        return model

    def evaluate_held_out(self, client: int, theta: NDArray[np.float32]) -> tuple[dict[str, Any], float] | None:
        """The same figures on what a client holds out, and its number of samples; None where it holds nothing out."""
        samples = self._held_out.get(client)
        return None if samples is None else (self._measured(theta, samples, client), len(samples))

    def _held_out_evaluation(self, theta, client):
        samples = self._held_out.get(client)
        if samples is None:
            return {}, 0.0
        return numpy_problem.split_figures(self._figures(theta, samples, client), self.objectives())[0], float(len(samples))

    def _has(self, method):
        return {"evaluate": self._test, "validate": self._validation, "evaluate_held_out": self._held_out or None}[method] is not None

    def _evaluation(self, theta, split, client):
        return numpy_problem.split_figures(self._figures(theta, self._test if split == "test" else self._validation, client), self.objectives())

    # Gradients, written into the engine's memory.

    def _jacobian(self, client, theta, draw, losses, jacobian):
        rows = torch.from_numpy(jacobian)

        def row(replica, k, loss, retain_graph):
            losses[k] = values([loss])[0]
            if loss is None:
                rows[k].zero_()
            else:
                self._backward(replica, loss, rows[k], retain_graph)

        self._each_loss(client, theta, draw, row)

    def _each_loss(self, client, theta, draw, use):
        """Calls `use(replica, k, loss, retain_graph)` for each loss of a minibatch, in one step; or in a step for each where the code of
        torch.compile writes over what a second backward pass would need."""
        if not self._step_for_each_loss:
            try:
                with self._step(client, theta, draw) as (replica, found):
                    last = max(k for k, loss in enumerate(found) if loss is not None)
                    for k, loss in enumerate(found):
                        use(replica, k, loss, k < last)
                return
            except RuntimeError as problem:
                if "donated buffers" not in str(problem):  # PyTorch's check of such a second pass
                    raise
                self._step_for_each_loss = True
        for k in range(len(self._losses)):
            with self._step(client, theta, draw) as (replica, found):
                use(replica, k, found[k], False)

    def _weighted_gradient(self, client, theta, weights, draw, losses, gradient):
        with self._step(client, theta, draw) as (replica, found):
            self._weighted_backward(replica, found, weights, gradient)
            losses[:] = values(found)

    def _weighted_backward(self, replica, found, weights, gradient):
        total = sum(float(weight) * loss for weight, loss in zip(weights, found) if loss is not None)
        self._backward(replica, total, torch.from_numpy(gradient))

    def _objective_gradient(self, client, theta, objective, draw, gradient):
        with self._step(client, theta, draw) as (replica, found):
            self._backward(replica, found[objective], torch.from_numpy(gradient))
            return float(found[objective].detach())

    @staticmethod
    def _backward(replica, loss, row, retain_graph=False):
        replica.collect_gradients_in(row)
        loss.backward(retain_graph=retain_graph)
        replica.finish_gradients_in(row)

    @contextlib.contextmanager
    def _step(self, client, theta, draw):
        """The thread's replica at theta, and the losses of the draw's minibatch; None for objectives that the client does not have."""
        indices = torch.from_numpy(draw.minibatch(len(self._clients[client]), self._batch_size))
        with self._bound(theta) as replica, self._randomness.seeded(draw.seed):
            replica.module.train()
            self._buffers.reset(replica.module)
            batch = to_device(self._clients[client].batch(indices), self._device)
            with self._called(), replica.gradients_in_place():
                outputs = self._forward(replica.module, batch)
                losses = [self._loss(name, outputs, batch) if has else None for name, has in zip(self._losses, self._has_objective[client])]
            replica.expect_parameters()
            yield replica, losses

    @contextlib.contextmanager
    def _bound(self, theta):
        local = self._local
        if getattr(local, "replica", None) is None:
            torch.set_num_threads(1)  # the engine's threads work on clients of their own
            frozen = self._frozen or frozen_parameters(self._model, self._device, self._memory_format)
            local.replica = Replica(self._model, self._names, self._device, frozen, self._buffers, self._memory_format, self._in_place)
        replica = local.replica
        self._expect_unwritten()
        replica.point_at(torch.from_numpy(theta))
        try:
            yield replica
            self._written = self._written or replica.changed()
            self._expect_unwritten()
        except BaseException:
            local.replica = None  # whatever the failed step has left in it
            raise
        finally:
            replica.release()

    def _expect_unwritten(self):
        """Error once a module has changed what it must leave as it is, which other clients may share: no step after it counts."""
        if self._written is not None:
            raise Error(self._written)

    @contextlib.contextmanager
    def _called(self):
        """How the module and the losses are called: with mixed precision, and with the engine's pooling, where there is any to do."""
        with without_autocast_cache(), contextlib.nullcontext() if self._dtype is None else torch.autocast(self._device.type, self._dtype):
            with EnginePooling() if self._pools else contextlib.nullcontext():
                yield

    def _loss(self, name, outputs, batch):
        with expecting_unchanged(name, outputs, batch):
            return checked_loss(name, self._losses[name](outputs, batch))

    # What is checked when the problem is made.

    def _try_one_minibatch(self):
        """One step on the first client that this process has: an error now, and not in a round; and whether steps draw random numbers."""
        named = dict(self._model.named_parameters())
        theta = np.concatenate([named[name].detach().cpu().numpy().ravel() for name in self._names])
        self._source.let_go()
        weights = np.full(len(self._losses), 1 / len(self._losses))
        own = self.own_clients()
        own = [0] if own is None else own
        in_place, outside = [], []

        def step():
            gradient = np.empty_like(theta)
            with expecting_no_gradients_of(self._model), expecting_unwritten(theta, self._names, self._sizes), \
                    self._step(own[0], theta, FirstSamples()) as (replica, found):
                outside.append(check_leaves(self._model, replica.parameters, zip(self._losses, found)))
                self._weighted_backward(replica, found, weights, gradient)
                check_reached(replica.parameters, zip(self._losses, found), gradient)
                in_place.append(replica.names_in_place())
                self._buffers.expect_unchanged(replica.module)
                return np.array(values(found)).tobytes() + hashlib.sha256(gradient).digest()

        with self._running(), expecting_frozen(self._model):
            with self._bound(theta) as replica:
                pass
            if own:
                with errors_of(f"client {own[0]}", "samples that the model and the losses take"):
                    self._randomness.choose(step)
                    if self._head_names:
                        self._each_loss(own[0], theta, FirstSamples(), self._check_gradients_of_heads)
            held_out = [(f"held_out[{client}]", samples) for client, samples in self._held_out.items()]
            for name, samples in [("test", self._test), ("validation", self._validation), *held_out]:
                self._try_to_evaluate(name, samples, theta)
        self._buffers.expect_unchanged(replica.module)
        self._in_place = in_place[-1] if in_place else frozenset()
        warn_of_untrained(outside)

    def _check_gradients_of_heads(self, replica, k, loss, retain_graph):
        head_of = {name: objective for objective, names in self._head_names.items() for name in names}
        others = {name: parameter for name, parameter in zip(self._names, replica.parameters) if head_of.get(name, self.objectives()[k]) != self.objectives()[k]}
        if loss is not None and others:
            for name in names_with_gradients(loss, others, retain_graph):
                raise Error(f"heads: expected parameters that {head_of[name]} alone depends on, found that {self.objectives()[k]} depends on {name} too")

    def _try_to_evaluate(self, name, samples, theta):
        """The figures of the first minibatch, which show whether the model, losses and metrics take them."""
        if samples is None:
            return
        with errors_of(name, "samples like the clients', which the model and the losses take"), \
                expecting_unwritten(theta, self._names, self._sizes), self._bound(theta) as replica, self._randomness.evaluating():
            for switch in ("_differentiates_losses", "_differentiates_metrics", None):
                try:
                    self._figures_of(replica, samples, minibatches=1)
                    return
                except RuntimeError as problem:
                    if switch is None or "does not require grad" not in str(problem):
                        raise
                    setattr(self, switch, True)  # as with a gradient penalty, whose derivatives are taken in the loss

    @contextlib.contextmanager
    def _running(self):
        threads = torch.get_num_threads()
        with self._entering:
            self._runs += 1
            if self._runs == 1:
                self._local, self._written = threading.local(), None
                self._frozen = frozen_parameters(self._model, self._device, self._memory_format)  # one copy for all threads
        try:
            with super()._running(), ordinary_modes(self._device), deterministic(self._device), no_autocast_cache_in_steps():
                yield
        finally:
            with self._entering:
                self._runs -= 1
                if self._runs == 0:
                    self._local, self._frozen = threading.local(), None
            torch.set_num_threads(threads)
