"""Minibatches of data sets."""

import numpy as np
import torch
from torch.utils.data import IterableDataset, TensorDataset, default_collate

from paretofl._engine import Error


class Samples:
    """A data set by indices: a TensorDataset, a tuple of tensors, or any data set with a length and items."""

    def __init__(self, data, name):
        self.tensors = None
        self.data = data
        if isinstance(data, TensorDataset):
            self.tensors = data.tensors
        elif isinstance(data, (tuple, list)) and data and all(torch.is_tensor(part) for part in data):
            self.tensors = tuple(data)
        elif isinstance(data, tuple) and any(torch.is_tensor(part) for part in data):
            found = next(type(part).__name__ for part in data if not torch.is_tensor(part))
            raise Error(f"{name}: expected a tuple of tensors, found one with {'an ndarray; torch.from_numpy makes a tensor of it' if found == 'ndarray' else found}")
        if isinstance(data, (tuple, list)) and any(isinstance(part, np.ndarray) for part in data):
            raise Error(f"{name}: expected a tuple of tensors, found one with NumPy's arrays; torch.from_numpy makes a tensor of an array")
        if self.tensors is not None:
            for part in self.tensors:
                if part.dim() == 0 or part.layout != torch.strided:
                    found = "one of no dimension" if part.dim() == 0 else f"one of layout {part.layout}"
                    raise Error(f"{name}: expected dense tensors with a sample in each row, found {found}")
            lengths = {len(part) for part in self.tensors}
            if len(lengths) != 1:
                raise Error(f"{name}: expected tensors of one length, found {sorted(lengths)}")
        elif isinstance(data, (dict, IterableDataset)) or not (hasattr(data, "__len__") and hasattr(data, "__getitem__")):
            raise Error(f"{name}: expected a data set with a length and items, or a tuple of tensors, found {type(data).__name__}")
        self.length = len(self.tensors[0]) if self.tensors is not None else len(data)
        if self.length == 0:
            raise Error(f"{name}: expected samples, found none")

    def __len__(self):
        return self.length

    def batch(self, indices):
        """The samples with these indices [b], int64, as a batch: a tuple of tensors, or what default_collate makes of the items."""
        if self.tensors is not None:
            return tuple(part[indices] for part in self.tensors)
        return default_collate([self.data[int(index)] for index in indices])


def to_device(batch, device):
    """The batch with its tensors on a device."""
    if torch.is_tensor(batch):
        return batch.to(device)
    if isinstance(batch, dict):
        return {key: to_device(part, device) for key, part in batch.items()}
    if isinstance(batch, (tuple, list)):
        parts = [to_device(part, device) for part in batch]
        return type(batch)(*parts) if hasattr(batch, "_fields") else type(batch)(parts)  # a namedtuple takes one by one
    return batch


def default_forward(module, batch):
    if isinstance(batch, dict):
        return module(**batch)
    if isinstance(batch, (tuple, list)):
        return module(batch[0])
    return module(batch)
