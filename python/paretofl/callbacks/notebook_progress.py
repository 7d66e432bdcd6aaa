"""How far a run is, shown in a notebook."""

import html
import sys
import time

from paretofl.callbacks.callback import Callback


def in_notebook():
    """Whether this is the kernel of a notebook, whose cells can show more than text."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    return shell is not None and hasattr(shell, "kernel")


class NotebookProgress(Callback):
    """A bar below the cell: rounds, their speed and the time left; drawn again at most four times a second."""

    def on_start(self, run):
        from IPython.display import HTML, display

        self._html = HTML
        self._name, self._total = run.config["strategy"]["name"], run.config["rounds"]
        self._began, self._shown, self._first, self._done = time.monotonic(), 0.0, len(run.metrics), len(run.metrics)
        self._handle = display(HTML(self._bar()), display_id=True)

    def on_round(self, row):
        self._done = row["round"]
        if self._done == self._total or time.monotonic() - self._shown >= 0.25:
            self._shown = time.monotonic()
            self._handle.update(self._html(self._bar()))

    def on_end(self, run, error):
        self._handle.update(self._html(self._bar() + ("" if error is None else f" {html.escape(type(error).__name__)}")))

    def _bar(self):
        seconds = time.monotonic() - self._began
        speed = (self._done - self._first) / seconds if seconds > 0 else 0.0
        left = f", {(self._total - self._done) / speed:.0f} s left" if speed > 0 and self._done < self._total else ""
        return (f'{html.escape(self._name)} <progress value="{self._done}" max="{self._total}"></progress> '
                f"{self._done}/{self._total} rounds, {speed:.1f} rounds/s{left}")
