"""One thread's copy of a module, whose parameters are views of theta, but for those in another memory format."""

import contextlib
import copy

import torch
from torch import nn

from paretofl._engine import Error
from paretofl.torch.rebound import rebind_functions
from paretofl.torch.unchanged import Unchanged, changed_weight
from paretofl.torch.weight_gradients import GradientPlace, WeightGradients, can_have_place


class Replica:
    """A module whose trainable parameters can be pointed at any theta [d]: on the CPU without a copy, elsewhere by one copy of d floats.

    With the memory format torch.channels_last, parameters of four dimensions, such as the weights of convolutions, are copies in that format,
    since theta has the other one. Frozen parameters are those of `frozen`, so that all replicas share them; buffers are the replica's own.

    buffers: the `Buffers` of the problem, which say what may change.
    in_place: the names of weights of linear layers whose gradients are computed in the engine's memory; None means all that can be.
    """

    def __init__(self, model, names, device, frozen, buffers, memory_format=torch.contiguous_format, in_place=None):
        memory = {id(parameter): parameter_like(parameter) for parameter in model.parameters() if parameter.requires_grad}
        memory.update(frozen)
        self.module = copy_of(model, memory).to(device)
        by_name, modules = dict(self.module.named_parameters()), dict(self.module.named_modules())
        self.parameters = [by_name[name] for name in names]
        self._places = [(name, modules[name.rpartition(".")[0]], name.rpartition(".")[2]) for name in names]
        self.shapes = [parameter.shape for parameter in self.parameters]
        self.sizes = [parameter.numel() for parameter in self.parameters]
        self._reordered = [reordered(parameter.detach(), memory_format) for parameter in self.parameters]
        self._unchanged = Unchanged(self.module, buffers)
        self.on_cpu = device.type == "cpu"
        self._gradient_places = {id(parameter): GradientPlace(parameter) for name, parameter in zip(names, self.parameters)
                                 if self.on_cpu and can_have_place(parameter) and (in_place is None or name in in_place)}
        if not self.on_cpu:
            self.theta = torch.empty(sum(self.sizes), device=device)
            self.gradient = torch.empty_like(self.theta)

    def point_at(self, theta):
        """Makes the parameters those of theta [d], a float32 tensor on the CPU."""
        if not self.on_cpu:
            theta = self.theta.copy_(theta)
        for parameter, part, copy_of_it in zip(self.parameters, self._parts(theta), self._reordered):
            parameter.data = part if copy_of_it is None else copy_of_it.copy_(part)
        self._versions = [parameter._version for parameter in self.parameters]

    def expect_parameters(self):
        """Error where a step has put another tensor in a parameter's place, which would get no gradient."""
        for (name, module, key), parameter in zip(self._places, self.parameters):
            if getattr(module, key, None) is not parameter:
                raise Error(f"model: expected a step that leaves the parameter {name} in its place, found another object there")

    def changed(self):
        """The message of an Error about what steps must leave as it is: a parameter that an operation has written into since point_at, other than
        through its `data`, or what `Unchanged` notices; None where there is nothing."""
        return changed_weight(self._places, self.parameters, self._versions) or self._unchanged.changed()

    def gradients_in_place(self):
        """The context of one step's forward pass and losses, whose gradients can then be computed in the engine's memory."""
        for place in self._gradient_places.values():
            place.begin_step()
        return WeightGradients(self._gradient_places) if self._gradient_places else contextlib.nullcontext()

    def names_in_place(self):
        """The names of the weights whose gradients this step has computed in the engine's memory, and no step elsewhere."""
        places = {name: self._gradient_places.get(id(parameter)) for (name, _, _), parameter in zip(self._places, self.parameters)}
        return frozenset(name for name, place in places.items() if place is not None and place.used and not place.missed)

    def collect_gradients_in(self, row):
        """Makes the parameters' gradients views of row [d], or of a row on the device, zeroed, so that a backward pass adds to them. Those of
        parameters in another memory format are in it too. What is computed in place is not zeroed before."""
        for parameter, part, copy_of_it in zip(self.parameters, self._parts(row if self.on_cpu else self.gradient), self._reordered):
            place = self._gradient_places.get(id(parameter))
            if place is not None and place.used:
                place.offer(part)
            else:
                parameter.grad = part.zero_() if copy_of_it is None else torch.zeros_like(copy_of_it)

    def finish_gradients_in(self, row):
        """Copies gradients of another memory format or device to row [d], and lets go of all."""
        for parameter, part, copy_of_it in zip(self.parameters, self._parts(row if self.on_cpu else self.gradient), self._reordered):
            place = self._gradient_places.get(id(parameter))
            if place is not None and place.used:
                place.finish(part)
            elif copy_of_it is not None:
                part.copy_(parameter.grad)
        if not self.on_cpu:
            row.copy_(self.gradient)
        for parameter in self.parameters:
            parameter.grad = None

    def release(self):
        """Lets go of theta, whose memory the engine uses for something else."""
        if self.on_cpu:
            let_go_of(self.parameters)

    def _parts(self, flat):
        return [part.view(shape) for part, shape in zip(flat.split(self.sizes), self.shapes)]


def check_module(model):
    """Error on a module whose parameters cannot be views of theta."""
    for name, parameter in model.named_parameters():
        if nn.parameter.is_lazy(parameter):
            raise Error(f"model: expected parameters with a shape, found that {name} has none yet; one forward pass gives a lazy module its shapes")
        if parameter.is_meta:
            raise Error(f"model: expected parameters with numbers, found {name} on the device meta")
        if parameter.requires_grad and parameter.dtype != torch.float32:
            raise Error(f"model: expected float32 parameters, found {parameter.dtype} for {name}; dtype= chooses mixed precision")
    trainable = {}  # names by where their numbers lie
    for name, parameter in model.named_parameters():
        place = parameter.data_ptr() if parameter.requires_grad and parameter.numel() > 0 else 0
        if place != 0:
            other = trainable.setdefault(place, name)
            if other != name:
                raise Error(f"model: expected trainable parameters in memory of their own, found {name} in that of {other}; a tied parameter is one "
                            "object, as of `one.weight = other.weight`")
    for name, module in model.named_modules():
        if isinstance(module, torch.jit.ScriptModule) and any(parameter.requires_grad for parameter in module.parameters()):
            raise Error("model: expected trainable modules in Python, found the compiled one of torch.jit" + (f" at {name}" if name else ""))


def copy_of(model, memory=None):
    """A deep copy of a module, with the objects of `memory` by the identity of those that they stand for. Tensors that a module has kept from a
    computation, such as the weight of weight normalization, are copied without their graph, which PyTorch does not copy. Functions that modules
    hold, such as hooks, refer to the copy. Error on a module that cannot be copied."""
    memory = {} if memory is None else memory
    for module in model.modules():
        memory.update({id(value): value.detach().clone() for value in vars(module).values() if torch.is_tensor(value) and not value.is_leaf})
    try:
        copied = copy.deepcopy(model, memory)
        rebind_functions(copied, memory)
        return copied
    except Exception as problem:  # whatever an object in it raises
        raise Error(f"model: expected a module that copy.deepcopy can copy, found {type(problem).__name__}: {problem}") from problem


def parameter_like(parameter):
    """A parameter with the memory, the attributes and the hooks of another one."""
    other = nn.Parameter(parameter.detach())
    vars(other).update(vars(parameter))
    for hook in (parameter._backward_hooks or {}).values():
        other.register_hook(hook)
    for hook in (getattr(parameter, "_post_accumulate_grad_hooks", None) or {}).values():  # since PyTorch 2.1
        other.register_post_accumulate_grad_hook(hook)
    return other


def let_go_of(parameters):
    """Makes each parameter one of the same shape that takes no memory."""
    for parameter in parameters:
        parameter.data = torch.zeros((), dtype=parameter.dtype, device=parameter.device).expand(parameter.shape)


def frozen_parameters(model, device, memory_format=torch.contiguous_format):
    """The parameters without gradients by their identity: on the CPU the model's own memory, elsewhere or in another memory format one copy."""
    def placed(parameter):
        tensor = parameter.detach().to(device)
        copy_of_it = reordered(tensor, memory_format)
        return nn.Parameter(tensor if copy_of_it is None else copy_of_it, requires_grad=False)

    return {id(parameter): placed(parameter) for parameter in model.parameters() if not parameter.requires_grad}


def reordered(tensor, memory_format):
    """A copy of the tensor in the memory format; None where that is the one that it has, as with all but four dimensions."""
    if memory_format == torch.contiguous_format or tensor.dim() != 4:
        return None
    return tensor.clone(memory_format=memory_format)
