"""Gradients of the weights of nn.functional.linear, computed where the engine wants them instead of in a tensor that is then added there."""

import torch
from torch.nn import functional
from torch.overrides import TorchFunctionMode

from paretofl.torch.tracing import is_compiling, is_transformed

FEWEST_SIDE, FEWEST_ENTRIES = 64, 1 << 20  # of a weight that is more than what the processor's caches keep


class GradientPlace:
    """Where the gradient of one weight [outputs, inputs] belongs, for the backward passes of one step after another."""

    def __init__(self, weight):
        self._weight = weight
        self._part = None
        self.used = False  # whether this step has computed with the weight in such a way that a backward pass can use the place
        self.missed = False  # whether a gradient has come from elsewhere, or with a graph of its own

    def begin_step(self):
        self._part, self.used = None, False

    def offer(self, part):
        """For one backward pass: its memory, a view of the shape of the weight, which may hold anything."""
        self._part = part
        self._weight.grad = None

    def take(self):
        """The memory for the first gradient of a backward pass; None for others, which PyTorch adds to it in a tensor of their own."""
        part, self._part = self._part, None
        return None if has_hooks(self._weight) else part

    def finish(self, part):
        """After the backward pass: the gradient is in the memory, wherever PyTorch had it."""
        self._part = None
        gradient = self._weight.grad
        if gradient is None:
            part.zero_()
        elif gradient.data_ptr() != part.data_ptr():
            part.zero_().add_(gradient)
            self.missed = True


class WeightGradients(TorchFunctionMode):
    """While active, in this thread: nn.functional.linear by one of the weights, {id of the weight: its place}, computes as PyTorch does, and
    its backward pass writes the gradient of the weight to its place. Everything else is left to PyTorch."""

    def __init__(self, places):
        super().__init__()
        self._places = places

    def __torch_function__(self, function, types, arguments=(), options=None):
        if function is functional.linear and not is_compiling():
            inputs, weight, bias = _of_linear(*arguments, **(options or {}))
            place = self._places.get(id(weight))
            if place is not None and _can_be_written_to(inputs, weight, bias):
                place.used = True
                return _Linear.apply(inputs, weight, bias, place)
        return function(*arguments, **(options or {}))


class _Linear(torch.autograd.Function):
    """PyTorch's linear function and its gradients, by the same operations."""

    @staticmethod
    def forward(context, inputs, weight, bias, place):
        context.save_for_backward(inputs, weight)
        context.place = place
        return functional.linear(inputs, weight, bias)

    @staticmethod
    def backward(context, gradient):
        inputs, weight = context.saved_tensors
        gradient, rows = gradient.reshape(-1, weight.shape[0]), inputs.reshape(-1, weight.shape[1])
        needed, of_inputs, of_weight = context.needs_input_grad, None, None
        if needed[0]:
            of_inputs = gradient.mm(weight).view(inputs.shape)
        if torch.is_grad_enabled():  # a gradient that is to be differentiated again
            context.place.missed = True
        if needed[1]:
            part = None if torch.is_grad_enabled() else context.place.take()
            of_weight = gradient.t().mm(rows) if part is None else torch.mm(gradient.t(), rows, out=part)
        return of_inputs, of_weight, gradient if needed[2] else None, None  # PyTorch sums that of the bias over the rows


def can_have_place(parameter):
    """Whether a parameter of the CPU is a matrix of such a size that its gradient in place saves time and has the bits that it has
    elsewhere: those of products with a small side depend on where a matrix begins in memory."""
    return parameter.dim() == 2 and min(parameter.shape) >= FEWEST_SIDE and parameter.numel() >= FEWEST_ENTRIES


def has_hooks(parameter):
    """Whether functions of the user's get the gradient of the parameter, and might keep it."""
    return bool(parameter._backward_hooks or getattr(parameter, "_post_accumulate_grad_hooks", None))  # the second since PyTorch 2.1


def _of_linear(input=None, weight=None, bias=None, *_, **__):
    return input, weight, bias  # wrong arguments are left to PyTorch's error


def _can_be_written_to(inputs, weight, bias):
    """Whether PyTorch would multiply plain float32 matrices of at least two rows here and now. The product of one row has zeros below zero,
    which the sum with the zeros of a gradient's memory has not."""
    return (torch.is_grad_enabled() and weight.requires_grad and not has_hooks(weight) and type(inputs) is torch.Tensor and not is_transformed(inputs)
            and inputs.device.type == "cpu" and inputs.dtype == torch.float32 and inputs.layout == torch.strided and inputs.is_contiguous()
            and (inputs.dim() in (2, 3) or inputs.dim() > 3 and bias is None) and inputs.shape[-1] == weight.shape[1]
            and inputs.numel() >= 2 * inputs.shape[-1] and _is_bias(bias, weight) and not _is_autocast() and not _has_saved_tensors_hooks())


def _is_bias(bias, weight):
    return bias is None or (type(bias) in (torch.Tensor, torch.nn.Parameter) and not is_transformed(bias) and bias.dtype == torch.float32
                            and bias.device.type == "cpu" and bias.shape == weight.shape[:1])


def _has_saved_tensors_hooks():
    """Whether something else keeps the tensors for the backward pass, as activation checkpointing does, which has to find the same ones when it
    computes them again."""
    try:
        with torch.autograd.graph.disable_saved_tensors_hooks("none are expected here"):  # an error where there are any
            return False
    except RuntimeError:
        return True


def _is_autocast():
    return torch.is_autocast_enabled("cpu") if hasattr(torch, "get_autocast_dtype") else torch.is_autocast_cpu_enabled()  # since PyTorch 2.4
