#!/usr/bin/env python3
"""Stable-Baselines3's DQN and DDPG on single clients' problems, to set beside `no_communication`.

Trains with FedPref's settings (Tables 11 and 12), one thread, then plays without exploration. On deep_sea_treasure for the
ten preferences (9 - i, i) / 9, on lunar_lander_continuous and half_cheetah for the uniform one. Appends to a CSV file:
problem, preference, seed, steps, mean returns, CPU seconds of the training. What the file holds is not run again.

Usage: benchmarks/sb3_agents.py PROBLEM FILE.csv [--seeds 20] [--first-seed 1] [--steps 10000]
Needs: pip install stable-baselines3==2.9.2 gymnasium==1.4.0 mo-gymnasium==1.3.2, and for the continuous problems
box2d==2.3.10, mujoco==4.0.0 imageio
"""

import argparse
import csv
import time
from pathlib import Path

import gymnasium
import mo_gymnasium
import numpy
import torch
from stable_baselines3 import DDPG, DQN
from stable_baselines3.common.noise import NormalActionNoise

COLUMNS = ["problem", "preference", "seed", "steps", "returns", "cpu_seconds"]


class Scalarized(gymnasium.RewardWrapper):
    def __init__(self, env, preference):
        super().__init__(env)
        self.preference = preference

    def reward(self, reward):
        return float(numpy.dot(reward, self.preference))


def dqn(env, seed):
    return DQN("MlpPolicy", env, learning_rate=4e-3, batch_size=128, buffer_size=10000, learning_starts=1000, gamma=0.98,
               target_update_interval=600, train_freq=16, gradient_steps=8, exploration_fraction=0.2,
               exploration_final_eps=0.07, policy_kwargs={"net_arch": [256, 256]}, seed=seed)


def ddpg(learning_starts):
    def make(env, seed):
        actions = env.action_space.shape[0]
        noise = NormalActionNoise(numpy.zeros(actions), 0.1 * numpy.ones(actions))
        return DDPG("MlpPolicy", env, learning_rate=1e-3, batch_size=100, buffer_size=200000, learning_starts=learning_starts,
                    gamma=0.98, tau=0.005, train_freq=1, gradient_steps=1, action_noise=noise,
                    policy_kwargs={"net_arch": [400, 300]}, seed=seed)
    return make


# Environment, agent, preferences, evaluation episodes.
PROBLEMS = {
    "deep_sea_treasure": ("deep-sea-treasure-v0", dqn, [((9 - i) / 9, i / 9) for i in range(10)], 1),
    "lunar_lander_continuous": ("mo-lunar-lander-continuous-v3", ddpg(10000), [(0.25,) * 4], 10),
    "half_cheetah": ("mo-halfcheetah-v5", ddpg(100), [(0.5,) * 2], 10),
}


def play(model, name, episodes):
    env = mo_gymnasium.make(name)
    total = 0
    for episode in range(episodes):
        observation, _ = env.reset(seed=1000 + episode)
        ended = False
        while not ended:
            action, _ = model.predict(observation, deterministic=True)
            observation, reward, terminated, truncated, _ = env.step(action)
            total = total + reward / episodes
            ended = terminated or truncated
    return total


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("problem", choices=PROBLEMS)
    parser.add_argument("file", type=Path)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("--steps", type=int, default=10000)
    arguments = parser.parse_args()
    name, make_agent, preferences, episodes = PROBLEMS[arguments.problem]
    torch.set_num_threads(1)
    done = set()
    if arguments.file.exists():
        with arguments.file.open() as file:
            done = {tuple(row[key] for key in COLUMNS[:4]) for row in csv.DictReader(file)}
    else:
        arguments.file.write_text(",".join(COLUMNS) + "\n")
    for seed in range(arguments.first_seed, arguments.first_seed + arguments.seeds):
        for preference in preferences:
            key = (arguments.problem, " ".join(f"{x:.4f}" for x in preference), str(seed), str(arguments.steps))
            if key in done:
                continue
            model = make_agent(Scalarized(mo_gymnasium.make(name), numpy.array(preference)), seed)
            start = time.process_time()
            model.learn(arguments.steps)
            seconds = time.process_time() - start
            returns = " ".join(f"{x:.4g}" for x in play(model, name, episodes))
            with arguments.file.open("a") as file:
                csv.writer(file, lineterminator="\n").writerow([*key, returns, f"{seconds:.2f}"])


if __name__ == "__main__":
    main()
