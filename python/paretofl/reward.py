"""Rewards of one's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from paretofl.annotations import ArrayLike, PartT
from paretofl.arrays import to_numpy
from paretofl.parts import call_method, check_method, register


class Reward:
    """A score of a language model's completions. Subclasses define `scores`, and register by `paretofl.register_reward`.

        @paretofl.register_reward("politeness")
        def politeness(completions, word="please"):
            return [float(word in completion) for completion in completions]

    A function takes the place of the method `scores`. Its other parameters, which have defaults, are the reward's options in configs. The
    options of a class are its constructor's parameters, as in `Solver`. Completions are scored on any thread. Equal completions must get
    equal scores.
    """

    METHOD = "scores"
    INPUTS = ("prompts", "completions", "references")
    reference: str = ""  #: paper and equation, for `paretofl list`

    if TYPE_CHECKING:  # a subclass names those of the parameters that it needs
        def scores(self, *args: Any, **kwargs: Any) -> ArrayLike: ...
    else:
        def scores(self, prompts, completions, references):
            """One finite number per completion, larger is better: a list or an array [n]. Name those of the parameters that you need.

            prompts, completions: lists of n texts.
            references: the correct answers of the questions, n texts, which are empty where there is none.
            """
            raise NotImplementedError(f"{type(self).__name__}.scores")

    @classmethod
    def check_class(cls, name: str) -> None:
        """Raises an Error if the class cannot be registered."""
        check_method(cls, Reward, name)

    def _scores(self, name, *inputs):
        return to_numpy(call_method(self, name, *inputs), f"reward {name}", np.float64, 1)


@overload
def register_reward(name: str, reward: None = None) -> Callable[[PartT], PartT]: ...
@overload
def register_reward(name: str, reward: PartT) -> PartT: ...
def register_reward(name: str, reward: Callable[..., Any] | None = None) -> Any:
    """Registers a function, or a class derived from `Reward`, under a name, as `register_solver` does for solvers, and returns it.

    The name works in configs (`workload.rewards.NAME`, or `workload.objectives.NAME` of the workload alignment), as
    `paretofl.rewards.NAME` and in `paretofl list`. Error on a name that another reward has.
    """
    return register("reward", Reward, name, reward)
