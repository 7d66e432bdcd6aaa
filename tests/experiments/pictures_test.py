"""Every picture that a document shows has a script that makes it, in the one style of experiments/plotting.py; and the plots are what their
scripts draw from the tables in the repository. No picture is there that no document shows."""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHOWN = re.compile(r"!\[[^\]]*\]\(([^)\s]+)\)")
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")
IDENTIFIER = re.compile(r"\b[a-zA-Z][0-9a-f]{10}\b")  # matplotlib's, of what has this shape
DEBIAN = "3.6"  # the matplotlib of Debian 12; another one writes other files


def shown_pictures():
    """Every picture that a document shows, with the documents."""
    documents = [ROOT / "README.md", *ROOT.glob("docs/*.md"), *ROOT.glob("experiments/*/*.md")]
    pictures = {}
    for document in documents:
        for target in SHOWN.findall(document.read_text()):
            pictures.setdefault((document.parent / target).resolve(), []).append(document)
    return pictures


def makers(picture):
    """The scripts that name the picture's file as what they write."""
    if picture.parent.name == "results":
        saves = f'save(figure, RESULTS / "{picture.name}")'
        return [script for script in picture.parent.parent.glob("*_plot.py") if saves in script.read_text() and "from plotting import" in script.read_text()]
    name = f"picture=${{2:-{picture.relative_to(ROOT)}}}"
    return [script for script in ROOT.glob("scripts/*.sh") if name in script.read_text()]


def python_that_draws():
    for python in (sys.executable, "/usr/bin/python3"):
        found = subprocess.run([python, "-c", "import matplotlib; print(matplotlib.__version__)"], capture_output=True, text=True) if Path(python).exists() else None
        if found and found.stdout.startswith(DEBIAN):
            return python
    return None


class PicturesTest(unittest.TestCase):
    def test_every_picture_has_one_script_that_makes_it(self):
        pictures = shown_pictures()
        self.assertGreater(len(pictures), 5)
        for picture, documents in pictures.items():
            self.assertTrue(picture.is_file(), f"{documents[0]}: expected a picture, found no file {picture}")
            self.assertEqual(len(makers(picture)), 1, f"{documents[0]}: expected one script that makes {picture}, found {makers(picture)}")

    def test_every_picture_is_shown(self):
        there = {file.resolve() for kind in ("svg", "png") for file in [*ROOT.glob(f"docs/*.{kind}"), *ROOT.glob(f"experiments/*/results/*.{kind}")]}
        self.assertEqual(there - set(shown_pictures()), set())

    def test_plots_are_what_their_scripts_draw(self):
        python = python_that_draws()
        if python is None:
            self.skipTest(f"expected matplotlib {DEBIAN}, which Debian's python3-matplotlib is, found none")
        plots = [picture for picture in shown_pictures() if picture.parent.name == "results"]
        with tempfile.TemporaryDirectory() as folder:
            for plot in plots:
                (script,) = makers(plot)
                subprocess.run([python, "-B", str(script)], check=True, capture_output=True, env={**os.environ, "PARETOFL_PLOTS": folder})
                kept, drawn = (IDENTIFIER.sub("", file.read_text()) for file in (plot, Path(folder) / plot.name))
                told = f"expected {plot} to be what {script} draws, found another picture; experiments/plots.sh draws it again"
                # Another processor may round a place otherwise.
                self.assertTrue(NUMBER.sub("", kept) == NUMBER.sub("", drawn), told)
                for one, other in zip(NUMBER.findall(kept), NUMBER.findall(drawn), strict=True):
                    self.assertAlmostEqual(float(one), float(other), delta=0.01, msg=told)


if __name__ == "__main__":
    unittest.main()
