"""Max-pooling on the CPU by the engine, which is faster than PyTorch's and has the same bits."""

import torch
from torch.nn import functional
from torch.overrides import TorchFunctionMode

from paretofl import _engine
from paretofl.torch.tracing import is_compiling, is_transformed


class EnginePooling(TorchFunctionMode):
    """While active, in this thread: the engine pools images by windows of 2 x 2 with stride 2, the usual ones. Everything else that PyTorch
    can pool is left to it. `used` says whether there was anything to pool in this way."""

    def __init__(self):
        super().__init__()
        self.used = False

    def __torch_function__(self, function, types, arguments=(), options=None):
        if function in _POOLING and not is_compiling() and _is_by_two(*arguments, **(options or {})):
            images = arguments[0] if arguments else options["input"]
            if _engine_takes(images):
                self.used = True
                return _MaxPool.apply(images)
        return function(*arguments, **(options or {}))


class _MaxPool(torch.autograd.Function):
    """The engine's pooling, with the gradient of PyTorch's, which can be differentiated again."""

    @staticmethod
    def forward(context, images):
        shape = (*images.shape[:2], images.shape[2] // 2, images.shape[3] // 2)
        memory_format = torch.contiguous_format if images.is_contiguous() else torch.channels_last
        pooled = torch.empty(shape, memory_format=memory_format)
        indices = torch.empty(shape, dtype=torch.int64, memory_format=memory_format)
        _engine.max_pool_by_two(*(_by_channels(tensor.detach()) for tensor in (images, pooled, indices)))
        context.save_for_backward(images, indices)
        return pooled

    @staticmethod
    def backward(context, gradient):
        images, indices = context.saved_tensors
        return torch.ops.aten.max_pool2d_with_indices_backward(gradient, images, [2, 2], [2, 2], [0, 0], [1, 1], False, indices)


def _by_channels(tensor):
    """The memory of a tensor as an array [count, height, width, channels]."""
    images = tensor.flatten(0, 1).unsqueeze(-1) if tensor.is_contiguous() else tensor.permute(0, 2, 3, 1)
    return images.numpy()


def _is_by_two(input=None, kernel_size=None, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    return (_pair(kernel_size) == (2, 2) and (stride is None or len(_sizes(stride)) == 0 or _pair(stride) == (2, 2)) and _pair(padding) == (0, 0)
            and _pair(dilation) == (1, 1) and not ceil_mode and not return_indices)


def _sizes(size):
    return size if isinstance(size, (tuple, list)) else (size,)


def _pair(size):
    sizes = tuple(_sizes(size))
    return sizes * 2 if len(sizes) == 1 else sizes


def _engine_takes(images):
    """Whether these are float32 numbers of the CPU, in one of the two memory formats, and not something that PyTorch traces, maps or
    differentiates in another way."""
    return (type(images) is torch.Tensor and not is_transformed(images) and images.device.type == "cpu" and images.dtype == torch.float32
            and images.layout == torch.strided and images.dim() == 4 and 0 < images.numel() < 2**31 and min(images.shape[2:]) >= 2
            and images.is_contiguous() != images.is_contiguous(memory_format=torch.channels_last))


_POOLING = {functional.max_pool2d, torch.max_pool2d}
