"""Tokenizers for the library "tokenizers" that are put together by chance from all components that `paretofl tokenize` knows."""

import random

PIECES = list("abcdefghijklmnopqrstuvwxyzABCXYZ0123456789 .,!?'-_") + ["é", "字", "▁", "Ġ", "\u0301", "ß", "😀"]
TEXTS = ["a", "b", " ", "  ", "e", "\n", "▁", "Ġ", "é", "th", "x", "#", "1", "ab", "\u0301"]
PATTERNS = [r"\s+", r"\d", r"[a-c]+", r"\p{L}+", r" ?\w+", r"(?<=a)b", r"^a", r"e$", r"\p{P}", r"[^\s]+", r"a|b", r"\p{N}{1,3}", r"\b", r"(?=x)"]
BEHAVIORS = ["Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous"]
ADDED = ["<s>", "</s>", "<|x|>", "ab", "the", " a", "a ", "é", "E", "  ", "\n", "foo", "e", "▁a", "don't", "１"]
WORDS = ["the", "a", "ab", "foo", "é", "e\u0301", "E", "don't", "12", "3", "字", "😀", "<s>", "</s>", "<|x|>", "x-y", "a_b", "▁a", "Ġ", "  ", " ",
         "\t", "１", "ﬁ", "ß", "\u00a0", "Ab.c", "!?", "xyz", "\u200d", "th"]
SCHEMES = ["always", "never", "first"]


class Draw:
    """One tokenizer.json and texts for it, from a seed."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def chance(self, share=0.5):
        return self.random.random() < share

    def one(self, values):
        return self.random.choice(values)

    def several(self, make, most, depth):
        return [make(depth + 1) for _ in range(self.random.randrange(most))]

    def pattern(self):
        return {"String": self.one(TEXTS)} if self.chance() else {"Regex": self.one(PATTERNS)}

    def normalizer(self, depth=0):
        kind = self.one(["NFC", "NFD", "NFKC", "NFKD", "Prepend", "Replace", "Strip", "Replace", "Prepend"] + ["Sequence"] * (depth < 2))
        made = {"type": kind}
        if kind == "Prepend":
            made["prepend"] = self.one(TEXTS)
        if kind == "Replace":
            made.update(pattern=self.pattern(), content=self.one(TEXTS + ["", ""]))
        if kind == "Strip":
            made.update(strip_left=self.chance(), strip_right=self.chance())
        if kind == "Sequence":
            made["normalizers"] = self.several(self.normalizer, 3, depth)
        return made

    def pre_tokenizer(self, depth=0):
        kind = self.one(["ByteLevel", "Split", "Split", "Metaspace", "Digits", "Punctuation"] + ["Sequence"] * (depth < 2))
        made = {"type": kind}
        if kind == "Sequence":
            made["pretokenizers"] = self.several(self.pre_tokenizer, 4, depth)
        if kind == "ByteLevel":
            made.update(add_prefix_space=self.chance(), trim_offsets=self.chance(), use_regex=self.chance())
        if kind == "Split":
            made.update(pattern=self.pattern(), behavior=self.one(BEHAVIORS), invert=self.chance(0.3))
        if kind == "Metaspace":
            made.update(replacement=self.one("▁▁_Ġ"), prepend_scheme=self.one(SCHEMES), split=self.chance())
        if kind == "Digits":
            made["individual_digits"] = self.chance()
        if kind == "Punctuation":
            made["behavior"] = self.one(BEHAVIORS)
        return made

    def decoder(self, depth=0):
        kind = self.one(["ByteLevel", "ByteFallback", "Metaspace", "Replace", "Fuse", "Strip"] + ["Sequence"] * (depth < 2))
        made = {"type": kind}
        if kind == "Sequence":
            made["decoders"] = self.several(self.decoder, 4, depth)
        if kind == "ByteLevel":
            made.update(add_prefix_space=True, trim_offsets=True, use_regex=True)
        if kind == "Metaspace":
            made.update(replacement=self.one("▁_"), prepend_scheme=self.one(SCHEMES), split=self.chance())
        if kind == "Replace":
            made.update(pattern=self.pattern(), content=self.one(TEXTS + [""]))
        if kind == "Strip":
            made.update(content=self.one(["a", " ", "▁"]), start=self.random.randrange(3), stop=self.random.randrange(3))
        return made

    def post_processor(self, vocabulary, depth=0):
        kind = self.one(["TemplateProcessing"] * 2 + ["BertProcessing", "RobertaProcessing", "ByteLevel"] + ["Sequence"] * (depth < 2))
        made = {"type": kind}
        tokens = self.random.sample(sorted(vocabulary), 3)
        if kind == "Sequence":
            made["processors"] = self.several(lambda deeper: self.post_processor(vocabulary, deeper), 3, depth)
        if kind in ("ByteLevel", "RobertaProcessing"):
            made.update(add_prefix_space=self.chance(), trim_offsets=False, use_regex=True)
        if kind in ("BertProcessing", "RobertaProcessing"):
            made.update(sep=[tokens[0], vocabulary[tokens[0]]], cls=[tokens[1], vocabulary[tokens[1]]])
        if kind == "TemplateProcessing":
            ends = [[{"SpecialToken": {"id": token, "type_id": 0}} for token in tokens[: self.random.randrange(3)]] for _ in range(2)]
            text, other = ({"Sequence": {"id": name, "type_id": 0}} for name in "AB")
            ids = {token: [vocabulary[token], 0][: self.one([1, 1, 2])] for token in tokens}
            made.update(single=[*ends[0], text, *ends[1]], pair=[text, other],
                        special_tokens={token: {"id": token, "ids": ids[token], "tokens": [token] * len(ids[token])} for token in tokens})
        return made

    def pieces(self):
        pieces = PIECES + [chr(code) for code in range(0xA1, 0x144)] * self.chance() + [f"<0x{byte:02X}>" for byte in range(256)] * self.chance(0.4)
        return list(dict.fromkeys(pieces + ["<unk>"] * self.chance(0.8)))

    def model(self):
        """A model and its tokens with their ids."""
        tokens = self.pieces()
        if self.chance(0.35):
            tokens += ["".join(self.random.choices(PIECES, k=self.random.randrange(2, 5))) for _ in range(60)]
            vocabulary = {token: i for i, token in enumerate(dict.fromkeys(tokens))}
            scored = [[token, -self.random.uniform(0, 12)] for token in vocabulary]
            return {"type": "Unigram", "unk_id": self.one([0, vocabulary.get("<unk>", 1)]), "vocab": scored, "byte_fallback": self.chance(0.4)}, vocabulary
        prefix, suffix = (self.one([None, "", text]) if self.chance(0.3) else None for text in ("##", "</w>"))
        if prefix:
            tokens += [prefix + piece for piece in PIECES]
        if suffix:
            tokens += [piece + suffix for piece in tokens if len(piece) == 1 or piece.startswith("##")]
        merges = []
        for _ in range(self.random.randrange(60)):
            left, right = self.one(tokens), self.one(tokens)
            whole = left + (right.removeprefix(prefix) if prefix else right)
            if whole not in tokens and not left.startswith("<") and not right.startswith("<"):
                tokens.append(whole)
                merges.append([left, right])
        self.random.shuffle(merges)
        vocabulary = {token: i for i, token in enumerate(tokens)}
        return {"type": "BPE", "dropout": None, "unk_token": "<unk>" if "<unk>" in vocabulary else None, "continuing_subword_prefix": prefix,
                "end_of_word_suffix": suffix, "fuse_unk": self.chance(), "byte_fallback": self.chance(), "ignore_merges": self.chance(0.3),
                "vocab": vocabulary, "merges": merges}, vocabulary

    def added_tokens(self, vocabulary):
        """Special ones are not normalized: of those the library does not leave out what they are normalized to."""
        tokens = []
        for content in self.random.sample(ADDED, self.random.randrange(7)):
            number = vocabulary.get(content, len(vocabulary) + sum(token["content"] not in vocabulary for token in tokens))
            flags = {flag: self.chance(0.3) for flag in ("single_word", "lstrip", "rstrip", "normalized")}
            tokens.append({"id": number, "content": content, **flags, "special": not flags["normalized"] and self.chance()})
        return sorted(tokens, key=lambda token: token["id"])

    def tokenizer(self):
        model, vocabulary = self.model()
        return {"version": "1.0", "truncation": None, "padding": None, "added_tokens": self.added_tokens(vocabulary),
                "normalizer": self.normalizer() if self.chance(0.6) else None, "pre_tokenizer": self.pre_tokenizer() if self.chance(0.8) else None,
                "post_processor": self.post_processor(vocabulary) if self.chance() else None,
                "decoder": self.decoder() if self.chance(0.7) else None, "model": model}

    def text(self):
        return "".join(self.one(WORDS) + self.one([" ", "", "", "  "]) for _ in range(self.random.randrange(12)))
