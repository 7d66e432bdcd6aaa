"""Questions with reference answers, by every question set of the engine.

    >>> import paretofl
    >>> questions = paretofl.question_sets.sums(seed=1, training_questions=100, test_questions=10)
    >>> len(questions["training"]), questions["test"][0]
    (100, ('9-9+9', '9', '<think>9-9=0, 0+9=9</think><answer>9</answer>'))

Each set is a function of this module, also those that `paretofl.register_question_set` has registered: `question_set(seed=1,
data_root="data", **options)`. `help(paretofl.question_sets.sums)` names a set's options.

seed: of generated questions. Equal seeds give equal questions.
data_root: the folder of the data sets, from which published sets are read.

The result is a dictionary of the splits training, validation and test, which are lists of (prompt, reference, solution). Error if files are
missing, and on unknown options.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from paretofl import _engine
from paretofl.annotations import Path
from paretofl.arrays import integer
from paretofl.registered import function, names, plain
from paretofl.settings import path_of

if TYPE_CHECKING:
    from paretofl._question_sets import *


def load(question_set: str, seed: int = 1, data_root: Path = "data", **options: Any) -> dict[str, list[tuple[str, str, str]]]:
    """The questions of the set with this name. The other arguments and the errors are those of the module's functions."""
    splits = _engine.questions(question_set, plain(options), integer(seed, "seed", 0), path_of("data_root", data_root))
    return dict(zip(("training", "validation", "test"), splits))


def _question_set(name):
    def question_set(seed=1, data_root="data", **options):
        return load(name, seed, data_root, **options)

    return question_set


def __getattr__(name: str) -> Callable[..., dict[str, list[tuple[str, str, str]]]]:
    question_set = function("question set", name, _question_set, "Arguments and result: see the module paretofl.question_sets.")
    if question_set is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return question_set


def __dir__() -> list[str]:
    return ["load", *names("question set")]


if not TYPE_CHECKING:  # type checkers read the names in the stub file and in this one
    __all__ = __dir__()
