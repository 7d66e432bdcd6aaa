"""Small inputs for scripts/check_faults.py: what is run on what, and what it must lead to.

All files are made here or by the command itself, from fixed seeds, so nothing needs to be downloaded.
"""

import json
import random
import shutil
import struct
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CORPUS = ROOT / "tests/fuzz/corpus"
QUADRATICS = ROOT / "experiments/fedcmoo/fedcmoo-quadratics.toml"
DIGITS = ROOT / "experiments/fedcmoo/fedavg-multimnist.toml"
SMALL = ("--dir r --set workload.clients=3 --set workload.samples_per_client=40 --set workload.batch_size=20 --set strategy.cohort_size=2 "
         "--set strategy.local_steps=1 --set rounds=4 --set checkpoint.every=1 --set evaluation.every=2 --set runtime.threads=1").split()
WORDS = ("--dir r --set rounds=2 --set checkpoint.every=1 --set workload.model=lm --set workload.lora_rank=2 --set workload.clients=2 "
         "--set strategy.cohort_size=2 --set strategy.local_steps=1 --set workload.max_prompt_tokens=8 --set workload.ppo.batch_size=2 "
         "--set workload.ppo.minibatch_size=2 --set workload.ppo.max_new_tokens=4 --set workload.evaluation_prompts=2").split()
TINY = ("--set model.hidden_size=8 --set model.intermediate_size=8 --set model.layers=1 --set model.heads=2 --set model.key_value_heads=1 "
        "--set model.positions=128 --set context=16 --set training.batch=4 --set training.part=2 --set training.learning_rate=0.01").split()
# What equal results may differ in: times, memory, and the name of the processor, which is that of its kind where /proc can't be read.
UNTIMED = ("seconds", "wall_seconds", "cpu_seconds", "peak_rss_bytes", "run_seconds", "started", "ended", "processor")


class Scene:
    """A command in a folder of its own.

    retries: what gets it done after it was killed, in the order in which to try.
    damaged: pairs of a pattern of files to damage and whether the result is known all the same: if so, it has to be the one without
    damage, or the damage has to be refused.
    """

    def __init__(self, name, command, result, retries=(), damaged=(), stdin=b"", earlier=None):
        self.name, self.command, self.result, self.retries, self.damaged = name, command, result, list(retries), list(damaged)
        self.stdin = stdin
        self.earlier = earlier  # the result that a run replaced by this one had
        self.expected = None


def untimed(value):
    if isinstance(value, dict):
        return {key: untimed(item) for key, item in value.items() if key not in UNTIMED}
    return [untimed(item) for item in value] if isinstance(value, list) else value


def content(path):
    if not path.is_file():
        raise ValueError(f"{path.name} is no file")
    return path.read_bytes()


def run_result(name):
    """All of a run that doesn't tell the time."""

    def result(folder, _):
        rows = [untimed(json.loads(line)) for line in content(folder / name / "metrics.jsonl").splitlines()]
        summary = untimed(json.loads(content(folder / name / "summary.json")))
        left = sorted(path.name for path in (folder / name).rglob("*") if path.suffix in (".tmp", ".partial"))
        return json.dumps([rows, summary, left])

    return result


def sweep_result(folder, _):
    return json.dumps([run_result("s/" + name)(folder, "") for name in ("seed=1", "seed=2")])


def trained_result(folder, _):
    training = untimed(json.loads(content(folder / "lm/training.json")))
    return json.dumps(training) + content(folder / "lm/model.safetensors").hex()


def exported_result(folder, _):
    return content(folder / "model.onnx").hex()


def split_result(folder, _):
    """All files of a split, where it is whole."""
    content(folder / "parts/server/problem.json")
    files = sorted(path for path in (folder / "parts").rglob("*") if path.is_file() and path.name != ".lock")
    return json.dumps([[str(path.relative_to(folder)), path.read_bytes().hex()] for path in files])


def printed(_, out):
    return out


def write_idx(path, numbers, *sizes):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(bytes([0, 0, 8, len(sizes)]) + b"".join(struct.pack(">I", size) for size in sizes) + numbers)


def write_digits(folder):
    draw = random.Random(1)
    for part, count in (("train", 200), ("t10k", 40)):
        write_idx(folder / f"{part}-images-idx3-ubyte", draw.randbytes(count * 784), count, 28, 28)
        write_idx(folder / f"{part}-labels-idx1-ubyte", bytes(i % 10 for i in range(count)), count)


def write_photographs(folder):
    write_digits(folder / "mnist")
    (folder / "cifar10").mkdir()
    draw = random.Random(2)
    for name in (*(f"data_batch_{i}" for i in range(1, 6)), "test_batch"):
        (folder / f"cifar10/{name}.bin").write_bytes(b"".join(bytes([i % 10]) + draw.randbytes(3072) for i in range(40)))


def write_molecules(folder):
    (folder / "qm9").mkdir(parents=True)
    shutil.copy(CORPUS / "qm9_xyz/uncharacterized.txt", folder / "qm9")
    draw = random.Random(3)
    text = ""
    for index in range(1, 51):
        text += f"3\ngdb {index}" + "".join(f"\t{draw.uniform(-400, 800):.4f}" for _ in range(15)) + "\n"
        text += "".join(f"{atom}\t{draw.uniform(0, 0.1):.6f}\t{place}.5\t0.1\t-0.3\n" for place, atom in enumerate("OHH"))
        text += "1671.4\t3803.6\t3907.7\nO\tO\t\nInChI=1S/H2O/h1H2\tInChI=1S/H2O/h1H2\n"
    (folder / "qm9/dsgdb9nsd.xyz").write_text(text)


def write_table(folder):
    """Three clients' files of a number, a category, a number to predict and a class to predict."""
    (folder / "clients").mkdir(parents=True)
    draw = random.Random(4)
    for client in range(3):
        rows = "".join(f"{draw.gauss(0, 1):.3f},{draw.choice('uv')},{draw.gauss(3, 1):.3f},{draw.choice('no yes'.split())}\n" for _ in range(40))
        (folder / f"clients/c{client}.csv").write_text("x,kind,y,late\n" + rows)


TABLE = """rounds = 4
data.root = "data"
workload = {name = "table", files = "clients", targets = ["y", "late"], losses = ["squared", "logistic"], categorical = ["kind"]}
strategy = {name = "fedcmoo", cohort_size = 3}
checkpoint.every = 2
runtime.threads = 1
"""


def write_tokenizer(folder):
    """A vocabulary of bytes with one merge."""
    vocab = {"<unk>": 0, "<s>": 1, "</s>": 2, **{f"<0x{byte:02X}>": 3 + byte for byte in range(256)}, "t": 259, "i": 260, "ti": 261}
    added = [{"id": i, "content": content, "special": True, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
             for i, content in enumerate(("<unk>", "<s>", "</s>"))]
    model = {"type": "BPE", "unk_token": "<unk>", "byte_fallback": True, "vocab": vocab, "merges": ["t i"]}
    text = {"version": "1.0", "added_tokens": added, "normalizer": None, "pre_tokenizer": None, "post_processor": None,
            "decoder": {"type": "ByteFallback"}, "model": model}
    (folder / "tokenizer.json").write_text(json.dumps(text))
    (folder / "tokenizer_config.json").write_text('{"bos_token": "<s>", "eos_token": "</s>"}')


def must(paretofl, folder, *arguments):
    command = [paretofl, *map(str, arguments)]
    ended = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True)
    if ended.returncode != 0:
        sys.exit(f"fault_scenes: expected {' '.join(command)} to end well, found code {ended.returncode}: {ended.stderr.decode()}")


def write_problems(folder):
    """Files that the commands without a run read."""
    (folder / "problem.json").write_text('{"gramian": [[1, 0], [0, 2]], "losses": [0.5, 0.25], "preference": [1, 2], "step": 3}')
    (folder / "points.csv").write_text("left,right\n1,2\n2,1\n1.5,1.75\n0,0\n")
    (folder / "moves.json").write_text("[3, 1, 1]")
    (folder / "rows.jsonl").write_text('{"prompt": "a", "completion": "bcd"}\n' * 3)
    (folder / "verses.txt").write_text("".join(f"{i}: tick tack, said the clock\n\n" for i in range(20)))
    (folder / "gsm8k").mkdir()
    rows = "".join(json.dumps({"question": f"What is {i} and 1?", "answer": f"It is {i + 1}.\n#### {i + 1}"}) + "\n" for i in range(20))
    for name in ("train.jsonl", "test.jsonl"):
        (folder / "gsm8k" / name).write_text(rows)


def make_scenes(paretofl, base):
    """Makes a folder in `base` for each scene, and returns the scenes."""
    scenes = []

    def scene(name, command, result=printed, **others):
        scenes.append(Scene(name, [str(part) for part in command], result, **others))
        (base / name).mkdir(parents=True)
        return base / name

    quadratics = ["run", QUADRATICS, "--set", "rounds=12", "--set", "checkpoint.every=3", "--set", "runtime.threads=1", "--dir", "r"]
    resume = ["run", "--resume", "r", "--set", "rounds=12"]
    scene("run", quadratics, run_result("r"), retries=[resume, quadratics])

    again = [*quadratics, "--overwrite"]
    folder = scene("overwrite", again, run_result("r"), retries=[resume, again])
    must(paretofl, folder, *quadratics, "--set", "seed=9")
    scenes[-1].earlier = run_result("r")(folder, "")

    folder = scene("resume", resume, run_result("r"), retries=[resume],
                   damaged=[("r/config.toml", True), ("r/metrics.jsonl", True), ("r/checkpoints/*", True), ("r/events*", True),
                            ("r/summary.json", True), ("r/.lock", True)])
    must(paretofl, folder, *quadratics, "--set", "rounds=6")

    digits = ["run", DIGITS, *SMALL]
    resume_digits = ["run", "--resume", "r", "--set", "rounds=4"]
    folder = scene("digits", digits, run_result("r"), retries=[resume_digits, digits], damaged=[("data/mnist/*", False)])
    write_digits(folder / "data/mnist")
    folder = scene("resume-digits", resume_digits, run_result("r"), retries=[resume_digits],
                   damaged=[("data/mnist/*", True), ("r/checkpoints/*", True)])
    write_digits(folder / "data/mnist")
    must(paretofl, folder, *digits, "--set", "rounds=2")

    for name, config, write, pattern, more in (
            ("photographs", "fedcmoo/fedavg-cifar10_mnist.toml", write_photographs, "data/cifar10/*", ["--set", "workload.model=small_cnn"]),
            ("molecules", "fedcmoo/fedavg-qm9.toml", write_molecules, "data/qm9/*",
             ["--set", "workload.validation_samples=5", "--set", "workload.test_samples=5", "--set", "workload.samples_per_client=10"])):
        folder = scene(name, ["run", ROOT / "experiments" / config, *SMALL, *more], run_result("r"), damaged=[(pattern, False)])
        write(folder / "data")
    table = ["run", "table.toml", "--dir", "r"]
    folder = scene("table", table, run_result("r"), retries=[["run", "--resume", "r"], table],
                   damaged=[("data/clients/*", False), ("table.toml", False)])
    write_table(folder / "data")
    (folder / "table.toml").write_text(TABLE)
    split = ["split", "table.toml", "--out", "parts"]
    folder = scene("split", split, split_result, retries=[split, [*split, "--overwrite"]],
                   damaged=[("data/clients/*", False), ("table.toml", False)])
    write_table(folder / "data")
    (folder / "table.toml").write_text(TABLE)
    clients = ["run", ROOT / "experiments/fedpref/fedpref-quadratics.toml", "--set", "checkpoint.every=2", "--dir", "r", "--set", "rounds=6"]
    folder = scene("resume-clients", resume[:-1] + ["rounds=6"], run_result("r"), retries=[resume[:-1] + ["rounds=6"]],
                   damaged=[("r/config.toml", True), ("r/metrics.jsonl", True), ("r/checkpoints/*", True)])
    must(paretofl, folder, *clients, "--set", "rounds=4")

    sweep = ["sweep", QUADRATICS, "--seeds", "1..2", "--jobs", "2", "--set", "rounds=6", "--set", "checkpoint.every=2", "--dir", "s"]
    resume_sweep = ["sweep", "--resume", "--dir", "s"]
    scene("sweep", sweep, sweep_result, retries=[resume_sweep, sweep])
    folder = scene("resume-sweep", resume_sweep, sweep_result, retries=[resume_sweep],
                   damaged=[("s/seed=1/metrics.jsonl", True), ("s/seed=1/checkpoints/*", True), ("s/seed=1/config.toml", True),
                            ("s/seed=2/*", False), ("s/sweep*", False)])
    must(paretofl, folder, *sweep)
    (folder / "s/seed=1/summary.json").unlink()

    train = ["train-lm", "--data", "verses.txt", "--tokenizer", ".", "--dir", "lm", "--threads", "1", *TINY, "--set", "training.epochs=2",
             "--set", "checkpoint_every=2"]
    folder = scene("train", train, trained_result, retries=[[*train, "--resume"], train])
    write_problems(folder)
    write_tokenizer(folder)
    model = base / "model"
    model.mkdir()
    write_problems(model)
    write_tokenizer(model)
    must(paretofl, model, *train)
    folder = scene("resume-train", [*train, "--resume"], trained_result, retries=[[*train, "--resume"]],
                   damaged=[("lm/checkpoints/*", True), ("lm/training.json", False)])
    shutil.copytree(model, folder, dirs_exist_ok=True)

    words = ["run", ROOT / "experiments/firm/firm-alignment.toml", *WORDS]
    for command in (words, ["run", "--resume", "r", "--set", "rounds=2"]):
        folder = scene("resume-words" if "--resume" in command else "words", command, run_result("r"),
                       damaged=[("lm/*.json", "--resume" in command), ("lm/model.safetensors", "--resume" in command)])
        shutil.copytree(model, folder, dirs_exist_ok=True)
        if "--resume" in command:
            must(paretofl, folder, *words, "--set", "rounds=1")
            (folder / "lm/training.json").unlink()  # that no run reads

    generate = ["generate", "--model", "lm", "--prompt", "1: ti", "--max-new-tokens", "5"]
    folder = scene("generate", generate, damaged=[("lm/*.json", False), ("lm/model.safetensors", False)])
    shutil.copytree(model, folder, dirs_exist_ok=True)
    folder = scene("adapter", [*generate, "--adapter", "r/model"], damaged=[("r/model/adapter*", False)])
    shutil.copytree(model, folder, dirs_exist_ok=True)
    must(paretofl, folder, *words)
    folder = scene("judge", ["score", "--reward-model", "judge", "rows.jsonl"], damaged=[("judge/*.json", False), ("judge/model.safetensors", False)])
    shutil.copytree(model, folder, dirs_exist_ok=True)
    pairs = "".join(json.dumps({"chosen": f"\n\nHuman: say {i}\n\nAssistant: yes", "rejected": f"\n\nHuman: say {i}\n\nAssistant: no"}) + "\n"
                    for i in range(16))
    (folder / "pairs.jsonl").write_text(pairs)
    reward = ["train-reward", "--data", "pairs.jsonl", "--model", "lm", "--dir", "judge", "--set", "training.epochs=1", "--set", "context=16"]
    must(paretofl, folder, *reward)
    folder = scene("train-reward", reward[:6] + ["other"] + reward[7:], damaged=[("pairs.jsonl", False), ("lm/*.json", False)])
    shutil.copytree(model, folder, dirs_exist_ok=True)
    (folder / "pairs.jsonl").write_text(pairs)
    folder = scene("convert", ["convert", "--from", "llama2c", "model.bin", "out", "--json"], damaged=[("model.bin", False)])
    draw = random.Random(2)
    numbers = b"".join(struct.pack("<f", draw.uniform(-1, 1)) for _ in range(128))
    (folder / "model.bin").write_bytes(struct.pack("<7i", 4, 3, 1, 1, 1, 2, 2) + numbers)

    folder = scene("report", ["report", "--terminal", "r"], damaged=[("r/*.toml", False), ("r/*.json*", False)])
    must(paretofl, folder, *quadratics)
    folder = scene("page", ["report", "--output", "page.html", "r"], damaged=[("r/*.toml", False), ("r/*.json*", False)])
    must(paretofl, folder, *quadratics)

    kept = ["run", ROOT / "experiments/firm/firm-tabular_mdp.toml", "--set", "rounds=2", "--set", "checkpoint.keep=1", "--dir", "r"]
    whole = [("r/config.toml", True), ("r/checkpoints/*", True)]
    export = ["export", "r", "--format", "onnx", "--output", "model.onnx"]
    must(paretofl, scene("export", export, exported_result, retries=[export], damaged=whole), *kept)
    must(paretofl, scene("evaluate", ["evaluate", "r", "--json"], damaged=whole), *kept)

    text = "1: tick tack ünd \0<s>".encode()
    folder = scene("tokenize", ["tokenize", "--tokenizer", "tokenizer.json"], stdin=text, damaged=[("tokenizer*", False)])
    write_tokenizer(folder)
    folder = scene("sentencepiece", ["tokenize", "--tokenizer", "tokenizer.model"], stdin=text, damaged=[("tokenizer.model", False)])
    shutil.copy(CORPUS / "tokenizer_model/bytes.model", folder / "tokenizer.model")
    folder = scene("vocabulary", ["tokenize", "--tokenizer", "vocab.json"], stdin=b"abab", damaged=[("vocab.json", False), ("merges.txt", False)])
    (folder / "vocab.json").write_text('{"a": 0, "b": 1, "ab": 2, "abab": 3}')
    (folder / "merges.txt").write_text("#version: 0.2\na b\nab ab\n")

    for name, command, pattern in (("weights", "weights --solver min_norm problem.json", "problem.json"),
                                   ("indicators", "indicators points.csv --reference 0,0", "points.csv"),
                                   ("rollout", "rollout --env deep-sea-treasure-v0 --actions moves.json", "moves.json"),
                                   ("score", "score --reward length --set target=4 rows.jsonl", "rows.jsonl"),
                                   ("questions", "questions gsm8k --data .", "gsm8k/train.jsonl")):
        write_problems(scene(name, command.split(), damaged=[(pattern, False)]))
    return scenes
