"""Rewards of one's own."""

import numpy as np

from paretofl.arrays import to_numpy
from paretofl.parts import call_method, check_method, register


class Reward:
    """A score of a language model's completions. Subclasses define `scores`, and register by `paretofl.register_reward`.

        @paretofl.register_reward("politeness")
        def politeness(completions, word="please"):
            return [float(word in completion) for completion in completions]

    A function takes the place of `scores`, and its other parameters, which have defaults, are the reward's options in configs; those of a
    class are its constructor's parameters, as in `Solver`. Completions are scored on any thread, and equal ones must get equal scores.
    """

    METHOD = "scores"
    INPUTS = ("prompts", "completions", "references")
    reference = ""  #: paper and equation, for `paretofl list`

    def scores(self, prompts, completions, references):
        """One finite number per completion, a list or an array [n]. Name those of the parameters that you need: lists of n texts.

        `references` are the questions' correct answers, empty where there are none.
        """
        raise NotImplementedError(f"{type(self).__name__}.scores")

    @classmethod
    def check_class(cls, name):
        """Error unless the class can be registered."""
        check_method(cls, Reward, name)

    def _scores(self, name, *inputs):
        return to_numpy(call_method(self, name, *inputs), f"reward {name}", np.float64, 1)


def register_reward(name, reward=None):
    """Registers a function, or a class derived from `Reward`, under a name: for configs (`workload.rewards.NAME` or, of alignment,
    `workload.objectives.NAME`), for `paretofl.rewards.NAME` and for `paretofl list`. See `register_solver`."""
    return register("reward", Reward, name, reward)
