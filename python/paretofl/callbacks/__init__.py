"""What is told of a run while it goes on: functions of your own, and ready ones for MLflow, Weights & Biases and Optuna.

    paretofl.run(config, callbacks=[paretofl.callbacks.MLflow(experiment="digits"), lambda row: print(row["round"])])
"""

from paretofl.callbacks.callback import Callback, CallbackList
from paretofl.callbacks.mlflow import MLflow
from paretofl.callbacks.notebook_progress import NotebookProgress, NotebookSweepProgress, in_notebook
from paretofl.callbacks.optuna_pruning import OptunaPruning
from paretofl.callbacks.scalars import scalars
from paretofl.callbacks.sweep_callbacks import SweepCallbacks
from paretofl.callbacks.wandb import WandB

__all__ = ["Callback", "MLflow", "OptunaPruning", "WandB", "scalars"]
