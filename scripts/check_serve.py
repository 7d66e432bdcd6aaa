#!/usr/bin/env python3
"""Watches `paretofl serve` in headless Chromium: a run that grows, is begun again and goes on, while its page keeps what was chosen; the
values are those of metrics.jsonl. Then a server that comes back, a run that vanishes, the list, and a page that needs a token.

Usage: scripts/check_serve.py [--pictures FOLDER]
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from browser import Browser

ROOT = Path(__file__).resolve().parent.parent
COMMAND = os.environ.get("PARETOFL", str(ROOT / "build/paretofl"))
COLOURFUL = """[...document.querySelectorAll("canvas")].filter((canvas) => {
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  let count = 0;
  for (let i = 0; i < data.length; i += 4) count += data[i + 3] > 200 && Math.max(data[i], data[i + 1], data[i + 2]) - Math.min(data[i], data[i + 1], data[i + 2]) > 40;
  return count > 20;
}).length"""
DATASET = "document.documentElement.dataset"


def expect(condition, text):
    if not condition:
        raise SystemExit(f"check_serve: expected {text}")


class Server:
    def __init__(self, folder, *options):
        self.process = subprocess.Popen([COMMAND, "serve", str(folder), *options], stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip()
        expect(self.address.startswith("http://"), f"an address, found {self.address!r}")

    def stop(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        expect(self.process.wait(30) == 0, f"exit code 0 after signal {number}, found {self.process.returncode}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


def make_run(folder, rounds, seed, *options):
    subprocess.run([COMMAND, "run", "experiments/fedcmoo/fedcmoo-quadratics.toml", "--set", f"rounds={rounds}", "--set", "evaluation.every=1", "--set",
                    f"seed={seed}", "--dir", str(folder), *options], cwd=ROOT, check=True, capture_output=True)


def resume(folder, rounds):
    subprocess.run([COMMAND, "run", "--resume", str(folder), "--set", f"rounds={rounds}"], cwd=ROOT, check=True, capture_output=True)


def check_values(browser, folder):
    """What the page shows is what metrics.jsonl says: every test figure of every round."""
    rows = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
    shown = browser.evaluate("data.workloads[0].groups[0].curves")
    for metric in rows[0]["test"]:
        curve = shown[f"test/{metric}"]
        expect(curve["rounds"] == [row["round"] for row in rows], f"the rounds of {folder}, found {curve['rounds']}")
        for series, values in zip(curve["series"], curve["mean"]):
            if series == "mean":
                continue
            recorded = [row["test"][metric][series] for row in rows]
            expect(all(abs(a - b) <= 1e-4 * abs(b) + 1e-12 for a, b in zip(values, recorded)), f"{metric} of {series}: {recorded}, found {values}")
    last = rows[-1]
    expect(browser.evaluate(f"{DATASET}.round") == str(last["round"]), f"round {last['round']}")
    figure = browser.evaluate(f"figures({json.dumps(last)})")
    expect(figure and figure in browser.evaluate("document.querySelector('.live').textContent"), f"the live line to tell {figure!r}")


def up_to_date(rounds, state):
    return f"{DATASET}.round === '{rounds}' && {DATASET}.shown === {DATASET}.event && {DATASET}.state === '{state}'"


def check_painted(browser):
    expect(int(browser.evaluate(f"{DATASET}.charts")) > 3, "more than three charts")
    browser.evaluate("drawAll()")
    browser.wait_for(f'({COLOURFUL}) === document.querySelectorAll("canvas").length')
    wide = browser.evaluate("document.documentElement.scrollWidth - innerWidth")
    expect(wide <= 0, f"a page no wider than the window, found {wide} pixels more")


def check(scratch, pictures):
    runs = scratch / "runs"
    live = runs / "live"
    live.mkdir(parents=True)
    made = scratch / "made"
    make_run(made, 12, 1)
    rows = (made / "metrics.jsonl").read_text().splitlines(keepends=True)
    shutil.copy(made / "config.toml", live)
    (live / "checkpoints").mkdir()

    def append(part):
        with open(live / "metrics.jsonl", "a") as file:
            file.write("".join(part))

    with Server(runs) as server, Browser() as browser:
        browser.open(server.address + "?run=live")
        browser.wait_for(f"{DATASET}.connected === 'true'")
        append(rows[:5])
        browser.wait_for(up_to_date(5, "unfinished"))
        check_values(browser, live)
        check_painted(browser)
        if pictures:
            browser.picture(pictures / "live.png")

        # A row that is being written is not shown; what was chosen stays chosen.
        browser.evaluate("""(() => { const box = [...document.querySelectorAll("select")].find((one) => one.ariaLabel === "quantity");
          box.value = [...box.options].at(-1).value; box.dispatchEvent(new Event("change")); window.chosen = box.value; })()""")
        append([rows[5], rows[6][:40]])
        browser.wait_for(up_to_date(6, "unfinished"))
        append([rows[6][40:]])
        browser.wait_for(up_to_date(7, "unfinished"))
        check_values(browser, live)
        chosen = "[...document.querySelectorAll('select')].find((one) => one.ariaLabel === 'quantity').value === window.chosen"
        expect(browser.evaluate(chosen), "the chosen quantity to stay")

        # The run is begun again and ends; then it is resumed with more rounds.
        make_run(live, 9, 2, "--overwrite")
        browser.wait_for(up_to_date(9, "completed"))
        check_values(browser, live)
        expect(int(browser.evaluate(f"{DATASET}.resets")) > 0, "a reset, found none")
        resume(live, 14)
        browser.wait_for(up_to_date(14, "completed"))
        check_values(browser, live)
        check_painted(browser)
        expect(not browser.complaints, f"no complaint of the page, found {browser.complaints}")
        if pictures:
            browser.picture(pictures / "resumed.png")

        # The server goes and comes back at the same port.
        port = server.address.rstrip("/").rsplit(":", 1)[1]
        server.stop()
        browser.wait_for(f"{DATASET}.connected === 'false'")
        with Server(runs, "--port", port) as again:
            browser.wait_for(f"{DATASET}.connected === 'true'")
            resume(live, 15)
            browser.wait_for(up_to_date(15, "completed"))
            check_values(browser, live)
            shutil.rmtree(live)
            browser.wait_for(f"{DATASET}.state === 'vanished' && document.querySelector('.live').textContent.includes('expected a run directory')")

            make_run(runs / "seed=10", 3, 10)
            make_run(runs / "seed=2", 3, 2)
            (runs / "seed=2/metrics.jsonl").write_text("{oh\n")
            browser.complaints.clear()
            browser.open(again.address)
            browser.wait_for(f"{DATASET}.runs === '3' && document.body.innerText.includes('metrics.jsonl:1: expected')")
            names = browser.evaluate("[...document.querySelectorAll('td a')].map((link) => link.textContent)")
            expect(names == ["live", "seed=2", "seed=10"], f"the runs by name, found {names}")
            if pictures:
                browser.picture(pictures / "list.png")
            browser.evaluate("[...document.querySelectorAll('td a')].at(-1).click()")
            browser.wait_for(up_to_date(3, "completed"))
            expect(not browser.complaints, f"no complaint of the page, found {browser.complaints}")
            again.stop(signal.SIGINT)

    with Server(runs / "seed=10", "--token", "0123456789abcdef") as server, Browser(width=390, height=800, dark=True) as browser:
        browser.open(server.address + "?token=0123456789abcdef")
        browser.wait_for(up_to_date(3, "completed"))
        check_values(browser, runs / "seed=10")
        check_painted(browser)
        if pictures:
            browser.picture(pictures / "phone.png")
        browser.open(server.address)
        browser.wait_for("document.body.innerText.includes('expected the server')")
        server.stop(signal.SIGHUP)


def main():
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # which nohup has servers ignore
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", type=Path, help="folder for screenshots")
    arguments = parser.parse_args()
    if arguments.pictures:
        arguments.pictures.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        check(Path(scratch), arguments.pictures)
    print("check_serve: the page followed its runs")
    return 0


if __name__ == "__main__":
    sys.exit(main())
