#!/usr/bin/env bash
# Makes a small base model for fedmoa-gsm8k_math_mbpp.toml: a vocabulary of characters and the four tags, dialogues of short training
# questions of GSM8K, MATH and MBPP with the preset's instructions and their published solutions between the tags, and a language model of
# 0.4 million parameters of these. It has learned the format of answers and how solutions look, and can solve next to nothing.
# Usage: PARETOFL_DATA=DIR experiments/fedmoa/three_sets_model.sh [FOLDER]  (default runs/fedmoa_models/three_sets)
set -euo pipefail
cd "$(dirname "$0")/../.."
out=${1:-runs/fedmoa_models/three_sets}
paretofl=${PARETOFL:-build/paretofl}
experiments/fedmoa/character_vocabulary.py "$out/vocabulary" $'\n\nHuman: {{ question }}\n\nAssistant:'
for set in gsm8k math mbpp; do
  "$paretofl" questions "$set" --data "${PARETOFL_DATA:?expected the folder of real data sets in PARETOFL_DATA}" >"$out/$set.jsonl"
done
python3 - "$out" <<'PYTHON'
import json, random, sys, tomllib

out = sys.argv[1]
tasks = tomllib.load(open("experiments/fedmoa/fedmoa-gsm8k_math_mbpp.toml", "rb"))["workload"]["tasks"]
generator = random.Random(1)
dialogues = []
for name, task in tasks.items():
    of_task = []
    for line in open(f"{out}/{name}.jsonl"):
        question = json.loads(line)
        prompt, solution, answer = question["prompt"], question["solution"], question["reference"]
        if name == "gsm8k":
            solution = solution.split("\n####")[0]
        if name == "mbpp":
            solution, answer = "I write the function.", f"```python\n{solution}\n```"
        text = task["instruction"].replace("{question}", prompt)
        reply = f"<think>{solution}</think><answer>{answer}</answer>"
        if len(text) + len(reply) > 640 or not (text + reply).replace("\n", "").isascii() or "\t" in text + reply:
            continue
        of_task.append({"chosen": f"\n\nHuman: {text}\n\nAssistant: {reply}", "rejected": f"\n\nHuman: {text}\n\nAssistant: unsure"})
    generator.shuffle(of_task)
    dialogues += of_task[:1200]
    print(f"{name}: {len(of_task)} short questions, {min(len(of_task), 1200)} of them to train on")
generator.shuffle(dialogues)
with open(f"{out}/dialogues.jsonl", "w") as file:
    for dialogue in dialogues:
        file.write(json.dumps(dialogue) + "\n")
PYTHON
"$paretofl" train-lm --dir "$out/base" --data "$out/dialogues.jsonl" --tokenizer "$out/vocabulary" --seed 1 \
  --set model.hidden_size=96 --set model.intermediate_size=256 --set model.layers=3 --set model.positions=1024 \
  --set context=640 --set training.batch=4 --set training.epochs="${EPOCHS:-2}" --set training.learning_rate=0.003
