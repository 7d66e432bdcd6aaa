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


def check_gradients_of_heads(replica, names, heads, losses):
    """Error if another loss than its objective's depends on a parameter of a head. The names are theta's, and the heads the names by
    objective."""
    if not heads:
        return
    head_of = {name: objective for objective, parts in heads.items() for name in parts}
    parameters = [(name, parameter) for name, parameter in zip(names, replica.parameters) if name in head_of]
    for objective, loss in losses:
        if loss is None or not parameters:
            continue
        gradients = torch.autograd.grad(loss.sum(), [parameter for _, parameter in parameters], retain_graph=True, allow_unused=True)
        for (name, _), gradient in zip(parameters, gradients):
            if head_of[name] != objective and gradient is not None and bool(torch.any(gradient.to_dense() != 0)):
                raise Error(f"heads: expected parameters that {head_of[name]} alone depends on, found that {objective} depends on {name} too")


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
