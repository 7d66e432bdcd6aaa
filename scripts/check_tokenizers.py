#!/usr/bin/env python3
"""Checks that `paretofl tokenize` gives the ids and texts of the "tokenizers" and "sentencepiece" packages.

Usage: scripts/check_tokenizers.py [--lines N] [--patterns N] [--components N] [--seed S] [--data FOLDER] [--command PATH]
Texts are drawn: words and characters of many scripts, code, white space, random bytes. Tokenizers are small ones trained on
them with the words of GPT-2, Qwen 2.5 and Llama 3, unigram ones as of DeBERTa-v3, SentencePiece models, and, from FOLDER (or
$PARETOFL_DATA), GPT-2 and Llama 2. Then N byte-level ones are drawn, whose words are cut by a regular expression of parts of
published ones, and of what engines of regular expressions read differently, and which have added tokens of every flag; a refusal
with one line is no difference, but counted. At last N are put together from components of every kind (random_tokenizers.py).
Needs the packages tokenizers (0.23; 0.22 decodes normalized added tokens to their own form), sentencepiece and protobuf. Exits with 1 on any difference.
"""

import argparse
import gzip
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import unicodedata
from pathlib import Path

import sentencepiece
from sentencepiece import sentencepiece_model_pb2
from random_tokenizers import Draw
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

QWEN = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")
LLAMA3 = QWEN.replace(r"\p{N}| ?", r"\p{N}{1,3}| ?")

WORDS = """the quick brown fox isn't we'll I've you'd they're IT'S don'ſ über naïve café ﬁne ①② Ⅷ ½ 12345 3.14159 x_1 été
déjà Ünïcödé привет мир ДОМ слово γλώσσα ελληνικά שלום עולם مرحبا بالعالم हिन्दी भाषा ภาษาไทย 日本語 こんにちは ガギグ ｶﾞ
한국어 안녕 机器学习 人工智慧 👋🏽 👨‍👩‍👧‍👦 🇯🇵🇰🇷 ☀️ é à Å ℌ ﷺ ㍿ 𝒜𝔟 <|im_start|> <|im_end|> <|endoftext|> <s> </s> <unk> ▁ ▁▁x
for(i=0;i<n;++i){a[i]+=b;} def f(x): return{'k':"v"} #include <vector> https://a.b/c?d=e&f=1 me@x.org \\frac{1}{2} $x^2$ ...!!! --""".split()
SPACES = [" "] * 20 + ["", "  ", "   ", "\t", "\r", "\u00a0", "\u3000", "\u2028", "\u180e", "\u200b", "    ", " \t ", "\u0085"]
PLANES = [(0x20, 0x7F), (0x80, 0x250), (0x300, 0x370), (0x370, 0x700), (0x900, 0xE80), (0x1100, 0x1200), (0x2000, 0x2C00),
          (0x3040, 0x3100), (0x4E00, 0x9FFF), (0xAC00, 0xD7A4), (0xF900, 0xFFFE), (0x1D400, 0x1D800), (0x1F300, 0x1FA00), (1, 0x30000)]


def draw_character(rng):
    while True:
        character = chr(rng.randrange(*rng.choice(PLANES)))
        kind = unicodedata.category(character)
        new = kind[0] in "LMNP" and unicodedata.ucd_3_2_0.category(character) == "Cn"  # tables of Unicode differ in age
        if character != "\n" and kind not in ("Cn", "Cs") and not new:
            return character


def draw_text(rng):
    kind = rng.random()
    if kind < 0.6:
        return "".join(rng.choice(WORDS) + rng.choice(SPACES) for _ in range(rng.randrange(1, 25)))
    if kind < 0.75:
        return "".join(draw_character(rng) for _ in range(rng.randrange(0, 40)))
    if kind < 0.85:
        return bytes(rng.randrange(256) for _ in range(rng.randrange(0, 60))).decode("utf-8", "replace").replace("\n", "")
    if kind < 0.95:
        return "".join(rng.choice(WORDS + SPACES + [draw_character(rng)]) for _ in range(rng.randrange(0, 30)))
    return rng.choice([" ", "a", "字", "ab", "\t ", "=", "aa "]) * rng.randrange(1, 300)


def trained_bpe(texts, pattern, normalizer, ignore_merges, prefix_space=False):
    tokenizer = Tokenizer(models.BPE(ignore_merges=ignore_merges))
    tokenizer.normalizer = normalizer
    byte_level = pre_tokenizers.ByteLevel(add_prefix_space=prefix_space, use_regex=pattern is None)
    tokenizer.pre_tokenizer = byte_level if pattern is None else pre_tokenizers.Sequence(
        [pre_tokenizers.Split(Regex(pattern), "isolated", invert=False), byte_level])
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.train_from_iterator(texts, trainers.BpeTrainer(
        vocab_size=2000, show_progress=False, initial_alphabet=pre_tokenizers.ByteLevel.alphabet()))
    tokenizer.add_special_tokens(["<|endoftext|>", AddedToken("<|im_start|>", rstrip=True), AddedToken("<|im_end|>", lstrip=True)])
    tokenizer.add_tokens([AddedToken("fox", single_word=True), AddedToken("é", normalized=True), "quick brown"])
    start = tokenizer.token_to_id("<|im_start|>")
    tokenizer.post_processor = processors.Sequence([processors.ByteLevel(trim_offsets=False), processors.TemplateProcessing(
        single="<|im_start|> $A", special_tokens=[("<|im_start|>", start)])])
    return tokenizer


def trained_unigram(texts, scheme, byte_fallback):
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")])
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme=scheme)
    tokenizer.decoder = decoders.Metaspace(prepend_scheme=scheme)
    tokenizer.train_from_iterator(texts, trainers.UnigramTrainer(
        vocab_size=1500, show_progress=False, unk_token="<unk>", special_tokens=["<unk>", "<s>", "</s>"] if not byte_fallback else
        ["<unk>", "<s>", "</s>"] + [f"<0x{byte:02X}>" for byte in range(256)]))
    if not byte_fallback:
        return tokenizer
    file = json.loads(tokenizer.to_str())
    file["model"]["byte_fallback"] = True
    file["added_tokens"] = file["added_tokens"][:3]
    file["decoder"] = {"type": "Sequence", "decoders": [{"type": "ByteFallback"}, file["decoder"]]}
    return Tokenizer.from_str(json.dumps(file))


def trained_model(texts, folder, name, **options):
    corpus = folder / "corpus.txt"
    corpus.write_text("\n".join(texts))
    options = {"vocab_size": 1500, "character_coverage": 0.995, "hard_vocab_limit": False, "minloglevel": 2} | options
    sentencepiece.SentencePieceTrainer.train(input=str(corpus), model_prefix=str(folder / name), **options)
    return sentencepiece.SentencePieceProcessor(model_file=str(folder / f"{name}.model"))


def like_deberta(model_file):
    """The tokenizer.json of a unigram model that DeBERTa-v3's has: the model's own rules, punctuation apart."""
    model = sentencepiece_model_pb2.ModelProto()
    model.ParseFromString(model_file.read_bytes())
    tokenizer = Tokenizer(models.Unigram([(piece.piece, piece.score) for piece in model.pieces], 0))
    tokenizer.normalizer = normalizers.Sequence([
        normalizers.Strip(), normalizers.Precompiled(model.normalizer_spec.precompiled_charsmap), normalizers.Replace(Regex(" {2,}"), " ")])
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Punctuation("isolated"), pre_tokenizers.Metaspace(prepend_scheme="always")])
    tokenizer.decoder = decoders.Metaspace(prepend_scheme="always")
    tokenizer.add_special_tokens(["[CLS]", "[SEP]"])
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[(token, tokenizer.token_to_id(token)) for token in ("[CLS]", "[SEP]")])
    return tokenizer


# Parts of published tokenizers' patterns, and constructs that engines read differently.
PATTERNS = [
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)", r"'(?i:[sdmt]|ll|ve|re)", r"[^\r\n\p{L}\p{N}]?+\p{L}+", r"[^\r\n\p{L}\p{N}]?\p{L}+", r"\p{N}{1,3}",
    r"\p{N}", r" ?[^\s\p{L}\p{N}]+[\r\n]*", r" ?[^\s\p{L}\p{N}]++[\r\n]*", r"\s*[\r\n]+", r"\s+(?!\S)", r"\s+", r"\s++$", r" ?\p{L}+", r" ?\p{N}+",
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?", r"[\p{Han}]+",
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]*[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]+", r"[一-龥぀-ゟ゠-ヿ]+", r"[\r\n]",
    r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+", r"\p{Nd}{3}+", r"\d{3}+", r"(?=(\d{3})+(?!\d))", r"[\p{P}\p{S}]", r"\s?[A-Za-z\u00b5]+", r"[0-9]",
    r"^\w", r"a$", r"\h+", r"[[:alpha:]]+", r"[[:^digit:]]", r"\X", r"\R", r"[a-z&&[^aeiou]]++", r"(?>a+)b", r"(?<=\d)x", r"\bth", r"\Gx",
    r"\w{2,3}?", r"(?m:.)", r"(?x: a b )", r"(.)\1", r"\O", r"\K", r"[^\W\d_]+", r"\p{^Lu}", r"\x{4e00}", r"\u0041", r"\N", r"(?~ab)", r"[]a]",
    r"[a-\d]", r"\d{,2}", r"a{2}?", r"\A.", r".\Z", r"\p{M}*", r"(?i)É", r"\v", r"\y", r"(?W:\w+)", r"(?<n>a)\k<n>", r"[[:punct:]]"]
BEHAVIORS = ["Isolated", "Isolated", "Removed", "MergedWithPrevious", "MergedWithNext", "Contiguous"]
ADDED = ["<|im_start|>", "<|im_end|>", "fox", "foxy", "é", " quick", "lo", "<s>", "12", "\n", "日本", "_", "E"]


def drawn_tokenizer(rng, texts):
    pattern = "|".join("".join(rng.choice(PATTERNS) for _ in range(rng.choice([1, 1, 1, 2]))) for _ in range(rng.randrange(1, 6)))
    split = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": rng.choice(BEHAVIORS), "invert": rng.random() < 0.2}
    vocabulary = {symbol: i for i, symbol in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}
    byte_level = {"add_prefix_space": rng.random() < 0.2, "trim_offsets": True, "use_regex": False}
    file = {"version": "1.0", "truncation": None, "padding": None, "added_tokens": [], "post_processor": None,
            "normalizer": rng.choice([None, None, {"type": "NFC"}, {"type": "NFKC"}]), "decoder": {"type": "ByteLevel", **byte_level},
            "pre_tokenizer": {"type": "Sequence", "pretokenizers": [split, {"type": "ByteLevel", **byte_level}]},
            "model": {"type": "BPE", "ignore_merges": True, "vocab": vocabulary, "merges": []}}
    plain = Tokenizer.from_str(json.dumps(file))  # whose words become the tokens, so that every cut shows
    for text in texts:
        for word, _ in plain.pre_tokenizer.pre_tokenize_str(text):
            vocabulary.setdefault(word, len(vocabulary))
    for content in rng.sample(ADDED, rng.randrange(0, 6)):
        flags = {flag: rng.random() < 0.25 for flag in ("single_word", "lstrip", "rstrip", "normalized", "special")}
        file["added_tokens"].append({"id": vocabulary.get(content, len(vocabulary) + sum(t["id"] >= len(vocabulary) for t in file["added_tokens"])),
                                     "content": content, **flags})
    return pattern, file


def check_drawn(rng, count, check, texts):
    """Patterns and added tokens; returns figures."""
    figures = {"right": 0, "refused": 0, "refused by the package": 0, "DIFFERENT": 0}
    path = check.folder / "drawn.json"
    for _ in range(count):
        some = [rng.choice(texts) + rng.choice(["", "\n", " \n\n x"]) + rng.choice(texts)[:60] for _ in range(8)]
        try:
            pattern, file = drawn_tokenizer(rng, some)
            tokenizer = Tokenizer.from_str(json.dumps(file))
            expected = [tokenizer.encode(text).ids for text in some]
        except BaseException as error:  # a panic of the package is no Exception
            if isinstance(error, KeyboardInterrupt):
                raise
            figures["refused by the package"] += 1
            continue
        path.write_text(json.dumps(file))
        outcome = "right"
        for text, ids in zip(some, expected):
            done = subprocess.run([check.command, "tokenize", "--tokenizer", path, "--special"], input=text.encode(), capture_output=True)
            found = json.loads(done.stdout)["ids"] if done.returncode == 0 else None
            if found == ids:
                continue
            named = done.returncode == 1 and done.stderr.startswith(b"paretofl: ") and done.stderr.count(b"\n") == 1
            outcome = "refused" if named else "DIFFERENT"
            where = f"{pattern!r}, {file['pre_tokenizer']['pretokenizers'][0]['behavior']}, added {file['added_tokens']}"
            print(f"drawn: {outcome}: {where}: {text!r}:\n  expected {ids!r}\n  found    {found!r} {done.stderr.decode()}", file=sys.stderr)
            break
        figures[outcome] += 1
        check.failures += outcome == "DIFFERENT"
    print("drawn: " + ", ".join(f"{count} {what}" for what, count in figures.items() if count))


def answer_of_package(file, texts, spellings):
    """The package's ids, texts of them, and normalized spellings, or None. Its panics may end a process, so it gets one of its own."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        try:
            tokenizer = Tokenizer.from_str(json.dumps(file))
            ids = [tokenizer.encode(text).ids for text in texts]
            back = [tokenizer.decode(row, skip_special_tokens=True) for row in ids]
            normalized = [tokenizer.normalizer.normalize_str(text) for text in spellings] if tokenizer.normalizer else []
            with os.fdopen(writer, "w") as stream:
                json.dump([ids, back, normalized], stream)
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as stream:
        answer = stream.read()
    os.waitpid(child, 0)
    return json.loads(answer) if answer else None


def check_components(seed, count, check):
    """Components of every kind; returns figures."""
    figures = {"right": 0, "refused": 0, "refused by the package": 0, "DIFFERENT": 0}
    path = check.folder / "components.json"
    for number in range(count):
        draw = Draw(f"{seed}/{number}")
        file = draw.tokenizer()
        texts = [draw.text() for _ in range(20)]
        path.write_text(json.dumps(file))
        cut = json.dumps(file["pre_tokenizer"])
        prepends = "Prepend" in json.dumps(file["normalizer"]) or '"add_prefix_space": true' in cut or cut.count("Metaspace") > 1
        if prepends and '"first"' in cut:
            continue  # to the package, what follows what is prepended may begin the text too
        spellings = [token["content"] for token in file["added_tokens"] if token["normalized"]]
        answer = answer_of_package(file, texts, spellings)
        if answer is None:
            figures["refused by the package"] += 1
            continue
        ids, back, normalized = answer
        if len(set(normalized)) < len(normalized):
            continue  # of tokens with one spelling the package takes any
        try:
            found = [row["ids"] for row in check.run(path, texts, "--special")]
            found_back = [row["text"] for row in check.run(path, [json.dumps({"ids": row}) for row in ids], "--decode", "--special")]
        except subprocess.CalledProcessError as error:
            named = error.returncode == 1 and error.stderr.startswith(b"paretofl: ") and error.stderr.count(b"\n") == 1
            figures["refused" if named else "DIFFERENT"] += 1
            check.failures += not named
            continue
        wrong = [(t, a, b) for t, a, b in zip(texts, ids, found) if a != b]
        # The package decodes bytes that are no UTF-8 one by one; the command leaves them as they are.
        wrong += [(i, a, b) for i, a, b in zip(ids, back, found_back) if a != b and "\ufffd" not in a]
        figures["DIFFERENT" if wrong else "right"] += 1
        check.failures += bool(wrong)
        if wrong:
            about = {key: value for key, value in file.items() if key != "model"}
            print(f"components {number}: {wrong[0]}\n  {json.dumps(about)}", file=sys.stderr)
    print("components: " + ", ".join(f"{count} {what}" for what, count in figures.items() if count))


class Check:
    def __init__(self, command, folder):
        self.command, self.folder, self.failures = command, folder, 0

    def run(self, path, lines, *options):
        text = "".join(line + "\n" for line in lines).encode()
        done = subprocess.run([self.command, "tokenize", "--tokenizer", path, "--lines", *options], input=text, capture_output=True, check=True)
        return [json.loads(line) for line in done.stdout.split(b"\n")[:-1]]

    def compare(self, name, what, texts, found, expected):
        wrong = [i for i in range(len(texts)) if found[i] != expected[i]]
        self.failures += len(wrong)
        for i in wrong[:3]:
            print(f"{name}: {what} of {texts[i]!r}:\n  expected {expected[i]!r}\n  found    {found[i]!r}", file=sys.stderr)
        return f"{len(texts) - len(wrong)} of {len(texts)} {what}"

    def check(self, name, path, texts, blocks, encode, decode):
        start = time.perf_counter()
        expected = [encode(text) for text in texts]
        seconds = time.perf_counter() - start
        start = time.perf_counter()
        found = [row["ids"] for row in self.run(path, texts, "--special")]
        own_seconds = time.perf_counter() - start
        agreed = [self.compare(name, "lines", texts, found, expected)]
        agreed.append(self.compare(name, "blocks", blocks, [self.block(path, block) for block in blocks], [encode(block) for block in blocks]))
        rows = [json.dumps({"ids": ids}) for ids in expected]
        for what, options in (("texts", []), ("texts without special tokens", ["--special"])):
            if decode:
                texts_back = [decode(ids, bool(options)) for ids in expected]
                agreed.append(self.compare(name, what, rows, [row["text"] for row in self.run(path, rows, "--decode", *options)], texts_back))
        print(f"{name}: {', '.join(agreed)}; {own_seconds:.2f} s with start-up, the package {seconds:.2f} s")

    def block(self, path, block):
        done = subprocess.run([self.command, "tokenize", "--tokenizer", path, "--special"], input=block.encode(), capture_output=True)
        if done.returncode != 0:
            return done.stderr.decode()
        return json.loads(done.stdout)["ids"]

    def check_json(self, name, tokenizer, texts, blocks):
        path = self.folder / f"{name}.json"
        tokenizer.save(str(path))
        self.check(name, path, texts, blocks, lambda text: tokenizer.encode(text).ids,
                   lambda ids, skip: tokenizer.decode(ids, skip_special_tokens=skip))

    def check_model(self, name, model, path, texts, blocks):
        plain = [text for text in texts if "<s>" not in text and "</s>" not in text]
        first = [model.bos_id()] if model.bos_id() >= 0 else []
        self.check(name, path, plain, [b for b in blocks if "<s>" not in b and "</s>" not in b], lambda text: first + model.encode(text), None)
        ids = [model.encode(text) for text in plain]
        rows = [json.dumps({"ids": row}) for row in ids]
        back = [row["text"] for row in self.run(path, rows, "--decode")]
        print(f"{name}: {self.compare(name, 'texts', rows, back, [model.decode(row) for row in ids])}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lines", type=int, default=10000)
    parser.add_argument("--patterns", type=int, default=200)
    parser.add_argument("--components", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--data", default=os.environ.get("PARETOFL_DATA"))
    parser.add_argument("--command", default=str(Path(__file__).resolve().parent.parent / "build" / "paretofl"))
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    texts = [draw_text(rng) for _ in range(arguments.lines)]
    blocks = ["\n".join(rng.sample(texts, 4)) + rng.choice(["", "\n", " \n\n", "\r\n"]) for _ in range(20)] + ["\n", "\n\n  x", "a" * 100000]
    training = texts[: 2000]
    plain = [word for word in WORDS if not word.startswith("<")]
    words = ["".join(rng.choice(plain) + rng.choice(SPACES) for _ in range(12)) for _ in range(2000)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        check = Check(arguments.command, folder)
        check.check_json("qwen2.5", trained_bpe(training, QWEN, normalizers.NFC(), False), texts, blocks)
        check.check_json("llama-3", trained_bpe(training, LLAMA3, None, True), texts, blocks)
        check.check_json("gpt-2-words", trained_bpe(training, None, normalizers.NFKD(), False, prefix_space=True), texts, blocks)
        check.check_json("unigram", trained_unigram(words, "always", False), texts, blocks)
        check.check_json("unigram-bytes", trained_unigram(words, "never", True), texts, blocks)
        for name, options in {
                "model-unigram": {"model_type": "unigram"},
                "model-unigram-bytes": {"model_type": "unigram", "byte_fallback": True, "user_defined_symbols": ["<|im_end|>", "fox", "foxy"],
                                        "vocab_size": 2000},
                "model-bpe": {"model_type": "bpe", "byte_fallback": True, "normalization_rule_name": "identity",
                              "remove_extra_whitespaces": False, "user_defined_symbols": ["<|im_end|>"]},
                "model-bpe-nfkc": {"model_type": "bpe", "normalization_rule_name": "nfkc_cf", "add_dummy_prefix": False, "bos_id": -1},
        }.items():
            model = trained_model(words, folder, name, **options)
            check.check_model(name, model, folder / f"{name}.model", texts, blocks)
        check.check_json("deberta-v3", like_deberta(folder / "model-unigram.model"), texts, blocks)
        if arguments.data:
            published = Path(arguments.data) / "tokenizers"
            for name, file in (("gpt2", "gpt2_tokenizer.json.gz"), ("llama2", "llama_tokenizer.json.gz")):
                check.check_json(name, Tokenizer.from_str(gzip.decompress((published / file).read_bytes()).decode()), texts, blocks)
            path = published / "llama2_tokenizer.model"
            check.check_model("llama2-model", sentencepiece.SentencePieceProcessor(model_file=str(path)), path, texts, blocks)
        check_drawn(rng, arguments.patterns, check, [text for text in texts if text])
        check_components(arguments.seed, arguments.components, check)
    print(f"{check.failures} differences")
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())
