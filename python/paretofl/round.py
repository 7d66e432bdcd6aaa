"""A round as a strategy in Python sees it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from paretofl import aggregators
from paretofl._engine import EngineRound, Error
from paretofl.annotations import ArrayLike, NDArray
from paretofl.arrays import integer, short, to_numpy


class Replies:
    """The replies of the n clients that answered. The attributes are:

    clients: the clients' numbers, ascending.
    num_samples: [n], float64, the clients' numbers of samples.
    losses: [n, M], float64, means over the clients' minibatches. Where clients have some of the objectives only
        (`Problem.client_objectives`), losses, updates and jacobians count client i's objective k `Round.objective_factors[i, k]` times, so
        that means over all clients are means over those that have the objective.
    updates: [n, d], float32, of `Round.train`; otherwise None.
    jacobians: [n, M, d], float32, of `Round.jacobians`; otherwise None.
    """

    def __init__(self, clients: list[int], num_samples: NDArray[np.float64], losses: NDArray[np.float64], updates: Any = None,
                 jacobians: Any = None) -> None:
        self.clients, self.num_samples, self.losses, self.updates, self.jacobians = clients, num_samples, losses, updates, jacobians

    def mean(self, weights: ArrayLike | None = None) -> NDArray[np.float32]:
        """The mean update [d] or jacobian [M, d] over the clients, float32. The clients count the same, or by `weights` [n], such as
        `num_samples`. Error on weights that are not positive."""
        if self.updates is not None:
            return aggregators.mean(np.asarray(self.updates), weights)
        clients, objectives, size = self.jacobians.shape
        return aggregators.mean(self.jacobians.reshape(clients, objectives * size), weights).reshape(objectives, size)

    def __len__(self) -> int:
        return len(self.clients)


class Round:
    """One round: draw clients, ask them, get their replies. Valid until `run_round` returns.

    An exchange raises an error if fewer clients answer than the share that the config's min_reply_fraction says, and the round is left
    undone. So change your own state only after the last exchange.
    """

    def __init__(self, engine: EngineRound, theta: NDArray[np.float32]) -> None:
        self._engine, self._theta = engine, theta
        self._cohort: list[int] | None = None

    @property
    def number(self) -> int:
        """The number of the round, from 1."""
        return self._engine.number

    @property
    def num_clients(self) -> int:
        """The number of all clients."""
        return self._engine.num_clients

    @property
    def objectives(self) -> list[str]:
        """The names of the M objectives."""
        return self._engine.objectives

    @property
    def objective_factors(self) -> NDArray[np.float64]:
        """[num_clients, M], float64: what the engine multiplies each client's losses and gradients of an objective by. It is n / n_k if n_k of
        the n clients have the objective, and 0 for clients without it. It is 1 where every client has every objective."""
        factors: Any = self._engine.objective_factors
        return np.asarray(factors, np.float64)

    @property
    def slices(self) -> list[tuple[str, list[int], int]]:
        """(name, shape, head) of every tensor in theta, in the order in which they lie there. head is the number of the only objective that
        the tensor serves, or -1."""
        return self._engine.slices

    @property
    def shared(self) -> slice:
        """The range in theta [d] of the parameters that all objectives share, as a slice: `jacobian[:, round.shared]`."""
        return slice(0, self._engine.num_shared)

    @property
    def cohort(self) -> list[int]:
        """The numbers of the clients of the round, ascending. The option cohort_size says how many are drawn."""
        if self._cohort is None:
            self._cohort = self.sample_clients(self._engine.cohort_size)
        return self._cohort

    def sample_clients(self, count: int) -> list[int]:
        """The numbers of `count` different clients, drawn uniformly, ascending. Error unless there are that many. With
        runtime.over_sample there are more, and the first exchange with them ends when `count` have answered."""
        return self._engine.sample_clients(integer(count, "sample_clients", 1, self.num_clients))

    def random(self, purpose: str = "") -> np.random.Generator:
        """A NumPy generator of the round's own stream for this purpose. It gives the same numbers whenever the round is run."""
        return np.random.Generator(np.random.Philox(self._engine.seed(purpose)))

    def train(self, weights: ArrayLike, clients: Sequence[int] | None = None, theta: ArrayLike | None = None) -> Replies:
        """Lets clients train on sum_k weights_k f_k, with the options local_steps, client_lr and optimizer.

        weights: [M], or one row per client [n, M]. Finite numbers.
        clients: the clients' numbers, ascending. None: the cohort.
        theta: where the clients start, [d], or one row per client [n, d]. None: the round's theta.

        Returns `Replies` with `updates` [n, d] = theta before - theta after, so that `theta - lr * replies.mean()` is the step of federated
        averaging (McMahan et al. 2017). Error on other shapes, and if too few clients answer.
        """
        clients = self._clients(clients)
        rows = self._rows(theta, clients)
        matrix = to_numpy(weights, "weights", np.float64, (1, 2))
        if matrix.shape not in ((len(self.objectives),), (len(clients), len(self.objectives))) or not np.all(np.isfinite(matrix)):
            raise Error(f"weights: expected finite numbers of shape [{len(self.objectives)}] or [{len(clients)}, {len(self.objectives)}], "
                        f"found shape {list(matrix.shape)}" + ("" if np.all(np.isfinite(matrix)) else " with others"))
        answered, samples, losses, updates = self._engine.exchange("train", clients, rows, np.atleast_2d(matrix))
        return Replies(answered, samples, losses, updates=updates)

    def jacobians(self, clients: Sequence[int] | None = None, theta: ArrayLike | None = None) -> Replies:
        """A stochastic jacobian of each client at theta, of one minibatch for all objectives. Each client sends M d numbers.

        clients, theta: as for `train`.

        Returns `Replies` with `jacobians` [n, M, d]. Error as of `train`.
        """
        clients = self._clients(clients)
        answered, samples, losses, rows = self._engine.exchange("jacobian", clients, self._rows(theta, clients), np.empty((0, 0)))
        return Replies(answered, samples, losses, jacobians=rows.reshape(len(answered), len(self.objectives), -1))

    def _clients(self, clients):
        if clients is None:
            return self.cohort
        try:
            chosen = [integer(client, "clients", 0, self.num_clients - 1) for client in clients]
        except TypeError:
            raise Error(f"clients: expected a list of clients' numbers, found {short(clients)}") from None
        if not chosen or sorted(set(chosen)) != chosen:
            raise Error(f"clients: expected different numbers, ascending, found {short(clients)}")
        return chosen

    def _rows(self, theta, clients):
        if theta is None:
            return self._theta[np.newaxis]
        rows = to_numpy(theta, "theta", np.float32, (1, 2))
        if rows.shape not in ((self._theta.size,), (len(clients), self._theta.size)):
            raise Error(f"theta: expected shape [{self._theta.size}] or [{len(clients)}, {self._theta.size}], found {list(rows.shape)}")
        return np.atleast_2d(rows)
