#!/usr/bin/env python3
"""Writes a tokenizer whose tokens are printable characters, the end of a line and the four tags of answers.

Usage: character_vocabulary.py FOLDER [CHAT_TEMPLATE]
"""

import json
import sys
from pathlib import Path

folder = Path(sys.argv[1])
tags = ["<think>", "</think>", "<answer>", "</answer>"]
tokens = ["<unk>", "<s>", "</s>", "<pad>"] + tags + ["\n"] + [chr(c) for c in range(32, 127)]
added = [{"id": id, "content": token, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": id < 4}
         for id, token in enumerate(tokens[:8])]
folder.mkdir(parents=True, exist_ok=True)
(folder / "tokenizer.json").write_text(json.dumps({
    "version": "1.0", "truncation": None, "padding": None,
    "added_tokens": added,
    "normalizer": None, "pre_tokenizer": None,
    "post_processor": {"type": "TemplateProcessing",
                       "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
                       "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
                       "special_tokens": {"<s>": {"id": "<s>", "ids": [1], "tokens": ["<s>"]}}},
    "decoder": {"type": "Fuse"},
    "model": {"type": "BPE", "dropout": None, "unk_token": "<unk>", "continuing_subword_prefix": None,
              "end_of_word_suffix": None, "fuse_unk": False, "byte_fallback": False, "merges": [],
              "vocab": {token: id for id, token in enumerate(tokens)}}}))
template = {"chat_template": sys.argv[2]} if len(sys.argv) > 2 else {}
(folder / "tokenizer_config.json").write_text(json.dumps({"bos_token": "<s>", "eos_token": "</s>", **template}))
