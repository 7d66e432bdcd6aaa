#!/usr/bin/env python3
"""Records what MO-Gymnasium's environments do, from given states under given actions, for the tests in tests/environments.

Usage: benchmarks/record_environments.py [ID]...     (default: all that can be recorded)
Writes tests/environments/recorded/ID.json. Numbers are read back to the bit, but for ten digits of what mechanisms show.
Needs: pip install mo-gymnasium==1.3.2 gymnasium==1.4.0 mujoco==4.0.0 imageio
mo-hopper-v4 and mo-hopper-2d-v4 are recorded with mujoco==2.3.1.post1, as their contacts have the margins of MuJoCo 2.
"""

import importlib.metadata
import itertools
import json
import sys
from functools import partial
from pathlib import Path

import mo_gymnasium
import mujoco
import numpy as np

FOLDER = Path(__file__).resolve().parent.parent / "tests/environments/recorded"


class Given:
    """A random generator that returns given numbers."""

    def __init__(self, number):
        self.number = number

    def random(self):
        return self.number

    def normal(self, mean, deviation, size):
        return np.full(size, self.number)


def listed(value):
    """A list of numbers, or one number, of NumPy's types or of Python's."""
    return np.asarray(value).tolist()


def episode(environment, start, actions, observe=listed):
    """The steps from the state that the environment is in. An action is a number, or a list of them."""
    steps = []
    for action in actions:
        observation, reward, terminated, _, _ = environment.unwrapped.step(action)
        steps.append({"action": listed(action), "observation": observe(observation), "reward": listed(reward), "terminated": bool(terminated)})
        if terminated:
            break
    return {"start": start, "steps": steps}


def treasures(environment, random):
    """Moves that lead down and to the right or left more often than not, from the start."""
    for leaning in [(0.1, 0.4, 0.1, 0.4)] * 10 + [(0.1, 0.4, 0.4, 0.1)] * 5:
        start = listed(environment.reset()[0])
        yield episode(environment, start, random.choice(4, 60, p=leaning))


def car(environment, random, push):
    """Most pushes help the car along, the others are random."""
    for _ in range(2):
        environment.reset()
        start = [float(random.uniform(-0.6, -0.4)), 0.0]
        environment.unwrapped.state = np.array(start)
        steps = []
        while len(steps) < 120 and not (steps and steps[-1]["terminated"]):
            forward = environment.unwrapped.state[1] >= 0
            steps += episode(environment, start, [push(random, forward)])["steps"]
        yield {"start": start, "steps": steps}


def discrete_push(random, forward):
    return int(2 * forward) if random.random() < 0.7 else int(random.integers(3))


def continuous_push(random, forward):
    force = (1 if forward else -1) if random.random() < 0.7 else random.uniform(-1.5, 1.5)
    return np.array([force], np.float32)


def carriers(environment, _):
    """Every state and action, with every outcome of the draw that may break a bottle."""

    def observe(seen):
        return [seen["location"], seen["bottles_carrying"], seen["bottles_delivered"], *(min(bottles, 1) for bottles in seen["bottles_dropped"])]

    unwrapped = environment.unwrapped
    for place, carried, delivered, *broken, action in itertools.product(range(5), range(3), range(2), *[range(2)] * 3, range(3)):
        outcomes = []
        for draw in (0.05, 0.95):
            unwrapped.location, unwrapped.bottles_carrying, unwrapped.bottles_delivered = place, carried, delivered
            unwrapped.bottles_dropped = list(broken)
            unwrapped.np_random = Given(draw)
            outcome = episode(environment, [place, carried, delivered, *broken], [action], observe)
            if outcome not in outcomes:
                outcomes.append(outcome)
        yield from outcomes


def places(environment, _):
    environment.reset()
    for place, action, draw in itertools.product(range(2), range(2), (0.05, 0.95)):
        environment.unwrapped._state = np.array([place], np.int32)
        environment.unwrapped.np_random = Given(draw)
        yield episode(environment, [place], [action])


def reservoirs(environment, random):
    """One day each; its start is the level and the inflow."""
    environment.reset(seed=1)
    for _ in range(60):
        level, inflow = np.float32(random.uniform(0, 180)), float(random.normal(40, 15))
        environment.unwrapped.state = np.array([level])
        environment.unwrapped.np_random = Given(inflow)
        yield episode(environment, [float(level), inflow], [np.array([random.uniform(0, 200)], np.float32)])


def mechanism(environment, random):
    """Random actions from three states: near the initial one, farther from it, and thrown up or over. Every fifth step shows its observation."""
    unwrapped = environment.unwrapped
    model = unwrapped.model
    environment.reset()
    for noise, throw in ((0.01, 0), (0.1, 0), (0.02, 6)):
        qpos = unwrapped.init_qpos + random.uniform(-noise, noise, model.nq)
        qvel = random.uniform(-noise, noise, model.nv)
        if model.jnt_type[0] == mujoco.mjtJoint.mjJNT_FREE:
            qpos[3:7] /= np.linalg.norm(qpos[3:7])
            qvel[2] += throw
        elif len(unwrapped.init_qpos) in (6, 9):
            qvel[2] -= throw / 4  # the pitch of a robot in the plane
        mujoco.mj_resetData(model, unwrapped.data)
        unwrapped.set_state(qpos, qvel)
        start = {"qpos": listed(qpos), "qvel": listed(qvel), "observation": shortened(unwrapped._get_obs())}
        if hasattr(environment.action_space, "n"):
            actions = random.integers(environment.action_space.n, size=20)
        else:
            high = 1.2 * environment.action_space.high
            actions = random.uniform(-high, high, (20, len(high))).round(3)
        recorded = episode(environment, start, actions, shortened)
        for t, step in enumerate(recorded["steps"]):
            if t % 5 and not step["terminated"]:
                del step["observation"]
        yield recorded


def shortened(observation):
    return [float(f"{number:.10g}") for number in observation]


RECORDERS = {
    "deep-sea-treasure-mirrored-v0": treasures,
    "mo-mountaincar-v0": partial(car, push=discrete_push),
    "mo-mountaincar-3d-v0": partial(car, push=discrete_push),
    "mo-mountaincar-timemove-v0": partial(car, push=discrete_push),
    "mo-mountaincar-timespeed-v0": partial(car, push=discrete_push),
    "mo-mountaincarcontinuous-v0": partial(car, push=continuous_push),
    "breakable-bottles-v0": carriers,
    "fishwood-v0": places,
    "water-reservoir-v0": reservoirs,
    **{f"mo-{robot}-v{version}": mechanism for robot in ("halfcheetah", "hopper", "walker2d", "ant", "swimmer", "humanoid", "reacher") for version in (4, 5)},
    **{id: mechanism for id in ("mo-hopper-2d-v4", "mo-hopper-2obj-v5", "mo-ant-2d-v4", "mo-ant-2obj-v5")},
}


def main():
    FOLDER.mkdir(exist_ok=True)
    source = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in ("mo-gymnasium", "gymnasium", "mujoco", "numpy"))
    for id in sys.argv[1:] or RECORDERS:
        environment = mo_gymnasium.make(id, disable_env_checker=True)
        episodes = list(RECORDERS[id](environment, np.random.default_rng(1)))
        rows = ",\n".join(json.dumps(row, separators=(",", ":")) for row in episodes)
        path = FOLDER / f"{id}.json"
        path.write_text(f'{{"id": "{id}", "source": "{source}", "episodes": [\n{rows}\n]}}\n', encoding="utf-8")
        print(f"{path}: {len(episodes)} episodes, {path.stat().st_size} bytes")


main()
