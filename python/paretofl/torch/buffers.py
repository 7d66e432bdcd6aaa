"""Buffers that a module changes while it trains, such as the statistics of batch normalization."""

import contextlib

import torch
from torch.nn.modules.batchnorm import _BatchNorm

from paretofl._engine import Error

POLICIES = ("refuse", "average", "local")


class Buffers:
    """What the buffers of a module are at any theta. They are no state: a step begins with those that the module came with, and for
    evaluation they are measured anew, by passes in training mode over the clients' data. Batch normalization takes the mean over these
    passes ("precise" statistics, Wu and Johnson 2021, arXiv 2105.07576, section 3).
    """

    PASSES = 20  # minibatches of a client's data, at most

    def __init__(self, policy, model):
        if policy not in POLICIES:
            raise Error(f"buffers: expected one of {', '.join(POLICIES)}, found {policy!r}")
        self.policy = policy
        self._initial = {name: buffer.detach().clone() for name, buffer in model.named_buffers()}

    def reset(self, module):
        """The buffers that the module came with."""
        if self.policy != "refuse":
            self.load(module, self._initial)

    def expect_unchanged(self, module):
        """Error where a step has changed a buffer and nobody has chosen what that means."""
        changed = [name for name, buffer in module.named_buffers() if not equal(buffer.cpu(), self._initial[name].cpu())]
        if self.policy == "refuse" and changed:
            raise Error("model: expected buffers that training leaves as they are, or buffers=\"average\" or \"local\", found that it changes "
                        + ", ".join(changed[:4]) + (f" and {len(changed) - 4} more" if len(changed) > 4 else ""))

    def measured(self, module, passes):
        """The buffers after these passes, each a function that calls the module in training mode."""
        self.reset(module)
        with torch.no_grad(), cumulative(module):
            for one in passes:
                one()
        return {name: buffer.detach().clone() for name, buffer in module.named_buffers()}

    @staticmethod
    def load(module, values):
        for name, buffer in module.named_buffers():
            buffer.copy_(values[name])

    @staticmethod
    def mean(states, weights):
        """The weighted mean of every floating-point buffer, computed in float64; of other buffers the first client's."""
        total = sum(weights)
        averaged = {}
        for name, first in states[0].items():
            if first.is_floating_point():
                averaged[name] = (sum(weight * state[name].double() for weight, state in zip(weights, states)) / total).to(first.dtype)
            else:
                averaged[name] = first
        return averaged


def equal(one, other):
    """Whether two tensors hold the same, where NaN is NaN."""
    if torch.equal(one, other):
        return True
    return one.is_floating_point() and one.shape == other.shape and torch.allclose(one, other, rtol=0, atol=0, equal_nan=True)


@contextlib.contextmanager
def cumulative(module):
    """Batch normalization takes the mean over all passes, and not a moving one."""
    layers = [layer for layer in module.modules() if isinstance(layer, _BatchNorm)]
    momenta = [layer.momentum for layer in layers]
    try:
        for layer in layers:
            layer.momentum = None
        yield
    finally:
        for layer, momentum in zip(layers, momenta):
            layer.momentum = momentum
