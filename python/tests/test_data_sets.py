"""Data sets that are read as PyTorch's DataLoader reads them, whatever class they have."""

import collections

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import paretofl.torch
from torch import nn
from torch.utils.data import ConcatDataset, Dataset, Subset, TensorDataset


def tensors():
    inputs = torch.arange(40.0).reshape(20, 2)
    return inputs, inputs.sum(dim=1, keepdim=True)


class Scaled(TensorDataset):
    """Changes its items, as a transform does."""

    def __getitem__(self, index):
        inputs, target = super().__getitem__(index)
        return inputs / 40, target


class Short(TensorDataset):
    """Has its first samples only."""

    def __len__(self):
        return 7


class Named(TensorDataset):
    """Adds nothing but a name."""

    name = "mine"


class ScaledTuple(tuple):
    """A tuple of tensors whose items are samples."""

    def __len__(self):
        return 20

    def __getitem__(self, index):
        inputs, target = (part[index] for part in self)
        return inputs / 40, target


class Wrapped(Dataset):
    def __init__(self, data):
        self.data = data

    def __len__(self):
        return len(self.data)

    def __getitem__(self, index):
        return self.data[index]


class AtOnce(Wrapped):
    """Gives the samples of a whole minibatch at once, other ones than one by one."""

    def __getitems__(self, indices):
        return [(self.data[index][0] / 40, self.data[index][1]) for index in indices]


def problem_of(data, **more):
    return paretofl.torch.Problem(nn.Linear(2, 1), {"value": lambda outputs, batch: nn.functional.mse_loss(outputs, batch[1])}, [data], **more)


def batch_of(data):
    return problem_of(data)._clients[0].batch(torch.tensor([3, 0, 6]))


@pytest.mark.parametrize("data", [Scaled(*tensors()), Wrapped(Scaled(*tensors())), ScaledTuple(tensors()), AtOnce(TensorDataset(*tensors())),
                                  Subset(Scaled(*tensors()), range(20)), ConcatDataset([Scaled(*tensors())])])
def test_items_are_what_the_class_of_the_data_set_makes_of_them(data):
    inputs, target = tensors()
    found = batch_of(data)
    assert len(found) == 2
    torch.testing.assert_close(found[0], inputs[[3, 0, 6]] / 40)
    torch.testing.assert_close(found[1], target[[3, 0, 6]])


def test_a_length_of_ones_own_counts():
    problem = problem_of(Short(*tensors()), test=Short(*tensors()))
    assert problem.num_samples(0) == 7 and len(problem._test) == 7


def test_a_subclass_that_changes_nothing_is_indexed_whole():
    assert problem_of(Named(*tensors()))._clients[0].tensors is not None


def test_a_named_tuple_of_tensors_keeps_its_names():
    Pair = collections.namedtuple("Pair", "inputs target")
    problem = paretofl.torch.Problem(nn.Linear(2, 1), {"value": lambda outputs, batch: nn.functional.mse_loss(outputs, batch.target)}, [Pair(*tensors())])
    np.testing.assert_array_equal(problem._clients[0].batch(torch.tensor([2])).inputs.numpy(), tensors()[0][[2]].numpy())
