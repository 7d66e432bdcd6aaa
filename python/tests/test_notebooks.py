"""The notebooks of examples/notebooks: every cell runs, and none is stored with what it printed."""

from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed (pip install nbclient ipykernel)")
nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed (pip install nbclient ipykernel)")
pytest.importorskip("ipykernel", reason="ipykernel is not installed (pip install nbclient ipykernel)")
NOTEBOOKS = sorted((Path(__file__).parents[2] / "examples" / "notebooks").glob("*.ipynb"))
NEEDS = {"quickstart": ["matplotlib"], "my_model": ["torch", "matplotlib"], "my_environment": ["gymnasium", "matplotlib"]}


def test_there_are_notebooks_and_it_is_known_what_they_need():
    assert {notebook.stem for notebook in NOTEBOOKS} == set(NEEDS)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_cell_runs_and_shows_a_figure(path, tmp_path):
    for package in NEEDS[path.stem]:
        pytest.importorskip(package)
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    nbclient.NotebookClient(notebook, timeout=None, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert any("image/svg+xml" in output.get("data", {}) for output in shown)
    assert not [output for output in shown if output.output_type == "error"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_no_output_is_stored(path):
    for cell in nbformat.read(path, as_version=4).cells:
        assert cell.cell_type != "code" or (cell.outputs == [] and cell.execution_count is None)
