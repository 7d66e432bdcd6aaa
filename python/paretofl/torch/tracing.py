"""Whether PyTorch only looks at code instead of running it, or runs it on other things than plain tensors."""

import torch

is_compiling = torch.compiler.is_compiling if hasattr(torch, "compiler") else lambda: False  # since PyTorch 2.1


def is_transformed(tensor):
    """Whether a function of torch.func, forward differentiation or torch.jit.trace computes with this tensor."""
    return (torch._C._functorch.is_functorch_wrapped_tensor(tensor) or torch.autograd.forward_ad._current_level >= 0
            or torch._C._get_tracing_state() is not None)
