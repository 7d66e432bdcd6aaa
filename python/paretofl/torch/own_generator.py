"""Random numbers of PyTorch from a generator of one's own instead of the one that the process shares."""

import torch
from torch import Tensor
from torch.nn import functional
from torch.overrides import TorchFunctionMode


class OwnGenerator(TorchFunctionMode):
    """While active, in this thread: PyTorch's random functions draw from `generator` where they were given none. They have the bits that
    the shared generator would give from the same state. Functions that take no generator, such as attention with dropout, are left
    alone and draw from the shared one.
    """

    def __init__(self, generator):
        super().__init__()
        self.generator = generator

    def __torch_function__(self, function, types, arguments=(), options=None):
        options = options or {}
        if function in _TAKES_GENERATOR:
            if options.get("generator") is None:
                options = {**options, "generator": self.generator}
        elif function in _REPLACED:
            return _REPLACED[function](function, self.generator, *arguments, **options)
        return function(*arguments, **options)


def _dropout(function, generator, input, p=0.5, training=True, inplace=False):
    return _scaled(function, generator, input, p, training, inplace, input.shape)


def _torch_dropout(function, generator, input, p, train):
    return _scaled(lambda input, p, train, _: function(input, p, train), generator, input, p, train, False, input.shape)


def _channel_dropout(function, generator, input, p=0.5, training=True, inplace=False):
    if input.dim() < 2:
        return function(input, p, training, inplace)
    return _scaled(function, generator, input, p, training, inplace, input.shape[:2] + (1,) * (input.dim() - 2))


def _scaled(function, generator, input, p, training, inplace, shape):
    """The input times a mask of this shape, which is 0 with probability p and 1 / (1 - p) otherwise."""
    if not training or not 0 < p < 1 or input.numel() == 0:  # without random numbers, or an error
        return function(input, p, training, inplace)
    mask = input.new_empty(shape).bernoulli_(1 - p, generator=generator).div_(1 - p)
    return input.mul_(mask) if inplace else input * mask


def _rand_like(function, generator, input, requires_grad=False, **options):
    return torch.empty_like(input, **options).uniform_(generator=generator).requires_grad_(requires_grad)


def _randn_like(function, generator, input, requires_grad=False, **options):
    return torch.empty_like(input, **options).normal_(generator=generator).requires_grad_(requires_grad)


def _randint_like(function, generator, input, *bounds, low=0, high=None, requires_grad=False, **options):
    if len(bounds) == 2:
        low, high = bounds
    elif bounds:
        low, high = (low, bounds[0]) if high is None else (bounds[0], high)
    return torch.empty_like(input, **options).random_(low, high, generator=generator).requires_grad_(requires_grad)


_TAKES_GENERATOR = {
    torch.bernoulli, torch.multinomial, torch.normal, torch.poisson, torch.rand, torch.randint, torch.randn, torch.randperm,
    Tensor.bernoulli, Tensor.bernoulli_, Tensor.cauchy_, Tensor.exponential_, Tensor.geometric_, Tensor.log_normal_, Tensor.multinomial,
    Tensor.normal_, Tensor.random_, Tensor.uniform_,
}
_REPLACED = {
    functional.dropout: _dropout, torch.dropout: _torch_dropout, functional.dropout2d: _channel_dropout, functional.dropout3d: _channel_dropout,
    torch.rand_like: _rand_like, torch.randn_like: _randn_like, torch.randint_like: _randint_like,
}
