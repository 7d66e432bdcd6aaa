"""One backward pass for several losses whose gradients conflict."""

import torch

from paretofl import solvers
from paretofl._engine import Error


def backward(losses, shared, solver="upgrad", preference=None, **options):
    """Adds the gradient of sum_k lambda_k f_k to `.grad` of the shared parameters, with lambda by a solver of `paretofl.solvers`.

    Three lines of an ordinary loop: `optimizer.zero_grad()`, `paretofl.torch.backward([f1, f2], model.parameters())`, `optimizer.step()`.

    losses: M scalar tensors of one graph. shared: the parameters whose gradients conflict; every other parameter that a loss reaches, such
    as an objective's head, gets the sum of the losses' own gradients. Returns lambda [M], a float64 tensor on the CPU, whose absolute
    values sum to 1. Error on losses that need no gradient or are not finite. The graph is freed, as by torch's backward.
    """
    losses = list(losses)
    shared = [parameter for parameter in shared if parameter.requires_grad]
    if not losses or not shared:
        raise Error(f"backward: expected losses and shared parameters that need gradients, found {len(losses)} and {len(shared)}")
    for k, loss in enumerate(losses):
        if not torch.is_tensor(loss) or loss.numel() != 1 or not loss.requires_grad:
            raise Error(f"backward: expected scalar tensors that need a gradient, found {_kind(loss)} at {k}")
        if not torch.isfinite(loss):
            raise Error(f"backward: expected finite losses, found {loss.item()} at {k}")
    before = [parameter.grad for parameter in shared]
    rows = []
    try:
        for k, loss in enumerate(losses):
            for parameter in shared:
                parameter.grad = None
            loss.backward(retain_graph=k + 1 < len(losses))
            rows.append([parameter.grad for parameter in shared])
        weights = solvers.solve(solver, gramian(rows), losses=[float(loss) for loss in losses], preference=preference, **options)
    finally:
        for parameter, gradient in zip(shared, before):
            parameter.grad = gradient
    for weight, row in zip(weights.tolist(), rows):
        for parameter, gradient in zip(shared, row):
            if gradient is None:
                continue
            if parameter.grad is None:
                parameter.grad = gradient * weight
            else:
                parameter.grad.add_(gradient, alpha=weight)
    return torch.from_numpy(weights)


def gramian(rows):
    """Inner products [M, M], float64, of M lists of gradients by parameter, where None is zero."""
    products = torch.zeros(len(rows), len(rows), dtype=torch.float64)
    for column in zip(*rows):
        present = [k for k, gradient in enumerate(column) if gradient is not None]
        if not present:
            continue
        flat = torch.stack([column[k].detach().reshape(-1) for k in present]).double()
        part = (flat @ flat.T).cpu()
        for i, k in enumerate(present):
            products[k, present] += part[i]
    return products.numpy()


def _kind(loss):
    if not torch.is_tensor(loss):
        return type(loss).__name__
    return f"shape {list(loss.shape)}" if loss.numel() != 1 else "one without a graph"
