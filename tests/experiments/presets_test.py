"""Presets have the settings of their papers, as docs/algorithms.md and the READMEs of experiments/ say."""

import tomllib
import unittest
from pathlib import Path

EXPERIMENTS = Path(__file__).parents[2] / "experiments"
IMAGES = {"mnist_fmnist", "multimnist", "cifar10_mnist", "celeba", "celeba5"}


def presets(folder):
    """The presets of a folder on published images, by name."""
    found = {path.stem: tomllib.loads(path.read_text()) for path in sorted((EXPERIMENTS / folder).glob("*.toml"))}
    return {name: preset for name, preset in found.items() if preset["workload"]["name"] in IMAGES}


class FedCmooPresets(unittest.TestCase):
    def test_preferences_balance_the_losses_on_all_data_of_the_clients(self):
        pref = {name: preset for name, preset in presets("fedcmoo").items() if preset["strategy"]["name"] == "fedcmoo_pref"}
        self.assertEqual({preset["workload"]["name"] for preset in pref.values()}, IMAGES)
        for name, preset in pref.items():
            self.assertEqual(preset["strategy"].get("losses"), "local", name)

    def test_hold_out_a_fifth_of_the_training_images_or_have_published_ones(self):
        found = {**presets("fedcmoo"), **presets("firm")}
        self.assertGreaterEqual(len(found), 23)
        for name, preset in found.items():
            workload = preset["workload"]
            if workload["name"].startswith("celeba"):
                self.assertIs(workload.get("published_validation"), True, name)
            else:
                self.assertEqual(workload.get("validation_fraction"), 0.2, name)
                self.assertEqual(workload["samples_per_client"], 500 if workload["name"] == "cifar10_mnist" else 600, name)

    def test_scripts_with_recorded_figures_say_what_they_hold_out(self):
        for script in sorted(EXPERIMENTS.glob("*/*.sh")):
            text = script.read_text()
            if "-mnist_fmnist" in text or "-multimnist" in text:
                self.assertTrue("workload.validation_fraction=0" in text or script.stem == "rates", script)

class FirmPresets(unittest.TestCase):
    def test_published_models_have_the_papers_settings(self):
        for name in ("firm-tinyllama", "firm-llama_3_2"):
            preset = tomllib.loads((EXPERIMENTS / "firm" / f"{name}.toml").read_text())
            strategy, workload, ppo = preset["strategy"], preset["workload"], preset["workload"]["ppo"]
            self.assertEqual((preset["rounds"], strategy["cohort_size"], workload["clients"]), (16, 8, 8), name)
            self.assertEqual((strategy["client_lr"], strategy["optimizer"], strategy["solver"]["beta"]), (6e-5, "adam", 0.01), name)
            self.assertEqual((ppo["batch_size"], ppo["minibatch_size"], ppo["epochs"], ppo["critic_lr"], ppo["kl_target"]),
                             (16, 8, 3, 1e-4, 0.03), name)
            self.assertEqual(strategy["local_steps"], ppo["epochs"] * ppo["batch_size"] // ppo["minibatch_size"], name)
            for reward in workload["objectives"].values():
                self.assertEqual((reward["pair"], reward["append_eos"]), (True, False), name)


class FedMoaPresets(unittest.TestCase):
    def test_the_learning_rate_falls_over_all_rounds(self):
        for path in sorted((EXPERIMENTS / "fedmoa").glob("*.toml")):
            preset = tomllib.loads(path.read_text())
            self.assertEqual(preset["strategy"]["cosine_rounds"], preset["rounds"], path)

    def test_three_data_sets_have_five_clients_each_and_texts_of_their_own(self):
        workload = tomllib.loads((EXPERIMENTS / "fedmoa" / "fedmoa-gsm8k_math_mbpp.toml").read_text())["workload"]
        self.assertEqual(workload["clients"], 15)
        groups = [group.split(":") for group in workload["groups"].split(",")]
        self.assertEqual([task for task, _ in groups], ["gsm8k", "math", "mbpp"])
        self.assertEqual(len({rewards.split("+")[0] for _, rewards in groups}), 3, "an accuracy of its own")
        self.assertEqual({task["name"] for task in workload["tasks"].values()}, {"gsm8k", "math", "mbpp"})
        instructions = {task["instruction"] for task in workload["tasks"].values()}
        self.assertEqual(len(instructions), 3)
        for instruction in instructions:
            self.assertEqual(instruction.count("{question}"), 1)


if __name__ == "__main__":
    unittest.main()
