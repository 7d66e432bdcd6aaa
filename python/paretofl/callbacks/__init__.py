"""Callbacks that are told of a run during the run: the base class, and ready ones for MLflow, Weights & Biases and Optuna.

    paretofl.run(config, callbacks=[paretofl.callbacks.MLflow(experiment="digits"), lambda row: print(row["round"])])

A function of a round's row is a callback too.
"""

from paretofl.callbacks.callback import Callback, CallbackList
from paretofl.callbacks.mlflow import MLflow
from paretofl.callbacks.notebook_progress import NotebookProgress, NotebookSweepProgress, in_notebook
from paretofl.callbacks.optuna_pruning import OptunaPruning
from paretofl.callbacks.scalars import scalars
from paretofl.callbacks.sweep_callbacks import SweepCallbacks
from paretofl.callbacks.wandb import WandB

__all__ = ["Callback", "MLflow", "OptunaPruning", "WandB", "scalars"]
