"""One thread's copy of a module, whose parameters are views of theta."""

import copy

import torch
from torch import nn


class Replica:
    """A module whose trainable parameters can be pointed at any theta [d], without a copy on the CPU.

    Frozen parameters are shared with the original; buffers are its own.
    """

    def __init__(self, model, names, device):
        memory = {id(parameter): nn.Parameter(parameter.detach(), requires_grad=parameter.requires_grad) for parameter in model.parameters()}
        self.module = copy.deepcopy(model, memory)
        self.device = device
        if device.type != "cpu":
            self.module.to(device)
        by_name = dict(self.module.named_parameters())
        self.parameters = [by_name[name] for name in names]
        self.shapes = [parameter.shape for parameter in self.parameters]
        self.sizes = [parameter.numel() for parameter in self.parameters]

    def point_at(self, theta):
        """Makes the parameters views of theta [d], a float32 tensor on the CPU; elsewhere they get its values."""
        begin = 0
        for parameter, shape, size in zip(self.parameters, self.shapes, self.sizes):
            part = theta[begin : begin + size].view(shape)
            if self.device.type == "cpu":
                parameter.data = part
            else:
                parameter.data.copy_(part)
            begin += size

    def collect_gradients_in(self, row):
        """Makes the parameters' gradients views of row [d], zeroed, so that a backward pass adds to them in place."""
        row.zero_()
        begin = 0
        for parameter, shape, size in zip(self.parameters, self.shapes, self.sizes):
            parameter.grad = row[begin : begin + size].view(shape) if self.device.type == "cpu" else None
            begin += size

    def finish_gradients_in(self, row):
        """Copies gradients of another device to row [d], and lets go of them."""
        begin = 0
        for parameter, size in zip(self.parameters, self.sizes):
            if self.device.type != "cpu" and parameter.grad is not None:
                row[begin : begin + size].copy_(parameter.grad.reshape(-1))
            parameter.grad = None
            begin += size

    def release(self):
        """Lets go of theta, whose memory the engine uses for something else."""
        if self.device.type == "cpu":
            for parameter, shape in zip(self.parameters, self.shapes):
                parameter.data = torch.zeros(()).expand(shape)
