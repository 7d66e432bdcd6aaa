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

class FedMoaPresets(unittest.TestCase):
    def test_the_learning_rate_falls_over_all_rounds(self):
        for path in sorted((EXPERIMENTS / "fedmoa").glob("*.toml")):
            preset = tomllib.loads(path.read_text())
            self.assertEqual(preset["strategy"]["cosine_rounds"], preset["rounds"], path)


if __name__ == "__main__":
    unittest.main()
