#!/usr/bin/env python3
"""Writes experiments/claims.md: what each of the four papers claims, how it was tested, what came out and what that shows. Every row is
computed from the tables under experiments/*/results, so that it changes with them.

Usage: experiments/claims.py [--check]      (--check: exits with 1, and writes nothing, unless the page is up to date)
"""

import argparse
import csv
import math
import sys
from pathlib import Path
from statistics import mean, median

sys.path.insert(0, str(Path(__file__).parent))
from paired import differences, interval, interval_of  # noqa: E402

FOLDER = Path(__file__).parent
PAGE = FOLDER / "claims.md"
FEWEST_SEEDS = 3
DISTRIBUTIONS = {"dirichlet": "Dirichlet", "gaussian": "Gaussian", "lattice": "equidistant"}


def rows(table, **wanted):
    """The rows of results/TABLE.csv of an experiment, given as "experiment/table", that have these values."""
    experiment, name = table.split("/")
    with (FOLDER / experiment / "results" / f"{name}.csv").open(newline="") as file:
        return [row for row in csv.DictReader(file) if all(row[key] == value for key, value in wanted.items())]


def by_seed(found, value, of_rows=mean):
    """{seed: mean of value(row) over the seed's rows}, or what `of_rows` makes of them."""
    seeds = {}
    for row in found:
        seeds.setdefault(int(row["seed"]), []).append(value(row))
    return {seed: of_rows(values) for seed, values in seeds.items()}


def verdict(values, sign):
    """What paired differences say of a claim that they have this sign."""
    if len(values) < FEWEST_SEEDS:
        return f"not shown ({len(values)} seed{'s' if len(values) > 1 else ''})"
    _, lowest, highest = interval_of(values)
    if lowest <= 0 <= highest:
        return "not shown"
    return "shown" if (lowest > 0) == (sign > 0) else "contrary"


def told(values, unit, digits=1):
    if len(values) < 2:
        return f"{values[0]:+.{digits}f} {unit}" if values else "no run"
    return f"{interval(values, digits)} {unit}"


def difference(claim, design, one, other, unit, sign=1, digits=1, margin=0.0, of_paper=True):
    """The row of a claim that `one` is larger than `other` (sign 1) or smaller (-1), both by seed, or no worse than by `margin`. A question
    that is not the paper's (`of_paper` False) is not counted among its claims."""
    values = differences(one, other)
    design += f"; {len(values)} seed{'' if len(values) == 1 else 's'}"
    found = verdict([value + sign * margin for value in values], sign)
    return claim, design, told(values, unit, digits), found, of_paper


def slope(found, of, value):
    """The least-squares slope of log(value) over log(of) by seed."""
    by = {}
    for row in found:
        by.setdefault(int(row["seed"]), []).append((math.log(float(row[of])), math.log(float(row[value]))))
    slopes = {}
    for seed, points in by.items():
        x0, y0 = (mean(axis) for axis in zip(*points, strict=True))
        slopes[seed] = sum((x - x0) * (y - y0) for x, y in points) / sum((x - x0)**2 for x, _ in points)
    return slopes


def fedcmoo():
    titles = {"mnist_fmnist": "MNIST+FMNIST", "multimnist": "MultiMNIST"}

    def final(group, strategy, workload, rounds, setting="tau=10", pick=mean):
        found = [row for row in rows("fedcmoo/tables", group=group, workload=workload, round=str(rounds))
                 if row["strategy"] == strategy and row["setting"] == setting]
        seeds = {}
        for row in found:
            seeds.setdefault(int(row["seed"]), []).append(100 * float(row["test_accuracy"]))
        return {seed: pick(values) for seed, values in seeds.items()}

    for workload, title in titles.items():
        yield difference("FedCMOO is more accurate than FSMGDA (Table 1, Figure 8)",
                         f"{title}, 500 rounds of the presets, mean accuracy of both objectives",
                         final("presets", "fedcmoo", workload, 500), final("presets", "fsmgda", workload, 500), "points")
    for workload, title in titles.items():
        yield difference("FedCMOO is more accurate than scalarization, FedAvg on the mean of the losses",
                         f"{title}, 500 rounds of the presets, mean accuracy of both objectives",
                         final("presets", "fedcmoo", workload, 500), final("presets", "fedavg", workload, 500), "points", of_paper=False)
    for workload, rounds in (("mnist_fmnist", 200), ("multimnist", 500)):
        yield difference("Where losses have unlike scales, FedCMOO trains both objectives and scalarization one (Table 2)",
                         f"{titles[workload]}, squared error and cross-entropy, {rounds} rounds, the smaller accuracy of the two",
                         final("mixed", "fedcmoo", workload, rounds, pick=min), final("mixed", "fedavg", workload, rounds, pick=min), "points")
    for workload, title in titles.items():
        yield difference("FedCMOO gains from more local steps (Figure 2)", f"{title}, 200 rounds, 20 local steps less 5, mean accuracy",
                         final("tau", "fedcmoo", workload, 200, "tau=20"), final("tau", "fedcmoo", workload, 200, "tau=5"), "points")
    for workload, title in titles.items():
        for rate, words, of_rounds in (("same", "the same rate in both, median over the rounds (the separate steps diverge in some)", median),
                                       ("own", "the rate of FSMGDA's presets, mean over the rounds", mean)):
            progress = [by_seed(rows("fedcmoo/local_progress", rate=rate, workload=workload), lambda row, column=column: float(row[column]), of_rounds)
                        for column in ("together", "separate")]
            yield difference("Clients come further in their local steps than with FSMGDA (Figure 11)",
                             f"{title}, 100 rounds, fall of the loss on all of a client's data, {words}", *progress, "", digits=3)
    for objectives in (5, 40):
        found = {strategy: by_seed([row for row in rows("fedcmoo/faces", objectives=str(objectives), strategy=strategy, round="40")],
                                   lambda row: 100 * float(row["test_accuracy"])) for strategy in ("fedcmoo", "fsmgda")}
        yield difference("FedCMOO is ahead of FSMGDA with many objectives (Figure 8, CelebA-5 and CelebA)",
                         f"procedural faces, {objectives} objectives, 40 rounds, mean accuracy", found["fedcmoo"], found["fsmgda"], "points")
    upload = {(strategy, objectives): float(rows("fedcmoo/faces", objectives=objectives, strategy=strategy, round="40", seed="1")[0]["uploaded_bytes"])
              for strategy in ("fedcmoo", "fsmgda") for objectives in ("5", "40")}
    growth = {strategy: upload[strategy, "40"] / upload[strategy, "5"] for strategy in ("fedcmoo", "fsmgda")}
    yield ("FedCMOO's upload does not grow with the number of objectives M, FSMGDA's is M times a model (Proposition 1)",
           "procedural faces, bytes of 40 rounds with 40 objectives by those with 5, counted from the messages",
           f"FedCMOO {growth['fedcmoo']:.2f} times, FSMGDA {growth['fsmgda']:.2f} times",
           "shown" if growth["fedcmoo"] < 1.1 and abs(growth["fsmgda"] / 8 - 1) < 0.1 else "contrary", True)
    slopes = slope(rows("fedcmoo/theory", series="T"), "value", "mean_squared_gradient")
    yield difference("The mean squared gradient falls with the rounds T, as 1/sqrt(T) (Theorem 1, Corollary 1.1)",
                     "`fedcmoo_theory` on quadratics, T from 64 to 4096, slope in logarithms, which would be -0.5", slopes, dict.fromkeys(slopes, 0.0),
                     "", sign=-1, digits=2)
    later = [row for row in rows("fedcmoo/theory", series="T_robust") if float(row["value"]) >= 512]
    slopes = slope(later, "value", "mean_squared_gradient")
    yield difference("The mean squared gradient falls with the rounds T, as 1/sqrt(T) (Theorem 1, Corollary 1.1)",
                     "the same on losses with bounded gradients that are not convex, T from 512 to 4096 (before, it does not fall)", slopes,
                     dict.fromkeys(slopes, 0.0), "", sign=-1, digits=2)
    later = [row for row in rows("fedcmoo/theory", series="T_logistic") if float(row["value"]) >= 1024]
    slopes = slope(later, "value", "mean_squared_gradient")
    yield difference("The mean squared gradient falls with the rounds T, as 1/sqrt(T) (Theorem 1, Corollary 1.1)",
                     "the same on logistic regression, which is convex with bounded gradients, the upper half of T, 1024 to 8192", slopes, dict.fromkeys(slopes, 0.0),
                     "", sign=-1, digits=2)
    slopes = slope(rows("fedcmoo/theory", series="M"), "value", "mean_squared_gradient")
    yield difference("The rounds that are needed do not grow with the number of objectives M, so that the samples grow as M (section 5)",
                     "`fedcmoo_theory` on quadratics, M from 2 to 32, 1024 rounds, slope of the mean squared gradient over M in logarithms, no more than 0.05",
                     slopes, dict.fromkeys(slopes, 0.0), "", sign=-1, digits=2, margin=0.05)
    for series, first, last, words in (("n_sketch", "20", "1", "20 clients in each sketch less 1 (n')"), ("bits", "16", "2", "16 bits an entry less 2 (q)"),
                                       ("sigma", "0", "3", "no noise less a deviation of 3 (sigma)")):
        ends = [by_seed(rows("fedcmoo/theory", series=series, value=value), lambda row: float(row["mean_squared_gradient"])) for value in (first, last)]
        yield difference("Better estimates of the Gramian make the error of lambda smaller (C_1 of Theorem 1)",
                         f"`fedcmoo_theory` on quadratics, beta 0.3, mean squared gradient, {words}", *ends, "", sign=-1, digits=2)


def firm():
    def figure(variant, name):
        return by_seed(rows("firm/comparison", variant=variant), lambda row: float(row[name]))

    def returns(variant):
        return by_seed(rows("firm/comparison", variant=variant),
                       lambda row: (float(row["return of objective 0"]) + float(row["return of objective 1"])) / 2)

    known, plain = "known process (`tabular_mdp`)", "FIRM, beta 0.01"
    for variant in (plain, "FIRM, beta 1"):
        yield difference("RQ1: FIRM reaches rewards as high as FedCMOO-A's or higher", f"{known}, {variant}, mean of both returns, no more than 0.01 less",
                         returns(variant), returns("FedCMOO-A"), "", digits=3, margin=0.01)
    for name, words in (("all clients' mean", "mean of lambda over clients and steps, as in the paper's Figure 1"),
                        ("one client's mean", "a client's mean over its steps"), ("change of lambda, one step", "a single solution")):
        yield difference("RQ1: the objective weights of FedCMOO-A's server oscillate more than FIRM's",
                         f"{known}, change of lambda from round to round, {words}", figure(plain, name), figure("FedCMOO-A", name), "", -1, 3)
    for beta in ("0.01", "0.05", "1"):
        for name, words, digits in (("spread of lambda", "spread of the clients' lambdas", 4), ("disagreement drift", "disagreement drift", 7)):
            yield difference("RQ2: regularization keeps the clients' lambdas together", f"{known}, beta {beta} less beta 0, {words}",
                             figure(f"FIRM, beta {beta}", name), figure("FIRM, beta 0", name), "", -1, digits)
    for beta in ("0.01", "0.05", "1"):
        yield difference("RQ2, where gradients are nearly parallel",
                         f"{known}, correlation of the rewards 0.999, two clients, beta {beta} less beta 0, spread of lambda",
                         figure(f"FIRM, 2 clients, parallel, beta {beta}", "spread of lambda"),
                         figure("FIRM, 2 clients, parallel, beta 0", "spread of lambda"), "", -1, 4)
    for less, more in (("0.25", "0.5"), ("0.5", "1"), ("1", "2"), ("2", "4")):
        yield difference("RQ3: the preference p steers the rewards", f"{known}, return of objective 1, p (1, {more}) less p (1, {less})",
                         figure(f"FIRM, p (1, {more})", "return of objective 1"), figure(f"FIRM, p (1, {less})", "return of objective 1"), "", digits=3)

    def dialogue(setting, name):
        return by_seed(rows("firm/alignment", setting=setting), lambda row: float(row[name]))

    for name in ("helpful", "harmless"):
        yield difference("RQ1 on dialogues", f"a policy of a million parameters, 32 rounds, reward `{name}`, FIRM less FedCMOO-A",
                         dialogue("firm", name), dialogue("fedcmoo_a", name), "", digits=3)
        yield difference("RQ3 on dialogues", f"reward `{name}`, its preference 3 and the other 0.3, less the reverse",
                         dialogue("p_0.3,3" if name == "helpful" else "p_3,0.3", name), dialogue("p_3,0.3" if name == "helpful" else "p_0.3,3", name),
                         "", digits=3)
    yield difference("RQ2 on dialogues", "spread of the clients' lambdas, beta 0.05 less beta 0", dialogue("beta_0.05", "lambda_spread"),
                     dialogue("beta_0", "lambda_spread"), "", -1, 4)

    def corrected(setting, name):
        return by_seed(rows("firm/dialogues", setting=setting), lambda row: float(row[name]))

    design = "a policy of a million parameters, 24 rounds, 64 tokens, distinct held-out prompts of both files, KL controlled"
    for name in ("helpful", "harmless"):
        yield difference("RQ1 on dialogues, with today's settings", f"{design}, reward `{name}` in the second half, FIRM less FedCMOO-A",
                         corrected("firm", f"late_{name}"), corrected("fedcmoo_a", f"late_{name}"), "", digits=3)
    for name, words in (("lambda_sway", "of its mean over clients and steps"), ("lambda_sway_client", "of a client's mean over its steps"),
                        ("lambda_sway_step", "of a single solution")):
        yield difference("RQ1 on dialogues: the objective weights of FedCMOO-A's server oscillate more than FIRM's",
                         f"{design}, change of lambda from round to round, {words}", corrected("firm", name), corrected("fedcmoo_a", name), "", -1, 3)
    for name, words in (("lambda_spread", "spread of the clients' lambdas"), ("disagreement_drift", "drift by disagreement")):
        yield difference("RQ2 on dialogues, with today's settings", f"{design}, {words}, beta 0.05 less beta 0",
                         corrected("beta_0.05", name), corrected("beta_0", name), "", -1, 5)
    for name, larger, smaller in (("helpful", "p_0.3,3", "p_3,0.3"), ("harmless", "p_3,0.3", "p_0.3,3")):
        yield difference("RQ3 on dialogues, with today's settings", f"{design}, reward `{name}` in the second half, its preference 3 and the other 0.3, less the reverse",
                         corrected(larger, f"late_{name}"), corrected(smaller, f"late_{name}"), "", digits=3)
    for name in ("helpful", "harmless"):
        yield difference("FIRM's policy has a larger reward than before training", f"{design}, reward `{name}` in the second half",
                         corrected("firm", f"late_{name}"), corrected("before", name), "", digits=3, of_paper=False)

    def theory(series, name):
        return slope([row for row in rows("firm/theory", series=series) if float(row[name]) > 0 and float(row["value"]) > 0], "value", name)

    for series, name, claim, words in (("T", "squared_gradient", "Theorem 1: the squared gradient falls with the local steps T", "squared gradient over T"),
                                       ("B", "disagreement_drift", "Theorem 1: the drift falls with the batch size B", "drift over B"),
                                       ("beta", "disagreement_drift", "Theorem 1: the drift falls with beta", "drift over beta")):
        slopes = theory(series, name)
        yield difference(claim, f"`tfirm` on {known}, slope in logarithms of the {words}", slopes, dict.fromkeys(slopes, 0.0), "", -1, 2)


def fedmoa():
    def accuracy(data, method):
        return by_seed(rows("fedmoa/campaign", data=data, method=method), lambda row: 100 * float(row["accuracy"]))

    words_of_data = {"homo_homo": "Homo+Homo", "homo_heter": "Homo+Heter", "heter_heter": "Heter+Heter"}
    for data, title in words_of_data.items():
        yield difference(f"FedMOA is more accurate than FedGRPO ({title}, Table 1)", "generated arithmetic, 16 rounds, 200 test questions per task",
                         accuracy(data, "fedmoa"), accuracy(data, "fedgrpo"), "points")
    yield difference("aggregation by accuracy weights alone is more accurate, too (Table 2, there under Heter+Heter)", "Homo+Heter, the same", accuracy("homo_heter", "aggregation"),
                     accuracy("homo_heter", "fedgrpo"), "points")
    for data, title in words_of_data.items():
        def weight(number, data=data):
            return by_seed(rows("fedmoa/trajectories", data=data, method="fedmoa", round=str(number)), lambda row: float(row["weight_accuracy"]))
        yield difference("the weight of the accuracy rises as the other rewards saturate (Figure 5)", f"{title}, weight in round 16 less that in round 4",
                         weight(16), weight(4), "", digits=3)
    fixed = rows("fedmoa/fixed_weights")
    for weight in ("0.5", "0.7", "0.9"):
        by_weight = {name: by_seed([row for row in fixed if row["weight"] == name], lambda row: 100 * float(row["accuracy"])) for name in (weight, "third")}
        yield difference("what adaptive weights could gain at all: a fixed larger weight of the accuracy beats equal weights",
                         f"Homo+Homo, weight {weight} of the accuracy less 1/3, 2000 test questions", by_weight[weight], by_weight["third"], "points",
                         of_paper=False)

    def conflict(method):
        return by_seed(rows("fedmoa/conflict", method=method), lambda row: 100 * float(row["accuracy"]))

    design = "rewards that conflict, scaled over the batch, 1000 test questions"
    for weight in ("0.5", "0.7", "0.9"):
        yield difference("the same where an easier reward conflicts with accuracy", f"{design}, weight {weight} of the accuracy less 1/3",
                         conflict(f"batch_{weight}"), conflict("batch_third"), "points", of_paper=False)
    for method, words in (("inner_product", "the paper's inner products"), ("cosine", "cosines")):
        yield difference("adaptive weights are more accurate than equal ones, where an easier reward conflicts with accuracy", f"{design}, hypergradients by {words}",
                         conflict(f"batch_{method}"), conflict("batch_third"), "points")

    for data, title in words_of_data.items():
        def more_seeds(method, column="accuracy", scale=100, data=data):
            return by_seed(rows("fedmoa/seeds", data=data, method=method), lambda row: scale * float(row[column]))

        if not more_seeds("fedmoa"):
            continue
        design = f"{title}, generated arithmetic, 16 rounds, 2000 test questions per task"
        yield difference("FedMOA is more accurate than FedGRPO (Table 1), with more seeds and test questions", design, more_seeds("fedmoa"), more_seeds("fedgrpo"), "points")
        yield difference("the weight of the accuracy rises as the other rewards saturate (Figure 5), with more seeds", f"{title}, weight in round 16 less that in round 4",
                         more_seeds("fedmoa", "weight_16", 1), more_seeds("fedmoa", "weight_4", 1), "", digits=3)
        yield difference("FedMOA's training accuracy changes less from round to round (Figure 4)", f"{title}, mean change of the training accuracy between rounds",
                         more_seeds("fedmoa", "volatility"), more_seeds("fedgrpo", "volatility"), "points", -1)

    def unequal(method):
        return by_seed(rows("fedmoa/unequal", method=method), lambda row: 100 * float(row["accuracy"]))

    design = "three configurations of rewards that conflict, half of the clients with wrong references, 2000 test questions"
    for method, words in (("fedmoa", "FedMOA"), ("fedmoa_cosine", "FedMOA with cosines"), ("adaptive", "adaptive weights alone")):
        yield difference("FedMOA is more accurate than FedGRPO where clients differ in rewards and quality", f"{design}, {words} less FedGRPO", unequal(method),
                         unequal("fedgrpo"), "points", of_paper=False)


def fedpref():
    def figure(group, setting, variant="", name="scalarized_return", workload="deep_sea_treasure"):
        return by_seed(rows("fedpref/campaign", workload=workload, group=group, setting=setting, variant=variant), lambda row: float(row[name]))

    names = {"no_communication": "clients that learn alone", "fedavg": "FedAvg", "fedprox": "FedProx", "cfl": "CFL", "matfl": "MaT-FL"}
    for name, title in names.items():
        for distribution, words in DISTRIBUTIONS.items():
            yield difference(f"FedPref's clients reach a higher scalarized return than {title} (Table 1)", f"Deep-Sea Treasure, {words} preferences",
                             figure("comparison", f"fedpref-{distribution}"), figure("comparison", f"{name}-{distribution}"), "")
    for name, title in names.items():
        for distribution, words in DISTRIBUTIONS.items():
            yield difference(f"as a set, FedPref's models have a larger hypervolume than those of {title} (Table 3)",
                             f"Deep-Sea Treasure, {words} preferences", figure("comparison", f"fedpref-{distribution}", name="hypervolume"),
                             figure("comparison", f"{name}-{distribution}", name="hypervolume"), "", digits=0)
    for distribution, words in DISTRIBUTIONS.items():
        yield difference("the whole of FedPref is better than its weighted aggregation alone (Table 2)",
                         f"Deep-Sea Treasure, {words} preferences, scalarized return", figure("comparison", f"fedpref-{distribution}"),
                         figure("comparison", f"weighted_only-{distribution}"), "")
    for workload, title in (("minecart", "Deterministic Minecart"), ("lunar_lander", "MO-Lunar Lander")):
        for name in ("fedavg", "cfl"):
            yield difference(f"FedPref is ahead of {names[name]} (Table 1)", f"{title}, Dirichlet preferences",
                             figure("comparison", "fedpref-dirichlet", workload=workload), figure("comparison", f"{name}-dirichlet", workload=workload), "")
    # As the paper seems to have it: the clients' target networks are averaged too (send_target).
    for workload, title in (("deep_sea_treasure", "Deep-Sea Treasure"), ("minecart", "Deterministic Minecart"), ("lunar_lander", "MO-Lunar Lander")):
        for name in ("fedavg", "fedprox", "cfl", "matfl"):
            for distribution, words in DISTRIBUTIONS.items():
                one, other = (figure("targets", f"{algorithm}-{distribution}", workload=workload) for algorithm in ("fedpref", name))
                if differences(one, other):  # the campaign has not got to all of them
                    yield difference(f"FedPref's clients reach a higher scalarized return than {names[name]} (Table 1), with target networks sent",
                                     f"{title}, {words} preferences", one, other, "")


# Words of a paper that its rows use.
WORDS = {"FIRM": "RQ1, RQ2 and RQ3 are the paper's research questions: FIRM beside the algorithm whose server resolves the objectives\n"
                 "(FedCMOO-A), with and without its regularizer, and with preferences p.\n\n"}
PAPERS = {"FedCMOO": ("fedcmoo", fedcmoo), "FIRM": ("firm", firm), "FedMOA": ("fedmoa", fedmoa), "FedPref": ("fedpref", fedpref)}


def page():
    text = "# What the papers claim, and what was found\n\n"
    text += ("Each row is one claim of a paper and one experiment here. A result is the mean difference, paired by seed, with its 95 % interval by\n"
             "Student's distribution. A claim is **shown** if the whole interval lies on the paper's side of zero, **contrary** if it lies on the\n"
             f"other side, and **not shown** if the interval holds zero (or, of claims to be no worse, the margin that is named) or fewer than {FEWEST_SEEDS} seeds were run. The intervals are not corrected for\n"
             "the number of rows: of twenty claims that are false, one may come out as shown or as contrary. The experiments are smaller than the papers'; each\n"
             "folder's README.md says in what. This page is written by `experiments/claims.py` from the tables under `experiments/*/results`.\n")
    for name, (folder, claims) in PAPERS.items():
        table = list(claims())
        own = [row for row in table if row[4]]
        counts = [sum(row[3].startswith(word) for row in own) for word in ("shown", "contrary", "not shown")]
        head = "| claim | design | result | verdict |\n|---|---|---|---|\n"
        text += (f"\n## {name}\n\n{counts[0]} of {len(own)} rows are shown, {counts[1]} contrary, {counts[2]} not shown. Commands:\n"
                 f"[experiments/{folder}/README.md]({folder}/README.md).\n\n{WORDS.get(name, '')}{head}")
        text += "".join(f"| {' | '.join(cell.strip() for cell in row[:4])} |\n" for row in own)
        if len(own) < len(table):
            text += f"\nFurther questions, which are not claims of the paper:\n\n{head}"
            text += "".join(f"| {' | '.join(cell.strip() for cell in row[:4])} |\n" for row in table if not row[4])
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare the page instead of writing it")
    text = page()
    if not parser.parse_args().check:
        PAGE.write_text(text)
    elif PAGE.read_text() != text:
        sys.exit("experiments/claims.md is not what experiments/claims.py writes; run it and commit the page")


if __name__ == "__main__":
    main()
