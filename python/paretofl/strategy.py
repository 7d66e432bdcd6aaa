"""Strategies of one's own."""

import inspect

import numpy as np
from threadpoolctl import threadpool_limits

from paretofl import _engine
from paretofl.arrays import short, to_numpy
from paretofl.parts import Part, register
from paretofl.round import Round
from paretofl.state import decode, encode

_ENGINES = {"client_lr", "cohort_size", "local_steps", "name", "optimizer"}


class Strategy:
    """The server half of a federated algorithm. Subclasses define `run_round`, and register by `paretofl.register_strategy`.

        @paretofl.register_strategy("half_steps")
        class HalfSteps(paretofl.Strategy):
            def run_round(self, round, theta):
                weights = np.full(len(round.objectives), 1 / len(round.objectives))
                replies = round.train(weights)
                return theta - 0.5 * replies.mean(), {"lambda": weights, "train_loss": replies.losses.mean(axis=0)}

    The clients are the engine's: they answer `round.train` and `round.jacobians`. So every strategy has the options cohort_size, local_steps,
    client_lr and optimizer. The constructor's keyword parameters are further options, as in `Solver`; one with a `Part` as its
    default is a part that a config may choose. Random numbers come from `round.random()`.
    """

    reference = ""  #: paper and algorithm, for `paretofl list`

    def run_round(self, round, theta):
        """The new theta [d], or a pair of it and a dictionary of the round's figures: numbers and lists by name.

        `theta` [d], float32, is a copy that is yours. Of the figures, `lambda` [M] and `train_loss` [M] are shown by objective.
        """
        raise NotImplementedError(f"{type(self).__name__}.run_round")

    def state_dict(self):
        """What the strategy keeps from round to round, for checkpoints, by name. Default: all attributes but parts.

        Values are None, bools, numbers, texts, arrays of float32, float64, int64 or uint8, tensors, and lists and dictionaries of them.
        """
        return {key: value for key, value in vars(self).items() if not isinstance(value, Part)}

    def load_state_dict(self, state):
        """Takes back what `state_dict` gave. Default: sets the attributes."""
        vars(self).update(state)

    @classmethod
    def check_class(cls, name):
        """Error unless the class can be registered."""
        if cls.run_round is Strategy.run_round:
            raise _engine.Error(f"{name}: expected a method run_round in {cls.__name__}, found none")
        own = set(inspect.signature(cls).parameters) & _ENGINES
        if own:
            raise _engine.Error(f"{name}: expected options beside those of the clients, {', '.join(sorted(_ENGINES))}; found {own.pop()}")

    # What the engine calls.

    def _run_round(self, engine, theta):
        with threadpool_limits(1):  # the bits of a product must not depend on the threads
            result = self.run_round(Round(engine, theta.copy()), theta)
        new, figures = result if isinstance(result, tuple) and len(result) == 2 else (result, {})
        new = to_numpy(new, "run_round", np.float32, 1)
        if new.shape != theta.shape:
            raise _engine.Error(f"run_round: expected theta of {theta.size} numbers, found {new.size}")
        if not isinstance(figures, dict):
            raise _engine.Error(f"run_round: expected a dictionary of figures beside theta, found {short(figures)}")
        return new, {self._name(key): _figure(key, value) for key, value in figures.items()}

    @staticmethod
    def _name(key):
        if not isinstance(key, str) or not key:
            raise _engine.Error(f"run_round: expected names of figures, found {short(key)}")
        return key

    def _save_state(self):
        state = self.state_dict()
        if not isinstance(state, dict):
            raise _engine.Error(f"state_dict: expected a dictionary, found {short(state)}")
        return encode(state, "state_dict")

    def _load_state(self, state):
        self.load_state_dict(decode(state))


def _figure(key, value):
    array = to_numpy(value, f"run_round: {key}", np.float64, (0, 1))
    return float(array) if array.ndim == 0 else array.tolist()


def register_strategy(name, strategy=None):
    """Registers a class derived from `Strategy` under a name, for configs, for `paretofl.run(problem, strategy="NAME")` and for
    `paretofl list`; returns the class. `@paretofl.register_strategy("NAME")` before a class does the same. See `register_solver`."""
    return register("strategy", Strategy, name, strategy)
