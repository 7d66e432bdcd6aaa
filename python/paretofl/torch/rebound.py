"""Functions that a module holds, such as hooks and lambdas: in a copy of the module they must reach the copy."""

import types

from torch import nn


def rebind_functions(model, copies):
    """In a deep copy of a model, makes functions that modules hold in attributes, and in dictionaries and lists of these, such as their hooks,
    refer to the copies of the modules that they refer to. copies: the copies by the identity of the originals. PyTorch copies functions by
    reference, so that a hook that keeps something in its model would go on to keep it in the original."""
    for module in model.modules():
        for holder in (vars(module), *(value for value in vars(module).values() if isinstance(value, (dict, list)))):
            for key, value in list(holder.items() if isinstance(holder, dict) else enumerate(holder)):
                found = rebound(value, copies, set())
                if found is not value:
                    holder[key] = found


def rebound(function, copies, seen):
    """The function with the copies of the modules that it refers to from around it; itself where there are none."""
    if not isinstance(function, types.FunctionType) or not function.__closure__ or id(function) in seen:
        return function
    seen.add(id(function))
    cells = []
    for cell in function.__closure__:
        try:
            content = cell.cell_contents
        except ValueError:  # not yet filled
            cells.append(cell)
            continue
        found = copies.get(id(content), content) if isinstance(content, nn.Module) else rebound(content, copies, seen)
        cells.append(cell if found is content else types.CellType(found))
    if all(one is other for one, other in zip(cells, function.__closure__)):
        return function
    other = types.FunctionType(function.__code__, function.__globals__, function.__name__, function.__defaults__, tuple(cells))
    other.__kwdefaults__, other.__qualname__, other.__module__ = function.__kwdefaults__, function.__qualname__, function.__module__
    vars(other).update(vars(function))
    return other
