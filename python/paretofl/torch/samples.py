"""Minibatches of data sets."""

import hashlib
from collections.abc import Iterator, Mapping

import numpy as np
import torch
from torch.utils.data import DataLoader, IterableDataset, TensorDataset, default_collate

from paretofl._engine import Error
from paretofl.arrays import integer, short


class Samples:
    """A data set by indices: a TensorDataset, a tuple of tensors, or any data set with a length and items."""

    def __init__(self, data, name):
        self.tensors, self.data, self.name = None, data, name
        self._fields = getattr(data, "_make", tuple) if isinstance(data, tuple) else tuple  # a namedtuple's batches have its names
        if isinstance(data, TensorDataset) and indexed_like(data, TensorDataset):
            self.tensors = data.tensors
        elif isinstance(data, (tuple, list)) and not indexed_like(data, tuple, list):
            pass  # its items are what its class makes of them
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
            self.tensors = tuple(part.detach() for part in self.tensors)  # no step gives data a gradient
            lengths = {len(part) for part in self.tensors}
            if len(lengths) != 1:
                raise Error(f"{name}: expected tensors of one length, found {sorted(lengths)}")
        elif isinstance(data, DataLoader):
            raise Error(f"{name}: expected a data set, of which minibatches are drawn, found a DataLoader; its data set is its attribute `dataset`")
        elif hasattr(data, "columns") and hasattr(data, "to_numpy"):
            raise Error(f"{name}: expected a tuple of tensors or a data set with a length and items, found a table, {type(data).__name__}; "
                        "torch.from_numpy(table.to_numpy()) makes a tensor of one")
        elif isinstance(data, (dict, IterableDataset)) or not (hasattr(data, "__len__") and hasattr(data, "__getitem__")):
            raise Error(f"{name}: expected a data set with a length and items, or a tuple of tensors, found {type(data).__name__}")
        self.length = len(self.tensors[0]) if self.tensors is not None else len(data)
        if self.length == 0:
            raise Error(f"{name}: expected samples, found none")

    def __len__(self):
        return self.length

    def digest(self):
        """The SHA-256, in hexadecimal, of tensors; None of other data sets, whose items may have random numbers in them."""
        if self.tensors is None:
            return None
        digest = hashlib.sha256()
        for part in self.tensors:
            digest.update(f"{part.dtype} {list(part.shape)}\n".encode())
            digest.update(bytes_of(part))
        return digest.hexdigest()

    def sampled_digest(self):
        """The SHA-256, in hexadecimal, of the first and the last item."""
        digest = hashlib.sha256()
        for index in (0, self.length - 1):
            update(digest, self.batch(torch.tensor([index], device="cpu")))
        return digest.hexdigest()

    def batch(self, indices):
        """The samples with these indices [b], int64, as a batch: a tuple of tensors, or what default_collate makes of the items."""
        if self.tensors is not None:
            return self._fields(part[indices] for part in self.tensors)
        if callable(getattr(self.data, "__getitems__", None)):  # which DataLoader prefers
            return default_collate(self.data.__getitems__([int(index) for index in indices]))
        return default_collate([self.data[int(index)] for index in indices])


def indexed_like(data, *classes):
    """Whether the items of a data set and their number are those of one of the classes, and no subclass makes others of them."""
    names = ("__getitem__", "__getitems__", "__len__")
    return any(isinstance(data, one) and all(getattr(type(data), name, None) is getattr(one, name, None) for name in names) for one in classes)


def samples_of(clients, num_clients):
    """The clients' data sets; None for those of other parties of a federation."""
    if isinstance(clients, Mapping) or (callable(clients) and not hasattr(clients, "__len__")):
        if num_clients is None:
            raise Error("num_clients: expected an integer of at least 1 beside a function or a dictionary by the client's number, found None")
        num_clients = integer(num_clients, "num_clients", 1)
        if isinstance(clients, Mapping):
            if len(clients) > 1 or not all(client in range(num_clients) for client in clients):
                raise Error(f"clients: expected one client below {num_clients} at most in a dictionary, found {sorted(map(str, clients))}")
            return [Samples(clients[client], f"client {client}") if client in clients else None for client in range(num_clients)]
        clients = [clients(client) for client in range(num_clients)]
    elif not hasattr(clients, "__len__"):
        raise Error(f"clients: expected a list of data sets or a function of the client's number, found {short(clients)}"
                    + ("; list() makes a list of a generator" if isinstance(clients, Iterator) else ""))
    elif num_clients is not None and num_clients != len(clients):
        raise Error(f"num_clients: expected {len(clients)}, the number of data sets, or none, found {num_clients}")
    if len(clients) == 0:
        raise Error("clients: expected at least one data set, found none")
    return [Samples(data, f"client {client}") for client, data in enumerate(clients)]


def update(digest, batch):
    """Adds a batch's tensors, numbers and texts to a digest."""
    if torch.is_tensor(batch):
        digest.update(f"{batch.dtype} {list(batch.shape)}\n".encode())
        digest.update(bytes_of(batch))
    elif isinstance(batch, Mapping):
        for key, part in batch.items():
            digest.update(f"{key}\n".encode())
            update(digest, part)
    elif isinstance(batch, (tuple, list)):
        for part in batch:
            update(digest, part)
    elif isinstance(batch, (str, bytes, int, float)):
        digest.update(repr(batch).encode())


def bytes_of(tensor):
    """The bytes of a tensor's numbers as an array, without a copy where it is contiguous and on the CPU."""
    return tensor.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy()


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


def held_out_samples(held_out, own_clients, num_clients):
    """The data sets that clients hold out, by client; Error on clients that this process has not. own_clients is None where it has all."""
    known = set(range(num_clients)) if own_clients is None else set(own_clients)
    if not isinstance(held_out, Mapping) or not set(held_out) <= known:
        raise Error(f"held_out: expected a dictionary {{client: data set}} with clients among {sorted(known)}, found {short(held_out)}")
    return {client: Samples(data, f"held_out[{client}]") for client, data in held_out.items()}


def default_forward(module, batch):
    if isinstance(batch, dict):
        return module(**batch)
    if isinstance(batch, (tuple, list)):
        return module(batch[0])
    return module(batch)
