"""What the first minibatch of a problem shows."""

import contextlib
import warnings

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
        objective = getattr(problem, "_objective", None)
        where = "" if objective is None else f" in the loss of {objective}"
        raise Error(f"{name}: expected {expected}, found {type(problem).__name__}{where}: {problem}") from problem


def check_leaves(model, parameters, losses):
    """Error if one of the losses, pairs (objective, loss or None), depends on parameters of the user's own module, which steps leave as they
    are: they train copies. Returns the other leaves that are none of the copy's parameters, pairs (objective, leaf)."""
    own, known = {id(parameter): name for name, parameter in model.named_parameters() if parameter.requires_grad}, set(map(id, parameters))
    leaves = [(objective, leaf) for objective, loss in losses if loss is not None for leaf in leaves_of(loss)]
    for objective, leaf in leaves:
        if id(leaf) in own:
            raise Error(f"objectives: expected a loss of {objective} that depends on the module that `forward` is given, which is a copy, "
                        f"found one that depends on {own[id(leaf)]} of the model itself; `forward` can return parameters beside the outputs")
    return [(objective, leaf) for objective, leaf in leaves if id(leaf) not in known]


def warn_of_untrained(steps):
    """Warns of trainable tensors outside of the module, such as learned weights of the losses: of the leaves of two steps, as check_leaves returns
    them, those that are parameters or the same in both, unlike inputs of a gradient penalty."""
    for objective, leaf in steps[-1] if steps else []:
        if isinstance(leaf, torch.nn.Parameter) or any(leaf is other for _, other in steps[0] if len(steps) > 1):
            warnings.warn(f"objectives: the loss of {objective} depends on a trainable tensor of shape {list(leaf.shape)} that is no parameter of the "
                          "model, and that nothing trains; as a parameter of the module it is trained, and `forward` can return it beside the outputs; "
                          "requires_grad_(False) says that it shall stay as it is", stacklevel=4)
            return


def written_into(name):
    """The message of an Error about a module that writes into the parameter of this name."""
    return (f"model: expected a module that leaves its parameters as they are, found that it writes into {name}, as with the max_norm of an embedding or "
            "clipped weights; steps are the engine's, so a module may use a changed copy of its weights, but keep none")


@contextlib.contextmanager
def expecting_unwritten(theta, names, sizes):
    """Error if theta [d], whose parts of these sizes are the parameters of these names, has other bits afterwards, which it gets back."""
    before, changed = theta.copy(), []
    try:
        yield
    finally:
        if not np.array_equal(before.view(np.int32), theta.view(np.int32)):
            changed = np.flatnonzero(before.view(np.int32) != theta.view(np.int32))
            torch.from_numpy(theta).copy_(torch.from_numpy(before))
    if len(changed) > 0:
        raise Error(written_into(names[int(np.searchsorted(np.cumsum(sizes), changed[0], side="right"))]))


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
