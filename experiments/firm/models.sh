#!/usr/bin/env bash
# Makes the models of the alignment experiments from preference pairs in the format of Anthropic's HH data: two vocabularies,
# a policy (base), reward models helpful and harmless, and another helpful one for the heterogeneous case. Of every ten
# distinct prompts of a file the last is held out with all its pairs: no model sees it.
# Usage: experiments/firm/models.sh [FOLDER]  (default runs/firm_models); needs PARETOFL_DATA with hh/ and Debian's `sentencepiece`.
# LARGE=yes makes base_large too, a policy of 5.26 million parameters.
set -euo pipefail
cd "$(dirname "$0")/../.."
hh=${PARETOFL_DATA:?expected the folder of real data sets in PARETOFL_DATA}/hh
out=${1:-runs/firm_models}
helpful=$hh/helpful-pairs.jsonl.gz harmless=$hh/harmless-base-test.jsonl.gz
mkdir -p "$out"

# vocabulary NAME PIECES: byte-level fall-back, texts kept byte for byte, a turn's beginning as one piece.
vocabulary() {
  [[ -f $out/$1.model ]] && return
  python3 - "$helpful" "$harmless" <<'PYTHON' >"$out/texts.txt"
import gzip, json, os, sys
for file in sys.argv[1:]:
    seen, held_out = set(), set()
    for line in gzip.open(file, "rt", encoding="utf-8"):
        texts = sorted(set(json.loads(line).values()))
        prompt = os.path.commonprefix(texts).rpartition("\n\nAssistant:")[0]
        if prompt not in seen:
            seen.add(prompt)
            if len(seen) % 10 == 0:
                held_out.add(prompt)
        if prompt not in held_out:
            print(*texts, sep="\n")
PYTHON
  spm_train --input="$out/texts.txt" --model_prefix="$out/$1" --vocab_size="$2" --model_type=bpe --byte_fallback=true \
    --character_coverage=0.999 --normalization_rule_name=identity --remove_extra_whitespaces=false --add_dummy_prefix=false \
    --split_digits=true --user_defined_symbols=$'\n\nHuman:,\n\nAssistant:,\n\n,\n' --pad_id=3 --max_sentence_length=20000 \
    --num_threads=1 --minloglevel=1
  rm "$out/texts.txt" "$out/$1.vocab"
}

# train COMMAND NAME ARGUMENT...: makes $out/NAME, or goes on with it.
train() {
  local command=$1 name=$2
  shift 2
  [[ -f $out/$name/training.json ]] && return
  local resume=()
  [[ -d $out/$name ]] && resume=(--resume)
  "${PARETOFL:-build/paretofl}" "$command" --dir "$out/$name" "${resume[@]}" "$@"
}

vocabulary vocabulary 2000
vocabulary vocabulary_other 1000

shape=(--set model.hidden_size=128 --set model.intermediate_size=344 --set model.layers=4 --set model.heads=4 --set model.key_value_heads=4)
language=(--set training.batch=8 --set training.learning_rate=0.003)
train train-lm base --data "$helpful" --data "$harmless" --tokenizer "$out/vocabulary.model" "${shape[@]}" "${language[@]}" \
  --set training.epochs=2
reward=(--set training.batch=16 --set training.learning_rate=0.0001)
train train-reward helpful --data "$helpful" --model "$out/base" "${reward[@]}" --set training.epochs=1
train train-reward harmless --data "$harmless" --model "$out/base" "${reward[@]}" --set training.epochs=2
# The other helpful model: its own vocabulary, size and seed, from its own language model.
small=(--set model.hidden_size=96 --set model.intermediate_size=256 --set model.layers=3 --set model.heads=3 --set model.key_value_heads=3)
train train-lm base_other --data "$helpful" --data "$harmless" --tokenizer "$out/vocabulary_other.model" --seed 2 "${small[@]}" \
  "${language[@]}" --set training.epochs=1
train train-reward helpful_other --data "$helpful" --model "$out/base_other" --seed 2 "${reward[@]}" --set training.epochs=1
if [[ ${LARGE:-} == yes ]]; then
  large=(--set model.hidden_size=256 --set model.intermediate_size=688 --set model.layers=6 --set model.heads=8 --set model.key_value_heads=8)
  train train-lm base_large --data "$helpful" --data "$harmless" --tokenizer "$out/vocabulary.model" "${large[@]}" \
    --set training.batch=8 --set training.learning_rate=0.001 --set training.epochs=2
fi
