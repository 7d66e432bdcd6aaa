"""What losses and metrics of the user's return."""

import contextlib
import copy
from collections.abc import Mapping

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
    """A metric's figures as numbers. Error unless there is one per objective, in order."""
    try:
        numbers = [number_of(value) for value in (None if isinstance(values, (str, bytes, set, frozenset)) else values)]
    except (TypeError, ValueError, RuntimeError):  # of lists, NumPy and PyTorch
        raise Error(f"metrics: expected {objectives} numbers of {name}, one per objective, found {short(values)}") from None
    if len(numbers) != objectives:
        raise Error(f"metrics: expected {objectives} numbers of {name}, one per objective, found {len(numbers)}")
    return numbers


def detached(batch):
    """A batch or outputs with the tensors without their graph, so that metrics can make arrays of them."""
    if torch.is_tensor(batch):
        return batch.detach()
    if isinstance(batch, dict):
        other = copy.copy(batch)
        for key, part in batch.items():
            other[key] = detached(part)
        return other
    if isinstance(batch, (tuple, list)):
        parts = [detached(part) for part in batch]
        return type(batch)(*parts) if hasattr(batch, "_fields") else type(batch)(parts)  # a namedtuple takes one by one
    return batch


@contextlib.contextmanager
def naming(objective):
    """Lets an exception of the user's loss say whose it is, for the message of `errors_of`."""
    try:
        yield
    except Exception as problem:
        problem._objective = objective
        raise


def evaluated(objective, loss, outputs, batch):
    """The number that the loss of an objective returns."""
    with naming(objective):
        return number_of(loss(outputs, batch))


@contextlib.contextmanager
def expecting_unchanged(name, outputs, batch):
    """Error where a loss writes into the outputs or the batch, which the other losses get too."""
    before = versions(outputs), versions(batch)
    with naming(name):
        yield
    for what, tensors, kept in (("outputs", outputs, before[0]), ("batch", batch, before[1])):
        if versions(tensors) != kept:
            raise Error(f"objectives: expected a loss of {name} that leaves the {what} as they are for the other losses, found that it writes into them; "
                        "a copy of a tensor, such as by `clone()`, can be written into")


def versions(batch):
    """How often each tensor of a batch or of outputs has been written into."""
    if torch.is_tensor(batch):
        return [] if batch.is_inference() else [batch._version]
    parts = batch.values() if isinstance(batch, Mapping) else batch if isinstance(batch, (tuple, list)) else ()
    return [version for part in parts for version in versions(part)]


def number_of(loss):
    """A loss as a number."""
    return float(loss.detach() if torch.is_tensor(loss) else loss)


def values(losses):
    """The losses as numbers, 0 for those that are None."""
    return [0.0 if loss is None else number_of(loss) for loss in losses]
