"""The usual figures of a paper, by matplotlib (the extra `plot`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np

from paretofl import _engine
from paretofl.annotations import Path
from paretofl.optional_packages import expect_package
from paretofl.run_result import Run, known_metric
from paretofl.settings import path_of
from paretofl.sweep import Sweep

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KINDS = ("metrics", "weights", "front")
AXES = {"round": "round", "bytes": "megabytes sent", "seconds": "seconds"}


def plot(runs: Run | Sweep | Sequence[Run | Sweep], kind: Literal["metrics", "weights", "front"] = "metrics", path: Path | None = None, *,
         metric: str | None = None, x: Literal["round", "bytes", "seconds"] = "round", labels: Sequence[str] | None = None) -> Figure:
    """Draws runs side by side and returns the matplotlib Figure. It needs matplotlib 3.7 or newer: `pip install "paretofl[plot]"`.

    runs: a `Run`, a `Sweep`, or a list of these. Runs that differ only in their seed are one line: the mean, in a band of one sample
        standard deviation.
    kind: "metrics" draws the test figures of each objective against `x`. "weights" draws the objective weights lambda against `x`. "front"
        draws the runs' final test figures for each pair of objectives, with a line through the Pareto front of each strategy. If the seed
        changes the problem, there is a line per seed. For one run with a model for each client, "front" shows the clients' points. For
        another single run, it shows the points of all rounds.
    path: a file to write: .svg, .pdf or .png. Equal runs give equal files.
    metric: such as "accuracy". The default is the first test metric that is not a loss, else the loss.
    x: "round", "bytes" for the megabytes sent up and down, or "seconds" of wall-clock time.
    labels: one text per group of runs, instead of the settings in which the groups differ.

    Error on runs without such figures, and on runs of different objectives.
    """
    groups = _groups(_listed(runs), labels)
    if kind not in KINDS:
        raise _engine.Error(f"plot: expected a kind of {', '.join(KINDS)}, found {kind!r}")
    if x not in AXES:
        raise _engine.Error(f"plot: expected x of {', '.join(AXES)}, found {x!r}")
    expect_package("matplotlib", "plot", "paretofl[plot]", (3, 7))
    from matplotlib import rc_context
    from matplotlib.figure import Figure as NewFigure

    with rc_context({"svg.hashsalt": "paretofl", "svg.fonttype": "none", "axes.grid": True, "grid.alpha": 0.3}):
        figure = NewFigure(layout="constrained")
        if kind == "front":
            _draw_front(figure, groups, metric)
        else:
            _draw_curves(figure, groups, x, *(_test_figures(groups, metric) if kind == "metrics" else ("lambda", _weights)))
        if path is not None:
            file = path_of("path", path)
            if file.suffix not in (".svg", ".pdf", ".png"):
                raise _engine.Error(f"plot: expected a path that ends in .svg, .pdf or .png, found {file}")
            # Without the date, so that equal runs give equal files.
            undated: dict[str, dict[str, str | None]] = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
            figure.savefig(file, metadata=undated.get(file.suffix))
    return figure


# Runs and their groups.

def _listed(runs):
    listed = []
    for item in runs if isinstance(runs, (list, tuple)) else [runs]:
        if not isinstance(item, (Run, Sweep)):
            raise _engine.Error(f"plot: expected a Run, a Sweep or a list of them, found {type(item).__name__}")
        listed += item.runs if isinstance(item, Sweep) else [item]
    if not listed:
        raise _engine.Error("plot: expected at least one run, found none")
    if len({tuple(run.objectives) for run in listed}) > 1:
        raise _engine.Error("plot: expected runs of the same objectives, found " + " and ".join(sorted({", ".join(run.objectives) for run in listed})))
    return listed


def _groups(runs, labels):
    """{label: runs}: by strategy, and by the settings in which runs of one strategy differ, other than the seed and what changes no result."""
    settings = [_settings(run.config) for run in runs]
    strategies = {one["strategy.name"] for one in settings}
    groups = {}
    for run, one in zip(runs, settings):
        alike = [other for other in settings if other["strategy.name"] == one["strategy.name"]]
        differing = [key for key in one if any(repr(other.get(key)) != repr(one[key]) for other in alike)]
        label = ", ".join([one["strategy.name"]] * (len(strategies) > 1 or not differing) + [_setting_text(key, one[key]) for key in differing])
        groups.setdefault(label, []).append(run)
    if labels is None:
        return groups
    if len(labels) != len(groups):
        raise _engine.Error(f"plot: expected {len(groups)} labels, one per group of runs, found {len(labels)}")
    return dict(zip(labels, groups.values()))


def _settings(config):
    from paretofl.callbacks.scalars import flat

    return {key: value for key, value in flat(config).items() if key != "seed" and not key.startswith(("runtime.", "checkpoint.", "data."))}


def _setting_text(key, value):
    if isinstance(value, list):
        value = "(" + ", ".join(f"{number:.3g}" if isinstance(number, float) else str(number) for number in value) + ")"
    return f"{key.rpartition('.')[2]} {value}"


# Curves.

def _test_figures(groups, metric):
    tests = [row["test"] for runs in groups.values() for run in runs for row in run.metrics if "test" in row]
    if not tests:
        raise _engine.Error("plot: expected runs with test figures, found none")
    metric = known_metric(tests[-1], metric)
    return f"test {metric}", lambda row: list(row["test"][metric].values()) if "test" in row and metric in row["test"] else None


def _weights(row):
    return row.get("lambda")


def _draw_curves(figure, groups, x, title, figures_of):
    objectives = next(iter(groups.values()))[0].objectives
    panels = figure.subplots(1, len(objectives), squeeze=False, sharex=True)[0]
    figure.set_size_inches(max(4.0, 3.2 * len(objectives)), 3.2)
    drawn = False
    for color, (label, runs) in enumerate(groups.items()):
        curves = [curve for curve in (_curve(run, x, figures_of, len(objectives)) for run in runs) if curve is not None]
        if not curves:
            continue
        drawn = True
        length = min(len(places) for places, _ in curves)
        places = np.mean([curve[0][:length] for curve in curves], axis=0)
        values = np.array([curve[1][:length] for curve in curves])  # [runs, rounds, M]
        for objective, panel in enumerate(panels):
            mean = values[:, :, objective].mean(axis=0)
            panel.plot(places, mean, color=f"C{color % 10}", label=label, marker="o" if length < 3 else None, markersize=3)
            if len(curves) > 1:
                spread = values[:, :, objective].std(axis=0, ddof=1)
                panel.fill_between(places, mean - spread, mean + spread, color=f"C{color % 10}", alpha=0.2, linewidth=0)
    if not drawn:
        raise _engine.Error(f"plot: expected runs with {title} per objective, found none")
    for objective, panel in zip(objectives, panels):
        panel.set(title=objective, xlabel=AXES[x])
    panels[0].set_ylabel(title)
    _draw_legend(figure, panels[0], len(groups))


def _curve(run, x, figures_of, objectives):
    """Where the rounds with figures are, [rounds], and the figures [rounds, M]; None without any."""
    places, values, place = [], [], 0.0
    for row in run.metrics:
        place += {"round": 1, "bytes": (row["bytes_up"] + row["bytes_down"]) / 1e6, "seconds": sum(row["seconds"].values())}[x]
        figures = figures_of(row)
        if figures is not None and len(figures) == objectives:
            places.append(place)
            values.append([np.nan if figure is None else figure for figure in figures])
    return (np.array(places), np.array(values)) if places else None


# Fronts.

def _draw_front(figure, groups, metric):
    runs = [run for one in groups.values() for run in one]
    objectives = runs[0].objectives
    if len(objectives) < 2:
        raise _engine.Error("plot: expected runs of at least two objectives for a front, found one")
    if len(runs) == 1:
        metric, points, _ = runs[0]._points(metric)
        clouds = {(runs[0].config["strategy"]["name"], None): points}
    else:
        metric, clouds = _final_points(runs, metric)
    colors = {strategy: f"C{number % 10}" for number, strategy in enumerate(dict.fromkeys(strategy for strategy, _ in clouds))}
    minimized = _engine.is_minimized(metric)
    pairs = [(first, second) for first in range(len(objectives)) for second in range(first + 1, len(objectives))]
    columns = min(3, len(pairs))
    rows = -(-len(pairs) // columns)
    panels = figure.subplots(rows, columns, squeeze=False).ravel()
    figure.set_size_inches(4.2 * columns, 3.6 * rows)
    for panel, (first, second) in zip(panels, pairs):
        for strategy, color in colors.items():
            fronts = [np.array(points)[:, [first, second]] for (name, _), points in clouds.items() if name == strategy]
            panel.scatter(*np.concatenate(fronts).T, s=18, color=color, label=strategy)
            for plane in map(np.ascontiguousarray, fronts):
                front = plane[_engine.pareto_front(plane, [minimized, minimized], False)]
                panel.plot(*front[np.argsort(front[:, 0], kind="stable")].T, color=color, linewidth=1)
        panel.set(xlabel=f"{objectives[first]}, {metric}", ylabel=f"{objectives[second]}, {metric}")
    for panel in panels[len(pairs):]:
        panel.set_axis_off()
    _draw_legend(figure, panels[0], len(colors))


def _final_points(runs, metric):
    """The metric, and {(strategy, seed): final test figures [n, M]}, with one seed, None, where the seed leaves the problem as it is."""
    clouds = {}
    for run in runs:
        summary = run.summary
        if not summary.get("test"):
            raise _engine.Error(f"plot: expected runs with test figures, found none in {run.directory}")
        metric = known_metric(summary["test"], metric)
        key = summary["strategy"], summary["seed"] if summary["seed_changes_problem"] else None
        clouds.setdefault(key, []).append(list(summary["test"][metric].values()))
    return metric, clouds


def _draw_legend(figure, panel, entries):
    if entries > 1:
        handles, texts = panel.get_legend_handles_labels()
        columns = min(3, max(1, int(13 * figure.get_figwidth() / (max(map(len, texts)) + 8))))  # small letters: 13 to the inch
        figure.legend(handles, texts, loc="outside lower center", fontsize="small", ncols=columns)
        figure.set_figheight(figure.get_figheight() + 0.2 * -(-entries // columns))
