"""The types that the signatures of this package name. They can be imported for annotations of your own.

ArrayLike: a NumPy array, a PyTorch tensor, a nested list of numbers, or another object that NumPy makes an array of.
NDArray: a NumPy array with elements of this type.
Tensor: a PyTorch tensor. Functions of arrays return tensors if their first argument is one.
Path: a text, or a path of pathlib.
Config: the path of a TOML file, the name of a preset, or a dictionary with a config's keys.
Strategies: the name of a strategy, or a dictionary with the name and its options.
Options: settings by full key, such as {"strategy.solver": "upgrad"}.
Row: a dictionary, such as one line of metrics.jsonl.
Callbacks: a function of a row, a `paretofl.callbacks.Callback`, or a list of these.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar, Union

from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    from paretofl.callbacks import Callback

__all__ = ["ArrayLike", "Callbacks", "Config", "NDArray", "Options", "PartT", "Path", "Row", "Strategies", "Tensor", "TensorT"]


class Tensor(Protocol):
    """A PyTorch tensor, recognized by its methods, so that PyTorch need not be installed."""

    def detach(self) -> Any: ...

    def new_tensor(self, data: Any, /) -> Any: ...


TensorT = TypeVar("TensorT", bound=Tensor)
PartT = TypeVar("PartT", bound=Callable[..., Any])  # a class or a function that is registered
Path: TypeAlias = Union[str, "os.PathLike[str]"]
Row: TypeAlias = dict[str, Any]
Config: TypeAlias = Union[str, "os.PathLike[str]", dict[str, Any]]
Options: TypeAlias = Mapping[str, Any]
Strategies: TypeAlias = Union[str, dict[str, Any]]
Callbacks: TypeAlias = Union["Callback", Callable[[Row], Any], Sequence[Union["Callback", Callable[[Row], Any]]]]
