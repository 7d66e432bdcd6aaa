"""Scores of completions, by every reward of the engine.

    >>> import paretofl
    >>> paretofl.rewards.length(["A cat.", "A cat and a dog."], target=6)
    array([1. , 0.9])

Each reward is a function of this module, those that `paretofl.register_reward` has registered too: `reward(completions, prompts=None,
references=None, **options)`. The arguments are lists of n texts; `references` are correct answers, for rewards that compare with one. The
result is one score per completion, float64 [n]. Error on lists of other lengths, on what is no text, and on options that don't exist.
`reward_model` needs LibTorch, and `code_accuracy` a sandbox (docs/sandbox.md).
"""

from paretofl import _engine
from paretofl.arrays import short
from paretofl.registered import function, names, plain


def score(reward, completions, prompts=None, references=None, **options):
    """The scores [n] by the reward with this name; see the module's description."""
    completions = _texts(completions, "completions")
    texts = [[""] * len(completions) if given is None else _texts(given, name, len(completions))
             for name, given in (("prompts", prompts), ("references", references))]
    return _engine.scores(reward, plain(options), texts[0], completions, texts[1])


def _texts(texts, name, count=None):
    if not isinstance(texts, (list, tuple)) or not all(isinstance(text, str) for text in texts) or count not in (None, len(texts)):
        raise _engine.Error(f"{name}: expected a list of {'' if count is None else f'{count} '}texts, found {short(texts)}")
    try:
        "".join(texts).encode()
    except UnicodeEncodeError:
        raise _engine.Error(f"{name}: expected texts of valid Unicode, found lone surrogates") from None
    return list(texts)


def _reward(name):
    def reward(completions, prompts=None, references=None, **options):
        return score(name, completions, prompts, references, **options)

    return reward


def __getattr__(name):
    reward = function("reward", name, _reward, "Arguments and result: see the module paretofl.rewards.")
    if reward is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return reward


def __dir__():
    return ["score", *names("reward")]


__all__ = __dir__()
