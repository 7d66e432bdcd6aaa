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


if __name__ == "__main__":
    unittest.main()
