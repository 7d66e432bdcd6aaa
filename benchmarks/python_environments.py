#!/usr/bin/env python3
"""Steps per CPU second of the engine's environments in Python beside MO-Gymnasium's under the same random actions, on one thread: one
environment as each package's make returns it, and 64 copies in one vector environment (make_vec, MOSyncVectorEnv). The measurements take
turns; each figure is the median of the repeats, with the smallest and the largest.

Usage: benchmarks/python_environments.py [--repeats 5] [--seconds 1] [ENVIRONMENT]...
Needs: pip install . gymnasium==1.4.0 mo-gymnasium==1.3.2
"""

import os

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")  # read when NumPy is imported

import argparse
import statistics
import time
import warnings

import gymnasium
import mo_gymnasium
import numpy
from mo_gymnasium.wrappers.vector import MOSyncVectorEnv

import paretofl.environments

COPIES = 64
DEFAULT = ["deep-sea-treasure-v0", "minecart-deterministic-v0", "four-room-v0", "resource-gathering-v0", "mo-mountaincar-v0"]


class One:
    """One environment, reset after each episode."""

    def __init__(self, environment):
        self.environment = environment
        environment.action_space.seed(1)
        environment.reset(seed=1)
        self.actions = [environment.action_space.sample() for _ in range(1000)]

    def take_steps(self):
        for action in self.actions:
            _, _, terminated, truncated, _ = self.environment.step(action)
            if terminated or truncated:
                self.environment.reset()
        return len(self.actions)


class Many:
    """Copies in a vector environment, which resets them."""

    def __init__(self, environment):
        self.environment = environment
        environment.action_space.seed(1)
        environment.reset(seed=1)
        self.actions = [environment.action_space.sample() for _ in range(20)]

    def take_steps(self):
        for actions in self.actions:
            self.environment.step(actions)
        return len(self.actions) * COPIES


def steps_per_second(candidate, seconds):
    steps, start = 0, time.process_time()
    while time.process_time() - start < seconds:
        steps += candidate.take_steps()
    return steps / (time.process_time() - start)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("environments", nargs="*", default=DEFAULT)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1)
    arguments = parser.parse_args()
    warnings.filterwarnings("ignore", message=".*precision lowered by casting")
    print(f"gymnasium {gymnasium.__version__}, mo-gymnasium {mo_gymnasium.__version__}, numpy {numpy.__version__}")
    for name in arguments.environments:
        candidates = {
            "one, ParetoFL": One(paretofl.environments.make(name)),
            "one, MO-Gymnasium": One(mo_gymnasium.make(name)),
            f"{COPIES} copies, ParetoFL": Many(paretofl.environments.make_vec(name, COPIES)),
            f"{COPIES} copies, MO-Gymnasium": Many(MOSyncVectorEnv([lambda: mo_gymnasium.make(name)] * COPIES)),
        }
        rates = {label: [] for label in candidates}
        for _ in range(arguments.repeats):
            for label, candidate in candidates.items():
                rates[label].append(steps_per_second(candidate, arguments.seconds))
        for label, found in rates.items():
            print(f"{name}, {label}: {statistics.median(found):.0f} steps per CPU second ({min(found):.0f} to {max(found):.0f})", flush=True)


if __name__ == "__main__":
    main()
