"""How far a run or a sweep is, shown in a notebook."""

import html
import sys
import time

from paretofl.callbacks.callback import Callback


def in_notebook():
    """Whether this is the kernel of a notebook, whose cells can show more than text."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    return shell is not None and hasattr(shell, "kernel")


class NotebookBar:
    """A bar below the cell: steps that are done, their speed and the time left; drawn again at most four times a second."""

    def __init__(self, label, done, total):
        from IPython.display import HTML, display

        self._html = HTML
        self._label, self._total = label, total
        self._began, self._shown, self._first, self._done = time.monotonic(), 0.0, done, done
        self._handle = display(HTML(self._text()), display_id=True)

    def update(self, done, note=""):
        self._done = done
        if done == self._total or time.monotonic() - self._shown >= 0.25:
            self.show(note)

    def show(self, note=""):
        self._shown = time.monotonic()
        self._handle.update(self._html(self._text() + (f", {html.escape(note)}" if note else "")))

    def _text(self):
        seconds = time.monotonic() - self._began
        speed = (self._done - self._first) / seconds if seconds > 0 else 0.0
        left = f", {(self._total - self._done) / speed:.0f} s left" if speed > 0 and self._done < self._total else ""
        return (f'{html.escape(self._label)} <progress value="{self._done}" max="{self._total}"></progress> '
                f"{self._done}/{self._total} rounds, {speed:.1f} rounds/s{left}")


class NotebookProgress(Callback):
    """The bar of a run."""

    def on_start(self, run):
        self._bar = NotebookBar(run.config["strategy"]["name"], len(run.metrics), run.config["rounds"])

    def on_round(self, row):
        self._bar.update(row["round"])

    def on_end(self, run, error):
        self._bar.show("" if error is None else type(error).__name__)


class NotebookSweepProgress:
    """The bar of a sweep: the rounds of all its runs, and how many runs are done."""

    def on_plan(self, runs, done, rounds):
        self._runs, self._ended, self._failed = runs, done, 0
        self._rounds = {}
        self._bar = NotebookBar("sweep", 0, rounds)

    def on_round(self, name, rounds):
        self._rounds[name] = rounds
        self._bar.update(sum(self._rounds.values()), self._note())

    def on_end(self, name, failure, stopped):
        self._failed += bool(failure)
        self._ended += not failure and not stopped
        self._bar.show(self._note())

    def _note(self):
        return f"{self._ended} of {self._runs} runs" + (f", {self._failed} failed" if self._failed else "")
