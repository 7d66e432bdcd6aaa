#!/usr/bin/env python3
"""ParetoFL beside today's peers, as one Markdown table of ratios: agents beside Stable-Baselines3, solvers beside TorchJD's weightings,
environments beside MO-Gymnasium, Gramians and the training of the digit sets' LeNet beside PyTorch. Ours and the peer take turns on this
machine, each on one thread, and processor time is compared. A ratio is how many times as fast ours is: the median of the turns, with the
smallest and the largest.

The peers are installed into build/peers, in the versions of benchmarks/peers_requirements.txt. An environment that --venv or
PARETOFL_PEERS names is used as it is.

Usage: benchmarks/peers.py [--turns 3] [--only agents,solvers,environments,gramian,training] [--venv DIR] [--build build]
                           [--python build/venv/bin/python]
The log goes to stderr, the table to stdout.
Needs: `make bench-peers` builds what it compares: build/paretofl, build/benchmarks and the Python package in build/venv
"""

import argparse
import json
import os
import platform
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REQUIREMENTS = ROOT / "benchmarks/peers_requirements.txt"
ONE_THREAD = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
ENVIRONMENTS = ["deep-sea-treasure-v0", "minecart-deterministic-v0", "mo-lunar-lander-continuous-v3", "mo-halfcheetah-v5"]


class Probe:
    """A process of benchmarks/peers_probe.py, which stays from turn to turn and measures once per call. Its folder is a temporary one, since
    MuJoCo writes its warnings into a file there."""

    def __init__(self, python, name, *environments):
        self.name = name
        self.folder = tempfile.TemporaryDirectory()
        self.process = subprocess.Popen([python.absolute(), ROOT / "benchmarks/peers_probe.py", name, *environments], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, cwd=self.folder.name, env=ONE_THREAD, text=True)

    def __call__(self):
        try:
            self.process.stdin.write("\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            sys.exit(f"peers: expected figures of {self.name}, found that it ended with {self.process.wait()}")
        return json.loads(line)

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.folder.cleanup()


def answer(command):
    """What a program writes as JSON; if it fails, the whole comparison ends with its message."""
    ended = subprocess.run(command, capture_output=True, env=ONE_THREAD, text=True)
    if ended.returncode != 0:
        sys.exit(f"peers: expected figures of {' '.join(map(str, command))}, found that it ended with {ended.returncode}: {ended.stderr.strip()}")
    return json.loads(ended.stdout)


def benchmark(build, program, pattern, figure):
    """What one of build/benchmarks says of the cases that match the pattern, by name."""
    command = [build / f"benchmarks/{program}", f"--benchmark_filter={pattern}", "--benchmark_format=json"]
    return {case["name"]: case[figure] for case in answer(command)["benchmarks"]}


def run(build, preset, *settings):
    """Processor seconds of a whole run of the command, from its start to its end."""
    with tempfile.TemporaryDirectory() as folder:
        command = [build / "paretofl", "run", ROOT / "experiments" / preset, "--dir", f"{folder}/run", "--json"]
        for setting in (*settings, "runtime.threads=1", "checkpoint.every=1000"):
            command += ["--set", setting]
        return answer(command)["cpu_seconds"]


class Agents:
    """A client alone under no_communication, whose run's start and evaluation count too, with the settings of sb3_agents.py."""

    packages = ("stable-baselines3", "mo-gymnasium", "torch")
    higher_is_faster = True
    rows = [("DQN on Deep-Sea Treasure, 10,000 steps with 4,504 gradient steps", "deep_sea_treasure", "deep_sea_treasure"),
            ("DDPG on MO-Lunar Lander, 1,000 steps and 900 gradient steps", "lunar_lander_continuous", "lunar_lander_continuous"),
            ("DDPG on MO-HalfCheetah, 1,000 steps and 900 gradient steps", "half_cheetah", "half_cheetah")]
    unit = "environment steps per second"
    figures = "{:,.0f}"

    def __init__(self, options):
        self.build = options.build
        self.theirs = Probe(options.peers, "agents")

    def ours(self):
        alone = ("workload.clients=1", "workload.evaluation_episodes=1")
        ddpg = (*alone, 'workload.preferences="uniform"', "rounds=1", "evaluation.every=1", "strategy.local_steps=1000", "workload.agent.learning_starts=100")
        dqn = (*alone, 'workload.preferences="lattice"', "rounds=20", "evaluation.every=20", "workload.agent.total_steps=10000")
        problems = {"deep_sea_treasure": (10000, dqn), "lunar_lander_continuous": (1000, ddpg), "half_cheetah": (1000, ddpg)}
        return {name: steps / run(self.build, f"fedpref/no_communication-{name}.toml", *settings) for name, (steps, settings) in problems.items()}


class Solvers:
    """From Python on both sides, on the same Gramians of random gradients."""

    packages = ("torchjd", "torch")
    higher_is_faster = False
    rows = [(f"`{ours}` beside {theirs}, M = {m}", f"{ours}/{m}", f"{ours}/{m}")
            for ours, theirs in (("min_norm", "MGDAWeighting, which stops after 100 steps"), ("upgrad", "UPGradWeighting"),
                                 ("dualproj", "DualProjWeighting"), ("aligned_mtl", "AlignedMTLWeighting"))
            for m in (2, 8, 40)]
    unit = "microseconds per solve"
    figures = "{:,.1f}"

    def __init__(self, options):
        self.ours = Probe(options.python, "our_solvers")
        self.theirs = Probe(options.peers, "solvers")


class Environments:
    """Random actions, drawn before; stepped from C++ and through the Python package."""

    packages = ("mo-gymnasium", "gymnasium")
    higher_is_faster = True
    rows = [(f"{id}, ours stepped from {way}", f"{way}/{id}", id) for way in ("C++", "Python") for id in ENVIRONMENTS]
    unit = "steps per second"
    figures = "{:,.0f}"

    def __init__(self, options):
        self.build = options.build
        self.python = Probe(options.python, "our_steps", *ENVIRONMENTS)
        self.theirs = Probe(options.peers, "steps", *ENVIRONMENTS)

    def ours(self):
        compiled = benchmark(self.build, "environments_benchmark", f"^alone/({'|'.join(ENVIRONMENTS)})$", "items_per_second")
        python = self.python()
        rates = {id: (compiled[f"alone/{id}"], python[id]) for id in ENVIRONMENTS}
        return {f"{way}/{id}": rate for id, pair in rates.items() for way, rate in zip(("C++", "Python"), pair)}


class Gramian:
    """Ten rows of a million numbers in single precision, all their inner products in double precision."""

    packages = ("torch",)
    higher_is_faster = True
    case = "gramian_of_rows/10/1000000"
    rows = [("Gramian of 10 rows of 1,000,000 floats beside J @ J.T of J.double()", case, "converted"),
            ("the same beside J @ J.T of rows that were doubles before", case, "kept")]
    unit = "GB of floats per second"
    figures = "{:,.2f}"

    def __init__(self, options):
        self.build = options.build
        self.theirs = Probe(options.peers, "gramian")

    def ours(self):
        return {name: rate / 1e9 for name, rate in benchmark(self.build, "passes_benchmark", f"^{self.case}$", "bytes_per_second").items()}


class Training:
    """The LeNet of the digit sets with two heads, batch 128."""

    packages = ("torch",)
    higher_is_faster = False
    models = ("lenet", "lenet_winograd")
    rows = [(f"{what}, `{model}` beside {theirs}", f"{kind}/{model}", f"{kind}{suffix}")
            for kind, what in (("gradient", "gradient of a batch"), ("round", "round of FedAvg with SGD, 10 clients of 10 steps"))
            for model, theirs, suffix in (("lenet", "PyTorch's default memory format", ""), ("lenet", "channels last", "/channels_last"),
                                          ("lenet_winograd", "channels last", "/channels_last"))]
    unit = "milliseconds"
    figures = "{:,.2f}"

    def __init__(self, options):
        self.build = options.build
        self.theirs = Probe(options.peers, "training")

    def ours(self):
        gradients = benchmark(self.build, "models_benchmark", f"^weighted_gradient/({'|'.join(self.models)})$", "cpu_time")
        return {f"{kind}/{model}": figure for model in self.models
                for kind, figure in (("gradient", gradients[f"weighted_gradient/{model}"]), ("round", self.milliseconds_of_a_round(model)))}

    def milliseconds_of_a_round(self, model):
        """What ten more rounds take; images are drawn and rotated by 0 degrees."""
        settings = (f'workload.model="{model}"', "workload.batch_size=128", "workload.rotation_degrees=0", "evaluation.every=1000")
        few, many = (run(self.build, "fedcmoo/fedavg-glyphs.toml", f"rounds={rounds}", *settings) for rounds in (2, 12))
        return 1e3 * (many - few) / 10


PROGRAMS = {"environments": "environments_benchmark", "gramian": "passes_benchmark", "training": "models_benchmark"}
GROUPS = {"agents": Agents, "solvers": Solvers, "environments": Environments, "gramian": Gramian, "training": Training}


def processor():
    found = re.search(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    return found[1] if found else platform.processor()


def instruction_set(build):
    found = re.search(r"^PARETOFL_ARCH:\w+=(.*)$", (build / "CMakeCache.txt").read_text(), re.MULTILINE)
    return found[1] if found else "native"


def prepare(venv):
    """The peers' interpreter, in an environment that is made and brought up to the listed versions unless one was named."""
    if venv is None:
        venv = ROOT / "build/peers"
        if not (venv / "bin/pip").exists():
            subprocess.run([sys.executable, "-m", "venv", venv], check=True)
        subprocess.run([venv / "bin/pip", "install", "-q", "-r", REQUIREMENTS], check=True)
    return venv / "bin/python"


def versions(python):
    packages = sorted({package for group in GROUPS.values() for package in group.packages})
    code = "import importlib.metadata, json, sys; print(json.dumps({p: importlib.metadata.version(p) for p in sys.argv[1:]}))"
    return answer([python, "-c", code, *packages])


def measure(name, group, turns):
    """The figures of both sides in every turn, in which ours are measured first."""
    pairs = []
    for turn in range(turns):
        pairs.append((group.ours(), group.theirs()))
        print(f"peers: {name}, turn {turn + 1} of {turns}, load {os.getloadavg()[0]:.1f}", file=sys.stderr, flush=True)
    return pairs


def table_rows(group, pairs, installed, machine):
    peer = ", ".join(f"{package} {installed[package]}" for package in group.packages)
    for label, our_key, their_key in group.rows:
        figures = [(ours[our_key], theirs[their_key]) for ours, theirs in pairs]
        ratios = [ours / theirs if group.higher_is_faster else theirs / ours for ours, theirs in figures]
        mine, other = (group.figures.format(statistics.median(figure[side] for figure in figures)) for side in (0, 1))
        yield f"| {label} | {group.unit} | {mine} | {other} | {statistics.median(ratios):.2f} | {min(ratios):.2f} to {max(ratios):.2f} | {peer} | {machine} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    named = os.environ.get("PARETOFL_PEERS")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--only", default=",".join(GROUPS))
    parser.add_argument("--venv", type=Path, default=Path(named) if named else None)
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--python", type=Path, default=ROOT / "build/venv/bin/python")
    options = parser.parse_args()
    chosen = options.only.split(",")
    if unknown := set(chosen) - set(GROUPS):
        parser.error(f"--only: expected some of {', '.join(GROUPS)}, found '{', '.join(sorted(unknown))}'")
    programs = [options.build / "benchmarks" / PROGRAMS[name] for name in chosen if name in PROGRAMS]
    for needed in (options.build / "paretofl", options.python, *programs):
        if not needed.exists():
            sys.exit(f"peers: expected {needed}, found no such file; make bench-peers builds it")
    options.peers = prepare(options.venv)
    installed = versions(options.peers)
    machine = f"{processor()}, {instruction_set(options.build)}"
    lines = []
    for name in chosen:
        group = GROUPS[name](options)
        lines += table_rows(group, measure(name, group, options.turns), installed, machine)
        for part in vars(group).values():
            if isinstance(part, Probe):
                part.close()
    print("| measured, on one thread | unit, of processor time | ours | peer | times as fast, median | range | peer's versions | processor, and what ours was built for |")
    print("|---|---|---|---|---|---|---|---|")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
