"""Scores of completions, by every reward of the engine.

    >>> import paretofl
    >>> paretofl.rewards.length(["A cat.", "A cat and a dog."], target=6)
    array([1. , 0.9])

Each reward is a function of this module, also those that `paretofl.register_reward` has registered: `reward(completions, prompts=None,
references=None, **options)`. `help(paretofl.rewards.length)` names a reward's options.

completions, prompts: lists of n texts.
references: n texts, the correct answers, for rewards that compare the completions with them.

The result is one score per completion, float64 [n]; larger is better. Error on lists of other lengths, on elements that are no texts, and on
unknown options. `reward_model` needs LibTorch, and `code_accuracy` and `code_format` need a sandbox (docs/sandbox.md).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from paretofl import _engine
from paretofl.annotations import NDArray
from paretofl.arrays import check_text, short
from paretofl.registered import check_name, function, names, plain

if TYPE_CHECKING:
    from paretofl._rewards import *


def score(reward: str, completions: Sequence[str], prompts: Sequence[str] | None = None, references: Sequence[str] | None = None,
          **options: Any) -> NDArray[np.float64]:
    """The scores [n], float64, by the reward with this name. The other arguments and the errors are those of the module's functions."""
    check_name(reward, "reward")
    completions = _texts(completions, "completions")
    texts = [[""] * len(completions) if given is None else _texts(given, name, len(completions))
             for name, given in (("prompts", prompts), ("references", references))]
    return _engine.scores(reward, plain(options), texts[0], completions, texts[1])


def _texts(texts, name, count=None):
    if not isinstance(texts, (list, tuple)) or not all(isinstance(text, str) for text in texts) or count not in (None, len(texts)):
        raise _engine.Error(f"{name}: expected a list of {'' if count is None else f'{count} '}texts, found {short(texts)}")
    check_text("".join(texts), name)
    return list(texts)


def _reward(name):
    def reward(completions, prompts=None, references=None, **options):
        return score(name, completions, prompts, references, **options)

    return reward


def __getattr__(name: str) -> Callable[..., NDArray[np.float64]]:
    reward = function("reward", name, _reward, "Arguments and result: see the module paretofl.rewards.")
    if reward is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return reward


def __dir__() -> list[str]:
    return ["score", *names("reward")]


if not TYPE_CHECKING:  # type checkers read the names in the stub file and in this one
    __all__ = __dir__()
