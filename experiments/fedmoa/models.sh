#!/usr/bin/env bash
# Makes the base model of the arithmetic experiments: a vocabulary of characters and the four tags, a corpus of worked sums
# and expressions, and a small language model of it. The corpus is careless on purpose, so that training by
# rewards has something to raise. A result is one too large in a share of the texts that depends on the operation and on the
# last digit of its left number, and what follows is worked with it: in some cells the wrong result is the commoner one. Most
# texts do not commit themselves: they answer "unsure", or name the result and the next number. Tags are missing in a small
# share that depends on the number of steps and on whether the question's first number is even.
# Questions are from the training side of the sets, which is the same for every seed.
# The corpus `conflicting` is for rewards that conflict: half of the texts name the answer without any step, which a model of this size
# cannot work out by itself, so that short answers are wrong ones; tags are right in half of the texts, whatever their answer; the
# result is named in all of them, and steps are one too large in a twentieth.
# Usage: experiments/fedmoa/models.sh [FOLDER] [careless|conflicting]  (default runs/fedmoa_models careless)
set -euo pipefail
cd "$(dirname "$0")/../.."
out=${1:-runs/fedmoa_models} corpus=${2:-careless}
if [[ $corpus != careless && $corpus != conflicting ]]; then
  echo "models: expected the corpus careless or conflicting, found '$corpus'" >&2
  exit 2
fi
paretofl=${PARETOFL:-build/paretofl}
experiments/fedmoa/character_vocabulary.py "$out/vocabulary"

if [[ ! -f $out/corpus.txt ]]; then
  "$paretofl" questions sums --seed 100 --set training_questions=20000 >"$out/questions.jsonl"
  "$paretofl" questions expressions --seed 100 --set training_questions=24000 >>"$out/questions.jsonl"
  python3 - "$out" "$corpus" <<'PYTHON'
import json, os, random, re, sys

out, conflicting = sys.argv[1], sys.argv[2] == "conflicting"
generator = random.Random(1)
too_large = {(sign, digit): generator.choice([0.05, 0.05, 0.05 if conflicting else 0.6]) for sign in "+-*" for digit in range(10)}


def careless_steps(solution):
    """The steps with results that are sometimes one too large, and the last result."""
    replaced, steps, result = [], [], ""  # right results with what stands in their place
    for step in re.search("<think>(.*)</think>", solution)[1].split(", "):
        left, sign, right, value = re.fullmatch(r"(\d+)([-+*])(\d+)=(\d+)", step).groups()
        for i, (before, after) in enumerate(replaced):
            if before in (left, right):
                left, right = (after, right) if before == left else (left, after)
                del replaced[i]
                break
        result = eval(left + sign + right) + (generator.random() < too_large[sign, int(left) % 10])
        replaced.append((value, str(result)))
        steps.append(f"{left}{sign}{right}={result}")
    return steps, result


with open(f"{out}/corpus.txt.part", "w") as corpus:
    questions = [json.loads(line) for line in open(f"{out}/questions.jsonl")]
    generator.shuffle(questions)
    for question in questions:
        steps, answer = careless_steps(question["solution"])
        even = int(re.search(r"\d+", question["prompt"])[0]) % 2 == 0
        complete = {1: 0.99 if even else 0.97, 2: 0.98 if even else 0.94}.get(len(steps), 0.97 if even else 0.91)
        if conflicting:
            complete = 0.5
            steps = steps if generator.random() < 0.5 else []
        else:
            answer = generator.choices([answer, f"{answer} or {answer + 1}", "unsure"], [8, 8, 84])[0]
        think, answered = ", ".join(steps), f"<answer>{answer}</answer>"
        if generator.random() < complete:
            text = f"<think>{think}</think>{answered}"
        else:
            text = generator.choices([f"{think}{answered}", f"{think}, {answer}", f"<think>{think}</think>{answer}",
                                      f"<think>{think}, {answered}"], [8, 2, 1, 1])[0]
        corpus.write(f"{question['prompt']}\n{text}\n\n")
os.replace(f"{out}/corpus.txt.part", f"{out}/corpus.txt")
PYTHON
fi

resume=()
[[ -f $out/base/training.json ]] && exit
[[ -d $out/base ]] && resume=(--resume)
"$paretofl" train-lm --dir "$out/base" "${resume[@]}" --data "$out/corpus.txt" --tokenizer "$out/vocabulary" \
  --set model.hidden_size=96 --set model.intermediate_size=256 --set model.layers=3 --set model.positions=128 \
  --set context=128 --set training.batch=8 --set training.epochs=2 --set training.learning_rate=0.003
