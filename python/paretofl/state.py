"""Python values as the engine's checkpoints hold them: arrays, floats, texts and dictionaries of them."""

import collections

import numpy as np

from paretofl._engine import Error
from paretofl.arrays import check_text, is_tensor

_KIND = ""  # the key that says what a dictionary stands for
_DTYPES = (np.float32, np.float64, np.int64, np.uint8)


def encode(value, name):
    """A value of None, bool, int, float, str, arrays, lists, tuples and dictionaries with str keys; Error on anything else, also on
    kinds of these that would not come back as they were, such as a named tuple. An OrderedDict, as of a module's state_dict, comes back as a
    dictionary. Keys keep their order, and what was one array, list or dictionary in two places is one again."""
    return _Encoder().encode(value, name)


def decode(value):
    """The value that was encoded."""
    return _Decoder().decode(value)


class _Encoder:
    def __init__(self):
        self._places = {}  # of arrays, lists and dictionaries, by id: their number in the order in which they are met

    def encode(self, value, name):
        if value is None or isinstance(value, bool):
            return {_KIND: repr(value)}
        if type(value) is int:
            return {_KIND: "int", "digits": str(value)}
        if type(value) is float:
            return value
        if type(value) is str:
            check_text(value, name)
            return value
        if isinstance(value, np.generic) and value.dtype in _DTYPES:
            return {_KIND: "scalar", "values": np.array([value])}
        if type(value) is tuple:
            return self._items("tuple", value, name)
        if id(value) in self._places:
            return {_KIND: "same", "place": str(self._places[id(value)])}
        self._places[id(value)] = len(self._places)
        return self._changeable(value, name)

    def _changeable(self, value, name):
        if type(value) is np.ndarray and value.dtype in _DTYPES:
            if value.ndim == 0:  # which the engine holds as an array of one dimension
                return {_KIND: "array", "values": value.reshape(1).copy()}
            return np.array(value, order="C")
        if is_tensor(value) and str(value.dtype) in ("torch.float32", "torch.float64", "torch.int64", "torch.uint8"):
            return {_KIND: "tensor", "values": _Encoder().encode(np.array(value.detach().cpu()), name)}
        if type(value) is list:
            return self._items("list", value, name)
        if type(value) in (dict, collections.OrderedDict) and all(isinstance(key, str) and key for key in value):
            check_text("".join(value), f"{name}: keys")
            return {_KIND: "dict", "keys": self._items("tuple", tuple(value), name),
                    **{f".{key}": self.encode(item, f"{name}[{key!r}]") for key, item in value.items()}}
        found = f"an array of {value.dtype}" if type(value) is np.ndarray or isinstance(value, np.generic) else type(value).__name__
        raise Error(f"{name}: expected None, bool, int, float, str, an array of float32, float64, int64 or uint8, or a list or dict of them, found "
                    f"{found}; state_dict can leave it out")

    def _items(self, kind, values, name):
        return {_KIND: kind, **{str(k): self.encode(item, f"{name}[{k}]") for k, item in enumerate(values)}}


class _Decoder:
    """Meets arrays, lists and dictionaries in the encoder's order."""

    def __init__(self):
        self._met = []

    def decode(self, value):
        if isinstance(value, np.ndarray):
            return self._keep(value)
        if not isinstance(value, dict):
            return value
        kind = value[_KIND]
        items = {key: item for key, item in value.items() if key != _KIND}
        if kind in ("None", "True", "False"):
            return {"None": None, "True": True, "False": False}[kind]
        if kind == "int":
            return int(items["digits"])
        if kind == "scalar":
            return items["values"][0]
        if kind == "same":
            return self._met[int(items["place"])]
        if kind == "array":
            return self._keep(items["values"].reshape(()))
        if kind == "tensor":
            import torch

            return self._keep(torch.from_numpy(decode(items["values"])))
        if kind == "dict":
            return self._dictionary(items)
        listed = self._keep([]) if kind == "list" else []
        listed.extend(self.decode(items[str(k)]) for k in range(len(items)))
        return tuple(listed) if kind == "tuple" else listed

    def _dictionary(self, items):
        found = self._keep({})
        names = decode(items.pop("keys", None)) or [key[1:] for key in items]  # checkpoints of before have no order
        found.update((name, self.decode(items[f".{name}"])) for name in names)
        return found

    def _keep(self, value):
        self._met.append(value)
        return value
