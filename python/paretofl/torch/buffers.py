"""Buffers that a module changes while it trains, such as the statistics of batch normalization."""

import contextlib

import torch
from torch.nn.modules.batchnorm import _BatchNorm, _NormBase

from paretofl._engine import Error

POLICIES = ("refuse", "average", "local")


class Buffers:
    """What the buffers of a module are at any theta. They are no state: a step begins with those that the module came with, and for
    evaluation they are measured anew, by passes in training mode over the clients' data. Batch and instance normalization take the mean over
    these passes alone ("precise" statistics, Wu and Johnson 2021, arXiv 2105.07576, section 3).
    """

    PASSES = 20  # minibatches of a client's data, at most

    def __init__(self, policy, model):
        if policy not in POLICIES:
            raise Error(f"buffers: expected one of {', '.join(POLICIES)}, found {policy!r}")
        for name, buffer in model.named_buffers():
            if buffer.is_meta or buffer.layout != torch.strided:
                raise Error(f"model: expected dense buffers with numbers, found {name} "
                            + ("on the device meta" if buffer.is_meta else f"of layout {buffer.layout}"))
        self.policy = policy
        self._initial = {name: buffer.detach().clone() for name, buffer in model.named_buffers()}

    def reset(self, module):
        """The buffers that the module came with."""
        if self.policy != "refuse":
            more = [name for name, _ in module.named_buffers() if name not in self._initial]
            if more:
                raise Error(f"model: expected a module that has its buffers from the beginning, found that a step makes {more[0]}")
            self.load(module, self._initial)

    def expect_unchanged(self, module):
        """Error with the message of change_in."""
        message = self.change_in(module)
        if message is not None:
            raise Error(message)

    def change_in(self, module):
        """The message of an Error where a step has changed buffers and nobody has chosen what that means; None where none has changed."""
        if self.policy != "refuse":
            return None
        found = dict(module.named_buffers())
        changed = [name for name in {**self._initial, **found}
                   if name not in found or name not in self._initial or not equal(found[name].cpu(), self._initial[name].cpu())]
        if not changed:
            return None
        return ("model: expected buffers that training leaves as they are, or buffers=\"average\" or \"local\", found that it changes "
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
        """Gives the buffers of these names their values."""
        for name, buffer in module.named_buffers():
            if name in values:
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
    """Layers with running statistics take the mean over all passes, and neither a moving one nor one with what they knew before. A layer that
    no pass calls in training mode keeps what it has."""
    layers = [layer for layer in module.modules() if isinstance(layer, _NormBase) and layer.training and layer.running_mean is not None]
    means = [CumulativeMean(layer) for layer in layers]
    try:
        yield
        for mean in means:
            mean.expect_measured()
    finally:
        for mean in means:
            mean.end()


class CumulativeMean:
    """One layer, from which on its running statistics are the mean over its calls. Batch normalization counts these by itself; other layers are
    given the momentum before each call."""

    def __init__(self, layer):
        self._layer, self._momentum = layer, layer.momentum
        self._before = [(buffer, buffer.clone()) for buffer in (layer.running_mean, layer.running_var, layer.num_batches_tracked) if buffer is not None]
        self._counts_itself = isinstance(layer, _BatchNorm) and layer.num_batches_tracked is not None
        layer.reset_running_stats()
        layer.momentum = None
        self._version, self._calls = layer.running_mean._version, 0
        self._hook = None if self._counts_itself else layer.register_forward_pre_hook(self._begin_call)

    def _begin_call(self, layer, _):
        if layer.training:
            self._calls += 1
            layer.momentum = 1.0 / self._calls

    def expect_measured(self):
        """Gives a layer without calls its statistics back. Error where PyTorch's compiled code has called it without its momentum."""
        if self._counts_itself:
            self._calls = int(self._layer.num_batches_tracked)
        if self._calls > 0:
            return
        if self._layer.running_mean._version != self._version:
            raise Error(f"model: expected running statistics of {type(self._layer).__name__} in a module without torch.compile, found them in compiled code")
        for buffer, value in self._before:
            buffer.copy_(value)

    def end(self):
        self._layer.momentum = self._momentum
        if self._hook is not None:
            self._hook.remove()
