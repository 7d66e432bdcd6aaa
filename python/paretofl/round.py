"""A round as a strategy in Python sees it."""

import numpy as np

from paretofl import aggregators
from paretofl._engine import Error
from paretofl.arrays import integer, short, to_numpy


class Replies:
    """What those clients said who answered: `clients`, their numbers, ascending; `num_samples` [n]; `losses` [n, M], means over their
    minibatches; and `updates` [n, d], float32, of `Round.train`, or `jacobians` [n, M, d], float32, of `Round.jacobians`."""

    def __init__(self, clients, num_samples, losses, updates=None, jacobians=None):
        self.clients, self.num_samples, self.losses, self.updates, self.jacobians = clients, num_samples, losses, updates, jacobians

    def mean(self, weights=None):
        """The mean update [d], or jacobian [M, d], over the clients, who count alike or by `weights` [n], such as `num_samples`."""
        if self.updates is not None:
            return aggregators.mean(self.updates, weights)
        clients, objectives, size = self.jacobians.shape
        return aggregators.mean(self.jacobians.reshape(clients, objectives * size), weights).reshape(objectives, size)

    def __len__(self):
        return len(self.clients)


class Round:
    """One round: draw clients, ask them, get their replies. Valid until `run_round` returns.

    Exchanges raise an error, and leave the round undone, where fewer than the config's min_reply_fraction of the clients answer. So change
    your own state after the last exchange.
    """

    def __init__(self, engine, theta):
        self._engine, self._theta, self._cohort = engine, theta, None

    @property
    def number(self):
        """The number of the round, from 1."""
        return self._engine.number

    @property
    def num_clients(self):
        """The number of all clients."""
        return self._engine.num_clients

    @property
    def objectives(self):
        """The names of the M objectives."""
        return self._engine.objectives

    @property
    def slices(self):
        """(name, shape, head) of every tensor in theta, one after the other; head is the number of the objective that it serves alone, or -1."""
        return self._engine.slices

    @property
    def shared(self):
        """Where in theta [d] the parameters lie that all objectives share, as a slice: `jacobian[:, round.shared]`."""
        return slice(0, self._engine.num_shared)

    @property
    def cohort(self):
        """The clients of the round: the option cohort_size says how many are drawn."""
        if self._cohort is None:
            self._cohort = self.sample_clients(self._engine.cohort_size)
        return self._cohort

    def sample_clients(self, count):
        """`count` different clients, drawn uniformly, ascending."""
        return self._engine.sample_clients(integer(count, "sample_clients", 1, self.num_clients))

    def random(self, purpose=""):
        """A NumPy generator of the round's own stream for this purpose: the same one whenever the round is run."""
        return np.random.Generator(np.random.Philox(self._engine.seed(purpose)))

    def train(self, weights, clients=None, theta=None):
        """Local training on sum_k weights_k f_k, with the options local_steps, client_lr and optimizer: `Replies` with `updates`
        [n, d] = theta before - theta after, so that `theta - lr * replies.mean()` is the step of federated averaging.

        weights: [M], or one row per client [n, M]. clients: which; None: the cohort. theta: what they start from, [d], or one row per client
        [n, d]; None: the round's.
        """
        clients = self._clients(clients)
        theta = self._rows(theta, clients)
        matrix = to_numpy(weights, "weights", np.float64, (1, 2))
        if matrix.shape not in ((len(self.objectives),), (len(clients), len(self.objectives))) or not np.all(np.isfinite(matrix)):
            raise Error(f"weights: expected finite numbers of shape [{len(self.objectives)}] or [{len(clients)}, {len(self.objectives)}], "
                        f"found shape {list(matrix.shape)}" + ("" if np.all(np.isfinite(matrix)) else " with others"))
        answered, samples, losses, updates = self._engine.exchange("train", clients, theta, np.atleast_2d(matrix))
        return Replies(answered, samples, losses, updates=updates)

    def jacobians(self, clients=None, theta=None):
        """A stochastic jacobian of each client at theta, one minibatch for all objectives: `Replies` with `jacobians` [n, M, d].

        Clients send M d numbers each. The arguments are those of `train`.
        """
        clients = self._clients(clients)
        theta = self._rows(theta, clients)
        answered, samples, losses, rows = self._engine.exchange("jacobian", clients, theta, np.empty((0, 0)))
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
