"""Questions with reference answers, by every question set of the engine.

    >>> import paretofl
    >>> questions = paretofl.question_sets.sums(seed=1, training_questions=100, test_questions=10)
    >>> len(questions["training"]), questions["test"][0]
    (100, ('9-9+9', '9', '<think>9-9=0, 0+9=9</think><answer>9</answer>'))

Each set is a function of this module, those that `paretofl.register_question_set` has registered too: `question_set(seed=1, data_root="data",
**options)`. The result is a dictionary of the splits training, validation and test, lists of (prompt, reference, solution). Published sets
are read from `data_root`. Error where their files are missing, and on options that don't exist.
"""

import os
from pathlib import Path

from paretofl import _engine
from paretofl.arrays import integer, short
from paretofl.registered import function, names, plain


def load(question_set, seed=1, data_root="data", **options):
    """The questions of the set with this name; see the module's description."""
    if not isinstance(data_root, (str, os.PathLike)):
        raise _engine.Error(f"data_root: expected a folder, found {short(data_root)}")
    splits = _engine.questions(question_set, plain(options), integer(seed, "seed", 0), Path(data_root))
    return dict(zip(("training", "validation", "test"), splits))


def _question_set(name):
    def question_set(seed=1, data_root="data", **options):
        return load(name, seed, data_root, **options)

    return question_set


def __getattr__(name):
    question_set = function("question set", name, _question_set, "Arguments and result: see the module paretofl.question_sets.")
    if question_set is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return question_set


def __dir__():
    return ["load", *names("question set")]


__all__ = __dir__()
