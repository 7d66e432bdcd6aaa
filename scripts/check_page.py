#!/usr/bin/env python3
"""Measures the report page of a sweep of many runs in headless Chromium, and the server under several viewers; looks at the pages with axe-core.

Usage: scripts/check_page.py [--runs N] [--viewers N] [--seconds S] [--axe axe.min.js] [PAGE.html]...
(--axe: that file of the npm package axe-core, with which the page and those named are checked for accessibility, as is the live page)
"""

import argparse
import json
import os
import subprocess
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

from browser import Browser
from check_serve import COMMAND, ROOT, Server, expect

MOST_SECONDS = 2  # until the page shows all its cards
MOST_PERCENT = 2  # of one processor core, with ten viewers
READY = "document.documentElement.dataset.charts !== undefined || document.documentElement.dataset.runs !== undefined"


def make_sweep(folder, runs):
    """Five seeds under runs / 5 preferences."""
    subprocess.run([COMMAND, "sweep", "experiments/fedcmoo/fedavg-quadratics.toml", "--set", "workload.objectives=2", "--set", "rounds=20", "--set",
                    "evaluation.every=2", "--preferences", str(max(2, runs // 5)), "--seeds", "1..5", "--dir", str(folder)], cwd=ROOT, check=True, capture_output=True)
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


def check_accessibility(address, axe):
    for width, dark in ((1280, False), (1280, True), (390, False)):
        with Browser(width=width, dark=dark) as browser:
            browser.open(address)
            browser.wait_for(READY)
            browser.evaluate("drawAll(); document.querySelectorAll('details').forEach((part) => { part.open = true; });")
            browser.evaluate(f"{axe.read_text()}; 0")
            found = json.loads(browser.evaluate("""axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => JSON.stringify(violations
              .filter(({ impact }) => impact === "serious" || impact === "critical")
              .map(({ id, nodes }) => `${id}, ${nodes.length} times: ${nodes[0].html.slice(0, 200)}: ${nodes[0].failureSummary}`)))"""))
            expect(not found, f"no serious finding of axe-core in {address} at {width} pixels{' in the dark' if dark else ''}, found {found}")
    print(f"axe-core: no serious finding in {address}")


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
            for one in [page, *arguments.pages]:
                check_accessibility(f"file://{one.resolve()}", arguments.axe)
            with Server(folder) as server:
                check_accessibility(server.address, arguments.axe)


if __name__ == "__main__":
    main()
