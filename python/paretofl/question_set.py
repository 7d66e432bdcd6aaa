"""Question sets of one's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, overload

from paretofl._engine import Error
from paretofl.annotations import PartT
from paretofl.arrays import check_text, short
from paretofl.parts import call_method, check_method, register

_SPLITS = ("training", "validation", "test")


class QuestionSet:
    """Questions with reference answers. Subclasses define `questions`, and register by `paretofl.register_question_set`.

        @paretofl.register_question_set("doubles")
        def doubles(seed, count=100):
            asked = [(f"What is {n} + {n}?", str(2 * n)) for n in range(count)]
            return {"training": asked[:-20], "test": asked[-20:]}

    A function takes the place of the method `questions`. Its other parameters are the question set's options, as in `Reward`.
    """

    METHOD = "questions"
    INPUTS = ("seed", "data_root")
    reference: str = ""  #: where it was published, for `paretofl list`

    if TYPE_CHECKING:  # a subclass names those of the parameters that it needs
        def questions(self, *args: Any, **kwargs: Any) -> dict[str, list[tuple[str, ...]]]: ...
    else:
        def questions(self, seed, data_root):
            """A dictionary of the splits training, validation and test, each a list of (prompt, reference) or (prompt, reference,
            solution). Name those of the parameters that you need. Equal arguments must give equal questions.

            seed: the config's seed, an integer.
            data_root: the folder of the data sets, a text.
            """
            raise NotImplementedError(f"{type(self).__name__}.questions")

    @classmethod
    def check_class(cls, name: str) -> None:
        """Raises an Error if the class cannot be registered."""
        check_method(cls, QuestionSet, name)

    def _splits(self, name, *inputs):
        splits = call_method(self, name, *inputs)
        if not isinstance(splits, dict) or not set(splits) <= set(_SPLITS):
            raise Error(f"question set {name}: expected a dictionary of training, validation and test, found {short(splits)}")
        return tuple(_checked(splits.get(split, ()), f"question set {name}: {split}") for split in _SPLITS)


def _checked(questions, where):
    try:
        listed = [question if isinstance(question, str) else tuple(question) for question in questions]
    except TypeError:
        raise Error(f"{where}: expected a list of (prompt, reference), found {short(questions)}") from None
    for question in listed:
        if isinstance(question, str) or len(question) not in (2, 3) or not all(isinstance(text, str) for text in question):
            raise Error(f"{where}: expected texts (prompt, reference) or (prompt, reference, solution), found {short(question)}")
        check_text("".join(question), where)
    return [(*question, "")[:3] for question in listed]


@overload
def register_question_set(name: str, question_set: None = None) -> Callable[[PartT], PartT]: ...
@overload
def register_question_set(name: str, question_set: PartT) -> PartT: ...
def register_question_set(name: str, question_set: Callable[..., Any] | None = None) -> Any:
    """Registers a function, or a class derived from `QuestionSet`, under a name, as `register_solver` does for solvers, and returns it.

    The name works in configs (`questions = "NAME"` of a task), as `paretofl.question_sets.NAME`, in `paretofl questions` and in
    `paretofl list`. Error on a name that another question set has.
    """
    return register("question set", QuestionSet, name, question_set)
