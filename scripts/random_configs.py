"""Legal configs that are drawn by chance from what `paretofl list --json` prints, and what takes away from one what it was refused for."""

import json
import math
import random
import re

# Workloads that need no download, with the sizes that keep them fast.
SIZES = {
    "quadratics": {"clients": (1, 6), "objectives": (1, 4), "dimension": (1, 30)},
    "robust_quadratics": {"clients": (1, 6), "objectives": (2, 2), "dimension": (1, 30)},
    "logistic": {"clients": (1, 6), "objectives": (1, 4), "dimension": (1, 30), "samples_per_client": (1, 40), "batch_size": (1, 50)},
    "tabular_mdp": {"clients": (1, 4), "objectives": (1, 3), "states": (1, 5), "actions": (1, 4), "batch_size": (1, 8), "critic_batch_size": (1, 8),
                    "features": (0, 3)},
    "table": {"batch_size": (1, 16)},
    "glyphs": {"clients": (1, 4), "samples_per_client": (1, 30), "train_images": (120, 150), "test_images": (1, 40), "batch_size": (1, 16)},
    "deep_sea_treasure": {"clients": (1, 4)},
    "minecart": {"clients": (1, 3)},
    "arithmetic": {"clients": (1, 4), "lora_rank": (1, 4), "evaluation_questions": (1, 3), "grpo.prompts": (1, 2), "grpo.completions": (2, 3),
                   "grpo.microbatch": (1, 6), "grpo.max_new_tokens": (1, 6), "grpo.iterations": (1, 2)},
    "alignment": {"clients": (1, 4), "lora_rank": (1, 4), "evaluation_prompts": (1, 3), "ppo.batch_size": (1, 3), "ppo.minibatch_size": (1, 3),
                  "ppo.max_new_tokens": (1, 6), "ppo.epochs": (1, 2)},
    "preference_pairs": {"clients": (1, 4), "lora_rank": (1, 4), "evaluation_pairs": (1, 3), "dpo.batch_size": (1, 3)},
}
OBJECTIVES = {"glyphs": 2, "table": 3, "deep_sea_treasure": 2, "minecart": 3, "arithmetic": 3}
# How often each is drawn; a run of the others, language models, takes a second or more.
SHARES = {"quadratics": 6, "robust_quadratics": 2, "logistic": 2, "tabular_mdp": 2, "table": 4, "glyphs": 3, "deep_sea_treasure": 1, "minecart": 1}
# Options whose values the list does not tell, or that only take time.
FIXED = {"model", "environment", "files", "client_column", "separator", "columns", "targets", "losses", "features", "ignored", "categorical",
         "split_column", "hidden", "buffer_size", "sizes", "preferences", "named_weights", "target_update_interval", "total_steps", "steps",
         "device", "lora_projections", "prompts", "test_files", "dimensions", "instruction", "chat_template", "groups", "max_prompt_tokens",
         "max_completion_tokens", "grpo.dynamic_sampling"}
MANY = {"local_steps": 5, "own_steps": 5, "critic_iterations": 3, "evaluation_episodes": 2, "front_preferences": 4, "restart_minibatches": 3,
        "search": 5, "power_iterations": 3, "iterations": 20, "gradient_steps": 2, "preferences_per_step": 3}


class Draw:
    """A config as {key: text of the value in TOML}, from a seed and a number."""

    def __init__(self, seed, index, parts):
        self.random = random.Random(f"{seed}/{index}")
        self.parts = parts
        self.settings = {}
        self.objectives = 2

    def chance(self, share):
        return self.random.random() < share

    def real(self, low, high, default):
        draw = self.random
        kind = draw.random()
        if kind < 0.5:
            value = default * draw.choice((0.1, 0.5, 1, 2, 3)) if default else draw.choice((0.01, 0.1, 0.5, 1))
        elif kind < 0.65:
            value = low
        elif kind < 0.75:
            value = high if high < math.inf else 1e3
        elif kind < 0.8:
            value = draw.choice((1e-300, 1e-12, 1e9, 1e30, 1e300))
        else:
            value = draw.uniform(0, 1)
        return float(min(max(value, low), high))

    def value(self, option):
        """The text of a value of an option in TOML, or None where it stays at its default."""
        kind, text = option["type"], option["range"]
        between = re.fullmatch(r"(\S+) to (\S+)", text)
        low = float(between[1]) if between else float(text[3:]) if text.startswith(">= ") else -math.inf
        high = float(between[2]) if between else math.inf
        if kind == "boolean":
            return self.random.choice(("true", "false"))
        if kind == "integer":
            low = int(low)
            most = MANY.get(option["key"], 8)
            return str(int(min(self.random.choice((low, low + 1, self.random.randint(low, max(low, most)))), high)))
        if kind == "real":
            return repr(self.real(max(low, -1e6), high, float(option["default"])))
        if kind == "list of reals":
            length = self.objectives if self.chance(0.9) else self.random.randint(0, 4)
            return "[" + ", ".join(repr(self.real(max(low, 0), min(high, 1e6), 1.0)) for _ in range(length)) + "]"
        if kind == "text" and text:
            return json.dumps(self.random.choice(text.split(", ")))
        return None

    def options(self, prefix, part, share, depth=0):
        for option in part["options"]:
            key = option["key"]
            if "NAME" in key or not self.chance(share):
                continue
            kinds = {"solver": "solvers", "compressor": "compressors", "aggregator": "aggregators", "server optimizer": "server-optimizers",
                     "preference distribution": "preference-distributions"}
            if option["type"] in kinds:
                if depth < 2:
                    self.part(f"{prefix}.{key}", self.random.choice(self.parts[kinds[option["type"]]]), depth + 1)
            elif key not in FIXED:
                value = self.value(option)
                if value is not None:
                    self.settings[f"{prefix}.{key}"] = value

    def part(self, prefix, part, depth=0):
        self.settings[f"{prefix}.name"] = json.dumps(part["name"])
        self.options(prefix, part, 0.4, depth)

    def named(self, kind, name):
        return next(part for part in self.parts[kind] if part["name"] == name)

    def workload(self, only):
        name = only or self.random.choices(list(SHARES), list(SHARES.values()))[0]
        part = self.named("workloads", name)
        self.settings["workload.name"] = json.dumps(name)
        self.objectives = OBJECTIVES.get(name, 2)
        self.options("workload", part, 0.2)
        for key, (low, high) in SIZES[name].items():
            self.settings[f"workload.{key}"] = str(self.random.randint(low, high))
        self.objectives = int(self.settings.get("workload.objectives", self.objectives))
        if name == "glyphs" and self.chance(0.4):
            self.settings["workload.model"] = '"small_cnn"'
        if name == "table":
            self.settings["workload.files"] = '"*.csv"'
            self.settings["workload.targets"] = '["price", "sold", "kind"]'
            first, second = self.random.choice((("squared", "logistic"), ("quantile:0.9", "logistic"), ("absolute", "cross_entropy")))
            self.settings["workload.losses"] = json.dumps([first, second, "cross_entropy"])
            self.settings["workload.categorical"] = '["district"]'
            if self.chance(0.3):
                self.settings["workload.client_column"] = '"town"'
            else:
                self.settings["workload.ignored"] = '["town"]'
        if name in ("deep_sea_treasure", "minecart"):
            for key, value in {"total_steps": 40, "learning_starts": 5, "buffer_size": 50, "batch_size": 4}.items():
                self.settings[f"workload.agent.{key}"] = str(value)
        return name

    def draw(self, workload=None):
        name = self.workload(workload)
        graded = ("fedmoa", "fedgrpo")  # by rewards
        strategies = [part for part in self.parts["strategies"] if name == "arithmetic" or part["name"] not in graded]
        strategy = self.random.choice(strategies)
        if name == "arithmetic" and self.chance(0.5):
            strategy = self.named("strategies", self.random.choice(graded))
        self.settings["strategy.name"] = json.dumps(strategy["name"])
        self.options("strategy", strategy, 0.3)
        keys = {option["key"] for option in strategy["options"]}
        if "cohort_size" in keys and self.chance(0.95):
            self.settings["strategy.cohort_size"] = str(self.random.randint(1, 4))
        if "local_steps" in keys and name not in ("quadratics", "robust_quadratics", "logistic", "tabular_mdp", "table"):
            self.settings["strategy.local_steps"] = str(self.random.randint(1, 3))
        for key, loops in (("local_steps", 5), ("own_steps", 5), ("restart_minibatches", 3)):
            if key in keys and f"strategy.{key}" not in self.settings:
                self.settings[f"strategy.{key}"] = str(self.random.randint(1, loops))
        self.engine()
        self.settings = {"seed": str(self.random.choice((0, 1, 2, 7, 2**31, 2**62))), **self.settings}
        return self.settings

    def engine(self):
        draw, settings = self.random, self.settings
        settings["evaluation.every"] = str(draw.choice((1, 1, 2, 3, 10)))
        settings["checkpoint.every"] = str(draw.choice((1, 2)))
        if self.chance(0.1):
            settings["checkpoint.keep"] = "1"
        if self.chance(0.15):
            settings["evaluation.federated"] = "true"
            settings["evaluation.by_client"] = draw.choice(("true", "false"))
        if self.chance(0.1):
            settings["evaluation.choose_by"] = draw.choice(('"loss"', '"accuracy"', '"loss/objective0"', '"nonsense"'))
        if self.chance(0.1):
            settings["evaluation.fine_tuned"] = "true"
        if self.chance(0.2):
            settings["min_reply_fraction"] = repr(draw.choice((0.0, 0.3, 0.9, 1.0)))
        if self.chance(0.2):
            settings["runtime.dropout_rate"] = repr(draw.choice((0.1, 0.3, 0.6)))
        if self.chance(0.25):
            settings["runtime.simulated_seconds"] = "1.0"
            settings["runtime.simulated_spread"] = repr(draw.choice((0.0, 0.5, 1.0)))
            settings["runtime.straggler_share"] = repr(draw.choice((0.0, 0.3, 1.0)))
            if self.chance(0.6):
                settings["runtime.deadline_seconds"] = repr(draw.choice((1.0, 1.5, 3.0, 20.0)))
            if self.chance(0.5):
                settings["runtime.over_sample"] = repr(draw.choice((0.5, 1.0, 100.0)))
        if self.chance(0.2):
            self.part("adversary", draw.choice(self.parts["adversaries"]))
            settings["adversary.share"] = repr(draw.choice((0.0, 0.3, 0.5, 1.0)))
        if self.chance(0.12):
            settings["privacy.secure_aggregation"] = "true"
            if self.chance(0.3):
                settings["privacy.threshold"] = repr(draw.choice((0.51, 0.8, 1.0)))
            if self.chance(0.3):
                settings["privacy.neighbours"] = draw.choice(("2", "4"))
            if self.chance(0.3):
                settings["privacy.bits"] = draw.choice(("8", "20", "40"))
        if self.chance(0.2):
            settings["privacy.clip"] = repr(draw.choice((0.01, 1.0, 100.0)))
            for key, values in {"clip_by": ('"layer"', '"whole"'), "clip_jacobian": ("0.5", "2.0"), "clip_jacobian_by": ('"whole"', '"objective"'),
                                "clip_losses": ("0.5",), "adaptive_clip": ("true",), "clip_quantile": ("0.1", "0.9"), "clip_lr": ("1.0",)}.items():
                if self.chance(0.25):
                    settings[f"privacy.{key}"] = draw.choice(values)
            if self.chance(0.7):
                settings["privacy.noise_multiplier"] = repr(draw.choice((0.01, 0.5, 1.0, 3.0)))
                if self.chance(0.5):
                    settings["privacy.sampling"] = '"poisson"'
                    settings["privacy.accountant"] = draw.choice(('"pld"', '"rdp"'))
                if self.chance(0.2):
                    settings["privacy.budget"] = repr(draw.choice((0.5, 5.0, 50.0)))
        if self.chance(0.08):
            settings["privacy.example_clip"] = "1.0"
            settings["privacy.example_noise_multiplier"] = repr(draw.choice((0.5, 1.0)))
            settings["privacy.example_rate"] = repr(draw.choice((0.1, 0.5)))


def make_tables(folder):
    draw = random.Random(1)
    folder.mkdir()
    for town in range(3):
        rows = ["area,rooms,district,town,price,sold,kind"]
        for row in range(12 + 9 * town):
            area = draw.uniform(30, 200)
            rows.append(f"{area:.1f},{draw.randint(1, 5)},{draw.choice(('lake', 'hills'))},t{row % 3},{2 * area + draw.gauss(0, 9):.0f},"
                        f"{draw.choice(('yes', 'no'))},{draw.choice('abc')}")
        (folder / f"town{town}.csv").write_text("\n".join(rows) + "\n")


def mend(settings, words):
    """Takes away from a config what it was refused for, or returns False."""
    before = dict(settings)
    bounds = re.search(r"strategy.cohort_size: expected \d+ to (\d+) clients", words)
    if bounds:
        settings["strategy.cohort_size"] = bounds[1]
        return settings != before
    if "workload with" in words and settings["workload.name"] != '"quadratics"':
        for key in [key for key in settings if key.startswith("workload.")]:
            del settings[key]
        settings["workload.name"] = '"quadratics"'
        return True
    if "expected finite" in words:
        return False
    sets = ["privacy", "adversary", "evaluation.choose_by", "strategy.solver", "strategy.aggregator", "strategy.compressor", "workload.preferences"]
    named = [key for key in settings if key in words] or [key for key in settings if key.split(".", 1)[-1] in words]
    for key in named:
        whole = next((prefix for prefix in sets if key.startswith(prefix)), key)
        if whole not in ("strategy.name", "workload.name"):
            for each in [each for each in settings if each == whole or each.startswith(whole + ".")]:
                del settings[each]
            return True
    return False
