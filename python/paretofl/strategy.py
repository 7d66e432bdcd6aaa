"""Strategies of one's own."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, overload

import numpy as np

from paretofl import _engine
from paretofl.annotations import ArrayLike, NDArray, PartT
from paretofl.arrays import check_text, short, to_numpy
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

    The clients are the engine's. They answer `round.train` and `round.jacobians`, so every strategy has the options cohort_size, local_steps,
    client_lr and optimizer. The constructor's keyword parameters are further options, as in `Solver`. An option with a `Part` as its default
    is a part that a config may choose. Random numbers come from `round.random()`.
    """

    reference: str = ""  #: paper and algorithm, for `paretofl list`

    def run_round(self, round: Round, theta: NDArray[np.float32]) -> ArrayLike | tuple[ArrayLike, Mapping[str, ArrayLike]]:
        """The new theta [d], or a pair of it and a dictionary of the round's figures, which are numbers and lists of numbers by name.

        round: through which the clients are asked.
        theta: [d], float32, a copy that you may change.

        Of the figures, `lambda` [M] and `train_loss` [M] are shown by objective. An exception ends the run, except for that of an exchange
        in which too few clients answered. It leaves the round undone.
        """
        raise NotImplementedError(f"{type(self).__name__}.run_round")

    def state_dict(self) -> dict[str, Any]:
        """What the strategy keeps from round to round, by name, for checkpoints. By default these are all attributes that are no `Part`.

        Values are None, bools, numbers, texts, arrays of float32, float64, int64 or uint8, tensors, and lists and dictionaries of them.
        """
        return {key: value for key, value in vars(self).items() if not isinstance(value, Part)}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Takes back what `state_dict` returned. By default it sets the attributes."""
        vars(self).update(state)

    @classmethod
    def check_class(cls, name: str) -> None:
        """Raises an Error if the class cannot be registered."""
        if cls.run_round is Strategy.run_round:
            raise _engine.Error(f"{name}: expected a method run_round in {cls.__name__}, found none")
        own = set(inspect.signature(cls).parameters) & _ENGINES
        if own:
            raise _engine.Error(f"{name}: expected options beside those of the clients, {', '.join(sorted(_ENGINES))}; found {own.pop()}")

    # What the engine calls.

    def _run_round(self, engine, theta):
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
        check_text(key, "run_round: names of figures")
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


@overload
def register_strategy(name: str, strategy: None = None) -> Callable[[PartT], PartT]: ...
@overload
def register_strategy(name: str, strategy: PartT) -> PartT: ...
def register_strategy(name: str, strategy: Callable[..., Any] | None = None) -> Any:
    """Registers a class derived from `Strategy` under a name, as `register_solver` does for solvers, and returns it.

    The name works in configs (`strategy.name = "NAME"`), in `paretofl.run(problem, strategy="NAME")` and in `paretofl list`. Error on a name
    that another strategy has.
    """
    return register("strategy", Strategy, name, strategy)
