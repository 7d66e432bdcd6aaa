import numpy as np
import pytest
from libtorch import skip_without_libtorch

import paretofl


@paretofl.register_reward("politeness")
def politeness(completions, word="please"):
    """1 if the completion has a polite word.

    word: which
    """
    return [float(word in completion) for completion in completions]


@paretofl.register_reward("closeness")
class Closeness(paretofl.Reward):
    """Minus the distance to the reference's number."""

    def __init__(self, scale=1.0):
        self.scale = scale

    def scores(self, prompts, completions, references):
        assert len(prompts) == len(completions) == len(references)
        return np.array([-abs(float(completion) - float(reference)) / self.scale for completion, reference in zip(completions, references)])


@paretofl.register_reward("wrong")
def wrong(completions, how="raise"):
    if how == "raise":
        raise ZeroDivisionError("no score today")
    return {"few": [1.0], "nan": [np.nan] * len(completions), "text": ["a"] * len(completions), "none": None, "deep": [[1.0]] * len(completions)}[how]


def test_a_function_is_a_reward_with_options():
    assert paretofl.rewards.politeness(["please go", "go"]).tolist() == [1, 0]
    assert paretofl.rewards.politeness(["please go", "go"], word="go").tolist() == [1, 1]
    assert "politeness" in dir(paretofl.rewards) and 'word (text, default "please"): which' in paretofl.rewards.politeness.__doc__


def test_a_class_gets_prompts_and_references():
    assert paretofl.rewards.closeness(["3", "5"], references=["4", "5"], prompts=["a", "b"], scale=2).tolist() == [-0.5, 0]


def test_the_engines_own_are_functions_too():
    assert paretofl.rewards.gsm8k_accuracy(["It is 7.\n#### 7", "#### 8"], references=["#### 7", "7"]).tolist() == [1, 0]
    assert paretofl.rewards.repetition_penalty(["a b c d", "a a a a a a"])[0] == 0 > paretofl.rewards.repetition_penalty(["a b c d", "a a a a a a"])[1]
    assert paretofl.rewards.length([]).shape == (0,)


@pytest.mark.parametrize("how, message", [("raise", "ZeroDivisionError: no score today\nTraceback"), ("few", "expected 2 scores"), ("nan", "finite"),
                                          ("text", "array of numbers"), ("none", "array of numbers|dimension"), ("deep", "1 dimension")])
def test_wrong_scores_are_one_error(how, message):
    with pytest.raises(paretofl.Error, match=message):
        paretofl.rewards.wrong(["a", "b"], how=how)


@pytest.mark.parametrize("call, message", [
    (lambda: paretofl.rewards.length("text"), "completions"), (lambda: paretofl.rewards.length([1]), "completions"),
    (lambda: paretofl.rewards.length(["a"], prompts=["a", "b"]), "prompts"), (lambda: paretofl.rewards.length(["a"], colour=1), "colour"),
    (lambda: paretofl.rewards.length(["\ud800"]), "Unicode"), (lambda: paretofl.rewards.score("lenght", ["a"]), "did you mean length"),
    (lambda: paretofl.register_reward("length", politeness), "which a part of ParetoFL has"),
    (lambda: paretofl.register_reward("mine", lambda completions, model: 1), "model"),
    (lambda: paretofl.register_reward("mine", paretofl.Solver), "derived from paretofl.Reward")])
def test_wrong_arguments_are_one_error(call, message):
    with pytest.raises(paretofl.Error, match=message):
        call()


@paretofl.register_question_set("doubles")
def doubles(seed, count=20):
    """Doubling numbers."""
    numbers = np.random.default_rng(seed).integers(100, size=count)
    asked = [(f"What is {n} + {n}?", str(2 * n), f"{n}+{n}={2 * n}") for n in numbers.tolist()]
    return {"training": asked[:-6], "validation": asked[-6:-4], "test": [question[:2] for question in asked[-4:]]}


def test_a_function_is_a_question_set():
    questions = paretofl.question_sets.doubles(seed=3, count=10)
    assert {split: len(found) for split, found in questions.items()} == {"training": 4, "validation": 2, "test": 4}
    prompt, reference, solution = questions["training"][0]
    assert prompt.startswith("What is") and solution.endswith(f"={reference}") and questions["test"][0][2] == ""
    assert questions == paretofl.question_sets.doubles(seed=3, count=10) != paretofl.question_sets.doubles(seed=4, count=10)


@pytest.mark.parametrize("returned, message", [
    (None, "dictionary of training"), ({"train": []}, "dictionary of training"), ({"test": 3}, "test: expected a list"),
    ({"test": [("a",)]}, "expected texts"), ({"test": [("a", 3)]}, "expected texts"), ({"test": ["ab", "abc"]}, "expected texts.*found 'ab'"),
    ({"test": "ab"}, "expected texts.*found 'a'"), ({"test": [("a", "\ud800")]}, "test: expected texts of valid Unicode, found lone surrogates")])
def test_wrong_questions_are_one_error(returned, message):
    @paretofl.register_question_set("wrong_questions")
    def wrong_questions():
        return returned

    with pytest.raises(paretofl.Error, match=message):
        paretofl.question_sets.wrong_questions()


MODELS = {
    "reasoning": ({"name": "fedmoa", "cohort_size": 2, "local_steps": 2},
                  {"clients": 2, "groups": "mine:closeness_to+politeness", "evaluation_questions": 4, "tasks": {"mine": {"name": "doubles", "count": 12}},
                   "rewards": {"closeness_to": {"name": "same_length"}, "politeness": {"name": "politeness", "word": "a"}},
                   "grpo": {"prompts": 2, "completions": 2, "max_new_tokens": 8}}),
    "alignment": ({"name": "firm", "cohort_size": 2, "local_steps": 2},
                  {"clients": 2, "evaluation_prompts": 4, "objectives": {"same": {"name": "same_length"}, "polite": {"name": "politeness", "word": "a"}},
                   "ppo": {"batch_size": 4, "minibatch_size": 2, "max_new_tokens": 8}}),
}


@paretofl.register_reward("same_length")
def same_length(completions, references):
    return [1 / (1 + abs(len(completion) - len(reference))) for completion, reference in zip(completions, references)]


@pytest.mark.parametrize("workload", MODELS)
def test_a_config_names_them_where_language_models_run(tmp_path, workload):
    strategy, settings = MODELS[workload]
    config = {"strategy": strategy, "workload": {"name": workload, **settings}, "rounds": 2}
    try:
        runs = [paretofl.run(config, threads=threads, directory=tmp_path / str(threads)) for threads in (1, 2)]
    except paretofl.Error as error:  # a wheel, which has no LibTorch
        assert "libparetofl_torch.so" in str(error) and "LibTorch" in str(error)
        skip_without_libtorch()
    assert len({run.summary["parameters_sha256"] for run in runs}) == 1
    assert not any(row["failures"] for row in runs[0].metrics)
