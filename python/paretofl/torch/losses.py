"""What losses and metrics of the user's return."""

import torch

from paretofl._engine import Error
from paretofl.arrays import short


def checked_loss(name, loss):
    """The loss of an objective. Error unless it is one finite number that depends on the model."""
    if not torch.is_tensor(loss) or loss.numel() != 1:
        found = f"a tensor of shape {list(loss.shape)}" if torch.is_tensor(loss) else type(loss).__name__
        raise Error(f"objectives: expected a scalar tensor of {name}, found {found}")
    if not loss.requires_grad:
        raise Error(f"objectives: expected a loss of {name} that depends on the model's parameters, found one without a gradient")
    if not torch.isfinite(loss.detach()):
        raise Error(f"objectives: expected a finite loss of {name}, found {loss.item()}")
    return loss


def checked_figures(name, values, objectives):
    """A metric's figures as numbers. Error unless there is one per objective."""
    try:
        values = [float(value) for value in values]
    except (TypeError, ValueError, RuntimeError):  # of lists, NumPy and PyTorch
        raise Error(f"metrics: expected {objectives} numbers of {name}, one per objective, found {short(values)}") from None
    if len(values) != objectives:
        raise Error(f"metrics: expected {objectives} numbers of {name}, one per objective, found {len(values)}")
    return values


def values(losses):
    """The losses as numbers, 0 for those that are None."""
    return [0.0 if loss is None else float(loss.detach()) for loss in losses]
