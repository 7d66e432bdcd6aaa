#!/usr/bin/env python3
"""Measures the report page of a sweep of many runs in headless Chromium, and the server under several viewers; looks with axe-core at that page,
at those of a language model's runs and of a personalized run, at the list of runs, and at the page of one run while it grows.

Usage: scripts/check_page.py [--runs N] [--viewers N] [--seconds S] [--axe axe.min.js] [PAGE.html]...
(--axe: that file of the npm package axe-core, with which these pages and those named are checked for accessibility, in light and dark and on a phone)
"""

import argparse
import json
import os
import shutil
import subprocess
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

from browser import Browser
from check_serve import COMMAND, ROOT, Server, expect, up_to_date

MOST_SECONDS = 2  # until the page shows all its cards
MOST_PERCENT = 2  # of one processor core, with ten viewers
READY = "document.documentElement.dataset.charts !== undefined || document.documentElement.dataset.runs !== undefined"


def make_sweep(folder, runs):
    """Five seeds under runs / 5 preferences."""
    subprocess.run([COMMAND, "sweep", "experiments/fedcmoo/fedavg-quadratics.toml", "--set", "workload.objectives=2", "--set", "rounds=20", "--set",
                    "evaluation.every=2", "--preferences", str(max(2, runs // 5)), "--seeds", "1..5", "--dir", str(folder)], cwd=ROOT, check=True, capture_output=True)
    return folder / "report.html"


def make_language_runs(folder):
    """Two strategies that align a small language model: completions, rewards and lambda."""
    subprocess.run([COMMAND, "sweep", "experiments/firm/firm-alignment.toml", "experiments/firm/fedcmoo_a-alignment.toml", "--set", "rounds=2", "--set",
                    "workload.clients=2", "--set", "strategy.cohort_size=2", "--set", "workload.ppo.max_new_tokens=8", "--dir", str(folder)], cwd=ROOT, check=True,
                   capture_output=True)
    return folder / "report.html"


def make_personalized_run(folder):
    """Clusters, similarities and every client's own figures."""
    subprocess.run([COMMAND, "run", "experiments/fedpref/fedpref-quadratics.toml", "--set", "rounds=45", "--dir", str(folder)], cwd=ROOT, check=True, capture_output=True)
    return folder / "report.html"


def measure(page):
    with Browser() as browser:
        browser.open(f"file://{page}")
        browser.wait_for(READY)
        browser.wait_for("performance.getEntriesByName('first-contentful-paint').length")
        paint = browser.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime") / 1000
        drawn = browser.evaluate("performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd") / 1000
        heap = browser.evaluate("performance.memory.usedJSHeapSize")
        expect(not browser.complaints, f"no complaint of the page, found {browser.complaints}")
    print(f"{page.name}: {page.stat().st_size / 1e6:.2f} MB, first paint after {paint:.2f} s, all cards after {drawn:.2f} s, {heap / 1e6:.0f} MB of JavaScript objects")
    return drawn


WINDOWS = ((1280, False), (1280, True), (390, False), (390, True))  # width in pixels, dark


def look_with_axe(browser, axe, what):
    # Of the tables of values, which are alike, the first.
    browser.evaluate("drawAll(); [...document.querySelectorAll('details:not(.values)'), document.querySelector('.values')].forEach((part) => { if (part) part.open = true; });")
    browser.evaluate(f"{axe.read_text()}; 0")
    found = json.loads(browser.evaluate("""axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => JSON.stringify(violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${id}, ${nodes.length} times: ${nodes[0].html.slice(0, 200)}: ${nodes[0].failureSummary}`)))"""))
    expect(not found, f"no serious finding of axe-core in {what}, found {found}")
    expect(browser.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{what} no wider than the window")
    expect(not browser.complaints, f"no complaint of {what}, found {browser.complaints}")


def check_accessibility(address, axe):
    for width, dark in WINDOWS:
        with Browser(width=width, dark=dark) as browser:
            browser.open(address)
            browser.wait_for(READY)
            look_with_axe(browser, axe, f"{address} at {width} pixels{' in the dark' if dark else ''}")
    print(f"axe-core: no serious finding in {address}")


def check_growing_run(made, folder, axe):
    """The page of one run, opened when it has a few rounds and looked at when it has grown."""
    rows = (made / "metrics.jsonl").read_text().splitlines(keepends=True)
    for width, dark in WINDOWS:
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "checkpoints").mkdir(parents=True)
        shutil.copy(made / "config.toml", folder)
        (folder / "metrics.jsonl").write_text("".join(rows[:7]))
        with Server(folder) as server, Browser(width=width, dark=dark) as browser:
            browser.open(server.address)
            browser.wait_for(up_to_date(7, "unfinished"))
            with open(folder / "metrics.jsonl", "a") as file:
                file.write("".join(rows[7:12]))
            browser.wait_for(up_to_date(12, "unfinished"))
            look_with_axe(browser, axe, f"the page of a run that grows at {width} pixels{' in the dark' if dark else ''}")
    print("axe-core: no serious finding in the page of a run that grows")


def processor_seconds(process):
    fields = Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def check_viewers(folder, viewers, seconds):
    """Each viewer has a page with a run's events open, and one with the list of runs, which asks for it every two seconds."""
    run = next(path.name for path in sorted(folder.iterdir()) if path.is_dir())
    done, failures = threading.Event(), []
    with Server(folder) as server:
        def look():
            try:
                with urllib.request.urlopen(f"{server.address}api/runs/{run}/events"):
                    while not done.wait(2):
                        urllib.request.urlopen(f"{server.address}api/runs").read()
            except OSError as failure:
                failures.append(failure)

        lookers = [threading.Thread(target=look, daemon=True) for _ in range(viewers)]
        for looker in lookers:
            looker.start()
        time.sleep(1)
        before = processor_seconds(server.process)
        time.sleep(seconds)
        percent = 100 * (processor_seconds(server.process) - before) / seconds
        expect(not failures, f"all viewers to be answered, found {failures}")
        done.set()
        for looker in lookers:
            looker.join()
    print(f"serve: {percent:.2f} % of one core with {viewers} viewers over {seconds} s")
    expect(percent < MOST_PERCENT, f"less than {MOST_PERCENT} % of one core, found {percent:.2f} %")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", nargs="*", type=Path)
    parser.add_argument("--runs", type=int, default=500)
    parser.add_argument("--viewers", type=int, default=10)
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--axe", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "sweep"
        page = make_sweep(folder, arguments.runs)
        drawn = measure(page)
        expect(drawn < MOST_SECONDS, f"all cards of the page within {MOST_SECONDS} s, found them after {drawn:.2f} s")
        check_viewers(folder, arguments.viewers, arguments.seconds)
        if arguments.axe:
            personalized = make_personalized_run(Path(scratch) / "personalized")
            for one in [page, make_language_runs(Path(scratch) / "language"), personalized, *arguments.pages]:
                check_accessibility(f"file://{one.resolve()}", arguments.axe)
            with Server(folder) as server:
                check_accessibility(server.address, arguments.axe)
            check_growing_run(personalized.parent, Path(scratch) / "growing", arguments.axe)


if __name__ == "__main__":
    main()
