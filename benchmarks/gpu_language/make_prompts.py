#!/usr/bin/env python3
"""Writes preference pairs whose prompts all have the same number of bytes. Usage: make_prompts.py FILE BYTES"""
import json
import random
import sys

path, size = sys.argv[1], int(sys.argv[2])
random.seed(1)
words = "river stone cloud clock paper window garden table letter summer winter music bridge forest".split()
with open(path, "w") as file:
    for _ in range(400):
        text = ""
        while len(text) < size:
            text += random.choice(words) + " "
        head, tail = "\n\nHuman: ", "\n\nAssistant:"
        prompt = head + text[: size - len(head) - len(tail)] + tail
        file.write(json.dumps({"chosen": prompt + " Yes.", "rejected": prompt + " No."}) + "\n")
