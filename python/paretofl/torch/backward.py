"""One backward pass for several losses whose gradients conflict."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch

from paretofl import _engine, solvers
from paretofl._engine import Error
from paretofl.annotations import ArrayLike


def backward(losses: Iterable[torch.Tensor], shared: Iterable[torch.nn.Parameter], solver: str = "upgrad",
             preference: ArrayLike | None = None, **options: Any) -> torch.Tensor:
    """Adds the gradient of sum_k lambda_k f_k to `.grad` of the shared parameters, with lambda by a solver of `paretofl.solvers`.

    It replaces one line of an ordinary training loop: `optimizer.zero_grad()`, `paretofl.torch.backward([f1, f2], model.parameters())`,
    `optimizer.step()`. The graph is freed, as by PyTorch's backward.

    losses: M scalar tensors of one graph.
    shared: the parameters whose gradients conflict, each counted once. Every other parameter that a loss depends on, such as those of an objective's head, gets
        the sum of the losses' own gradients.
    solver: the name of a solver. Further keywords are its options.
    preference: [M], positive numbers of any scale, for solvers that need it.

    Returns lambda [M], a float64 tensor on the CPU, whose absolute values sum to 1. Error on losses that need no gradient or are not finite,
    if none of them depends on the shared parameters, and on unknown options.
    """
    losses = list(losses)
    parameters: list[torch.Tensor] = _shared(shared)
    combined: Any
    if not losses or not parameters:
        raise Error(f"backward: expected losses and shared parameters that need gradients, found {len(losses)} and {len(parameters)}")
    for k, loss in enumerate(losses):
        if not torch.is_tensor(loss) or loss.numel() != 1 or not loss.requires_grad:
            raise Error(f"backward: expected scalar tensors that need a gradient, found {_kind(loss)} at {k}")
        if not torch.isfinite(loss):
            raise Error(f"backward: expected finite losses, found {loss.item()} at {k}")
    before = [parameter.grad for parameter in parameters]
    rows = []
    try:
        for k, loss in enumerate(losses):
            for parameter in parameters:
                parameter.grad = None
            loss.backward(retain_graph=k + 1 < len(losses))
            rows.append([parameter.grad for parameter in parameters])
    finally:
        for parameter, gradient in zip(parameters, before):
            parameter.grad = gradient
    if all(gradient is None for row in rows for gradient in row):
        raise Error("backward: expected losses that depend on the shared parameters, found none that does")
    jacobian = torch.stack([_flat(row, parameters) for row in rows])  # [M, d]
    jacobian = jacobian if jacobian.dtype == torch.float64 else jacobian.float()
    weights = solvers.solve(solver, gramian(jacobian), losses=[float(loss.detach()) for loss in losses], preference=preference, **options)
    combined = torch.from_numpy(weights).to(jacobian) @ jacobian
    for parameter, part, gradients in zip(parameters, combined.split([parameter.numel() for parameter in parameters]), zip(*rows)):
        if all(gradient is None for gradient in gradients):
            continue
        part = part.view_as(parameter).to(parameter.dtype)
        held = parameter.grad
        parameter.grad = part if held is None else part.add_(held) if held.is_sparse else held.add_(part)
    return torch.from_numpy(weights)


def gramian(jacobian):
    """Inner products [M, M], float64, of the rows of a matrix [M, d]."""
    jacobian = jacobian.detach()
    if jacobian.device.type == "cpu" and jacobian.dtype == torch.float32:
        return _engine.gramian(jacobian.numpy())
    return (jacobian.double() @ jacobian.double().T).cpu().numpy()


def _shared(parameters):
    """The parameters that need gradients, each once. Error on what a backward pass leaves without `.grad`."""
    if torch.is_tensor(parameters) or not isinstance(parameters, Iterable):
        hint = "; its method `parameters` lists them" if isinstance(parameters, torch.nn.Module) else ""
        raise Error(f"backward: expected a list of shared parameters, found {'a tensor' if torch.is_tensor(parameters) else type(parameters).__name__}{hint}")
    needed = {}
    for parameter in parameters:
        if not torch.is_tensor(parameter):
            raise Error(f"backward: expected shared parameters, found {type(parameter).__name__}")
        if not parameter.is_leaf:
            raise Error(f"backward: expected shared parameters, found a tensor of shape {list(parameter.shape)} that was computed from others")
        if parameter.requires_grad and parameter.is_complex():
            raise Error(f"backward: expected real parameters, found {parameter.dtype} of shape {list(parameter.shape)}")
        if parameter.requires_grad:
            needed[id(parameter)] = parameter
    return list(needed.values())


def _flat(gradients, parameters):
    """One loss's gradients as a vector [d], zero where it has none."""
    return torch.cat([parameter.new_zeros(parameter.numel()) if gradient is None else _dense(gradient).reshape(-1)
                      for gradient, parameter in zip(gradients, parameters)])


def _dense(gradient):
    """A gradient without its graph, as a dense tensor, also that of an embedding with sparse=True."""
    return gradient.detach().to_dense() if gradient.is_sparse else gradient.detach()


def _kind(loss):
    if not torch.is_tensor(loss):
        return type(loss).__name__
    return f"shape {list(loss.shape)}" if loss.numel() != 1 else "one without a graph"
