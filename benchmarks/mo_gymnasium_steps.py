#!/usr/bin/env python3
"""Steps per CPU second of MO-Gymnasium's environments under random actions, to set beside environments_benchmark.

Usage: benchmarks/mo_gymnasium_steps.py [ENVIRONMENT]...     (default: Deep-Sea Treasure and Deterministic Minecart)
Needs: pip install gymnasium==1.4.0 mo-gymnasium==1.3.2, and for other environments box2d==2.3.10, mujoco==4.0.0 imageio
"""

import sys
import time

import mo_gymnasium

SECONDS = 5


def steps_per_second(name):
    env = mo_gymnasium.make(name)
    env.action_space.seed(1)
    env.reset(seed=1)
    actions = [env.action_space.sample() for _ in range(1000)]
    steps = 0
    start = time.process_time()
    while time.process_time() - start < SECONDS:
        for action in actions:
            _, _, terminated, truncated, _ = env.step(action)
            if terminated or truncated:
                env.reset()
        steps += len(actions)
    return steps / (time.process_time() - start)


for environment in sys.argv[1:] or ["deep-sea-treasure-v0", "minecart-deterministic-v0"]:
    print(f"{environment}: {steps_per_second(environment):.0f} steps per CPU second")
