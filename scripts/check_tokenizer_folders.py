#!/usr/bin/env python3
"""Checks that what stands beside a vocabulary means to `paretofl tokenize` what it means to the library "transformers".

Usage: scripts/check_tokenizer_folders.py [--folders N] [--seed S] [--command PATH]
Folders are drawn: a SentencePiece tokenizer.model (BPE or unigram) or a vocab.json with merges.txt, a tokenizer_config.json with
keys of every kind, added_tokens_decoder or an older added_tokens.json and special_tokens_map.json, and a config.json. Ids must be
those of AutoTokenizer or the folder be refused with one line. Needs the packages transformers (5.24), tokenizers, sentencepiece
and protobuf. Exits with 1 on any difference.
"""

import argparse
import json
import logging
import os
import random
import re
import subprocess
import sys
import tempfile
import warnings
from collections import Counter
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = "1"
warnings.filterwarnings("ignore")
import sentencepiece
import transformers
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

transformers.logging.set_verbosity_error()
logging.disable(logging.CRITICAL)

WORDS = "the quick brown fox user hello world isn't we'll x_1 für naïve 日本 12345".split()
TOKENS = ["<|a|>", "<|b|>", "[PAD]", "<mask>", "hello", "fox", "é", "▁x", "ello", "<tool call>"]
OTHERS = ["<s>", "</s>", "<unk>", "<|endoftext|>", "e\u0301", "don't", ".", ",", "  ", "\n"]
END = {"content": "</s>", "lstrip": False, "rstrip": False, "normalized": False, "single_word": False}
KEYS = {
    "legacy": [True, False, None], "add_prefix_space": [True, False, None], "add_bos_token": [True, False], "add_eos_token": [True, False],
    "bos_token": ["<s>", "<|endoftext|>", "<|b|>", None], "eos_token": ["</s>", "<|a|>", None, {**END, "rstrip": True, "__type": "AddedToken"}],
    "pad_token": ["[PAD]", "hello", None], "unk_token": ["<unk>", "<|endoftext|>"], "additional_special_tokens": [["<|a|>", "<mask>"], []],
    "extra_special_tokens": [["<|b|>"], {"tool_token": "<tool call>"}], "image_token": ["<tool call>"], "clean_up_tokenization_spaces": [True, False],
    "model_max_length": [512], "padding_side": ["right"], "sp_model_kwargs": [{}], "errors": ["replace"], "use_default_system_prompt": [False],
    "spaces_between_special_tokens": [False, True], "name_or_path": ["x"],
}
RARE = {"split_special_tokens": [True, False], "do_lower_case": [True, False], "a_new_key": [1, False, None]}


def make_vocabularies(rng, folder):
    """Files by kind, and how many tokens they have."""
    lines = [" ".join(rng.choice(WORDS) for _ in range(10)) for _ in range(500)]
    (folder / "corpus.txt").write_text("\n".join(lines))
    kinds = {}
    for kind, options in {"bpe": dict(model_type="bpe", byte_fallback=True, normalization_rule_name="identity", remove_extra_whitespaces=False),
                          "unigram": dict(model_type="unigram")}.items():
        sentencepiece.SentencePieceTrainer.train(input=str(folder / "corpus.txt"), model_prefix=str(folder / kind), vocab_size=400,
                                                 hard_vocab_limit=False, minloglevel=2, **options)
        model = folder / f"{kind}.model"
        kinds[kind] = ({"tokenizer.model": model.read_bytes()}, sentencepiece.SentencePieceProcessor(model_file=str(model)).vocab_size())
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.train_from_iterator(lines, trainers.BpeTrainer(vocab_size=350, show_progress=False, special_tokens=["<|endoftext|>"],
                                                             initial_alphabet=pre_tokenizers.ByteLevel.alphabet()))
    tokenizer.model.save(str(folder))
    kinds["bytes"] = ({name: (folder / name).read_bytes() for name in ("vocab.json", "merges.txt")}, tokenizer.get_vocab_size())
    return kinds


def draw_folder(rng, kind, files, size, folder):
    """Writes a folder; returns what is in it."""
    for name, content in files.items():
        (folder / name).write_bytes(content)
    classes = {"bytes": ["GPT2Tokenizer", "GPT2TokenizerFast", "Qwen2Tokenizer", "Qwen2TokenizerFast", None, "RobertaTokenizer"],
               "bpe": ["LlamaTokenizer", "LlamaTokenizerFast", "PreTrainedTokenizerFast", None], "unigram": ["PreTrainedTokenizerFast", None, "LlamaTokenizer"]}
    config = {key: rng.choice(values) for key, values in KEYS.items() if rng.random() < 0.25}
    config.update({key: rng.choice(values) for key, values in RARE.items() if rng.random() < 0.05})
    if name := rng.choice(classes[kind]):
        config["tokenizer_class"] = name
    tokens = rng.sample(TOKENS, rng.randrange(0, 5))
    ids = {token: size + i + (2 if rng.random() < 0.05 else 0) for i, token in enumerate(tokens)}
    what = {"kind": kind}
    how = rng.random()
    if how < 0.4:
        config["added_tokens_decoder"] = {str(i): {"content": token, **{flag: rng.random() < 0.25 for flag in (
            "lstrip", "rstrip", "normalized", "special", "single_word")}} for token, i in ids.items()}
    elif how < 0.7:
        what["added_tokens.json"] = ids
    if rng.random() < 0.2:
        named = {"bos_token": "<|endoftext|>" if kind == "bytes" else "<s>", "eos_token": END, "additional_special_tokens": ["<|a|>"]}
        what["special_tokens_map.json"] = {key: value for key, value in named.items() if rng.random() < 0.6}
    what["tokenizer_config.json"] = config
    if family := rng.choice(["gpt2", "qwen2", None] if kind == "bytes" else ["llama", None]):
        what["config.json"] = {"model_type": family}
    for name, content in what.items():
        if name != "kind":
            (folder / name).write_text(json.dumps(content))
    return what


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folders", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--command", default=str(Path(__file__).resolve().parent.parent / "build" / "paretofl"))
    arguments = parser.parse_args()
    rng, tally = random.Random(arguments.seed), Counter()
    with tempfile.TemporaryDirectory() as root:
        kinds = make_vocabularies(rng, Path(root))
        for number in range(arguments.folders):
            folder = Path(root) / str(number)
            folder.mkdir()
            kind = rng.choice(["bytes", "bpe", "bytes", "bpe", "unigram"])
            what = draw_folder(rng, kind, *kinds[kind], folder)
            texts = ["".join(rng.choice(WORDS + TOKENS + OTHERS) + rng.choice(["", " ", " ", " ", "  ", "\n"]) for _ in range(rng.randrange(1, 12)))
                     for _ in range(4)]
            try:
                tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
                expected = [tokenizer.encode(text) for text in texts]
            except Exception:  # whatever the library raises is a refusal
                expected = None
            outcome = "right"
            for i, text in enumerate(texts):
                done = subprocess.run([arguments.command, "tokenize", "--tokenizer", folder, "--special"], input=text.encode(), capture_output=True)
                message = done.stderr.decode()
                if done.returncode == 1 and message.startswith("paretofl: ") and message.count("\n") == 1:
                    outcome = "refused: " + re.sub(r"'[^']*'|\d+", "_", message.replace(str(folder), "FOLDER").strip()[10:])[:100]
                    break
                if done.returncode != 0 or (expected and json.loads(done.stdout)["ids"] != expected[i]):
                    outcome = "DIFFERENT"
                    print(f"{what}: {text!r}:\n  expected {expected and expected[i]}\n  found    {done.stdout or message}", file=sys.stderr)
                    break
            if expected is None:
                outcome = "refused by both" if outcome.startswith("refused") else "refused by the library alone" if outcome == "right" else outcome
            tally[outcome] += 1
    for outcome, count in sorted(tally.items()):
        print(f"{count} {outcome}")
    return 1 if tally["DIFFERENT"] else 0


if __name__ == "__main__":
    sys.exit(main())
