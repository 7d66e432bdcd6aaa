"""Where a problem's module comes from: the user's own one, or a function that makes it."""

import hashlib

import torch
from torch import nn

from paretofl._engine import Error
from paretofl.torch.replica import check_module, copy_of, let_go_of
from paretofl.torch.samples import bytes_of


class GivenModel:
    """A module that the user has, which stays as it is."""

    advice = "; call torch.manual_seed before making the module"

    def __init__(self, model):
        check_module(model)
        self.template = model  # whose structure replicas copy
        self.defined_by = []

    def initial(self):
        """The module with its parameters of now."""
        check_module(self.template)
        return self.template

    def copied(self):
        """A copy of it."""
        return copy_of(self.template)

    def let_go(self):
        """Nothing: its memory is the user's."""


class MadeModel:
    """What a function makes. Its trainable parameters are not kept, so that only the engine's are in memory."""

    advice = ""  # PyTorch's generator is seeded where the module is made

    def __init__(self, make):
        self._make = make
        self.template = self._made()
        self._digest = digest_of(self.template)
        self.defined_by = [make]

    def initial(self):
        """The module made anew. Error where its numbers are not those of the first one."""
        model = self._made()
        if digest_of(model) != self._digest:
            raise Error("model: expected a function that makes the same module whenever it is called, found other parameters or buffers; random numbers "
                        "that are not PyTorch's need a fixed seed in the function")
        return model

    def copied(self):
        return self.initial()

    def let_go(self):
        """Frees the memory of the template's trainable parameters."""
        let_go_of(parameter for parameter in self.template.parameters() if parameter.requires_grad)

    def _made(self):
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(0)
            try:
                model = self._make()
            except Exception as problem:  # whatever the user's function raises
                raise Error(f"model: expected a function that makes a torch.nn.Module, found {type(problem).__name__}: {problem}") from problem
        if not isinstance(model, nn.Module):
            raise Error(f"model: expected a function that returns a torch.nn.Module, found that it returns {type(model).__name__}")
        check_module(model)
        return model


def source_of(model):
    """The source for what the user gives as `model`."""
    if isinstance(model, nn.Module):
        return GivenModel(model)
    if not callable(model):
        raise Error(f"model: expected a torch.nn.Module or a function that makes one, found {type(model).__name__}")
    return MadeModel(model)


def digest_of(model):
    """The SHA-256 of the names, types and numbers of a module's parameters and buffers."""
    digest = hashlib.sha256()
    for name, tensor in model.state_dict(keep_vars=True).items():
        if torch.is_tensor(tensor):
            digest.update(f"{name} {tensor.dtype} {list(tensor.shape)}\n".encode())
            digest.update(bytes_of(tensor))
    return digest.digest()
