"""What the first minibatch of a problem shows."""

import contextlib

import numpy as np
import torch

from paretofl._engine import Error


class FirstSamples:
    """A draw of a client's first samples."""

    seed = 0

    @staticmethod
    def minibatch(num_samples, batch_size):
        return np.arange(min(num_samples, batch_size))


@contextlib.contextmanager
def errors_of(name, expected):
    """Makes an exception of the user's code on the data set of this name an Error."""
    try:
        yield
    except Error:
        raise
    except Exception as problem:
        raise Error(f"{name}: expected {expected}, found {type(problem).__name__}: {problem}") from problem


def check_leaves(model, losses):
    """Error if one of the losses, pairs (objective, loss or None), depends on parameters of the user's own module, which steps leave as they
    are: they train copies."""
    own = {id(parameter): name for name, parameter in model.named_parameters() if parameter.requires_grad}
    for objective, loss in losses:
        for leaf in leaves_of(loss) if loss is not None else []:
            if id(leaf) in own:
                raise Error(f"objectives: expected a loss of {objective} that depends on the module that `forward` is given, which is a copy, "
                            f"found one that depends on {own[id(leaf)]} of the model itself; `forward` can return parameters beside the outputs")


def check_reached(parameters, losses, gradient):
    """Error if nothing of these losses, pairs (objective, loss or None), reaches the parameters, nor the gradient of all shows that something does, as with
    activation checkpointing."""
    known = {id(parameter) for parameter in parameters}
    if not gradient.any() and not any(id(leaf) in known for _, loss in losses if loss is not None for leaf in leaves_of(loss)):
        raise Error("objectives: expected losses that depend on the parameters of the module that `forward` is given, found that they depend on other "
                    "tensors alone, such as copies of the parameters")


@contextlib.contextmanager
def expecting_no_gradients_of(model):
    """The same for losses whose graph does not show it, as with activation checkpointing: Error if the parameters of the user's own module get
    gradients, which are taken away again."""
    before = [(name, parameter, parameter.grad, getattr(parameter.grad, "_version", 0)) for name, parameter in model.named_parameters()]
    yield
    changed = [name for name, parameter, gradient, version in before if parameter.grad is not gradient or getattr(gradient, "_version", 0) != version]
    for _, parameter, gradient, _ in before:
        parameter.grad = gradient
    if changed:
        raise Error("objectives: expected losses that depend on the module that `forward` is given, which is a copy, found a gradient of "
                    f"{changed[0]} of the model itself")


def names_with_gradients(loss, parameters, retain_graph):
    """The names of those of the parameters, a dictionary by name, for which a loss has a gradient other than zero."""
    gradients = torch.autograd.grad(loss.sum(), list(parameters.values()), retain_graph=retain_graph, allow_unused=True)
    return [name for name, gradient in zip(parameters, gradients) if gradient is not None and bool(torch.any(gradient.to_dense() != 0))]


def leaves_of(tensor):
    """The leaves of a tensor's graph, such as parameters, each once."""
    nodes, seen, found = [tensor.grad_fn], {tensor.grad_fn}, {}
    while nodes:
        node = nodes.pop()
        leaf = getattr(node, "variable", None)  # of the nodes that accumulate gradients
        if leaf is not None:
            found[id(leaf)] = leaf
        for before, _ in getattr(node, "next_functions", ()):
            if before is not None and before not in seen:
                seen.add(before)
                nodes.append(before)
    return list(found.values())
