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
    """The function with the copies of the modules that it refers to from around it and by its default arguments; itself where there are none."""
    if not isinstance(function, types.FunctionType) or id(function) in seen:
        return function
    seen.add(id(function))

    def of(content):
        return copies.get(id(content), content) if isinstance(content, nn.Module) else rebound(content, copies, seen)

    cells, defaults, keywords = function.__closure__ or (), function.__defaults__ or (), function.__kwdefaults__ or {}
    found = tuple(map(of_cell(of), cells)), tuple(map(of, defaults)), {name: of(content) for name, content in keywords.items()}
    if all(one is other for one, other in zip([*found[0], *found[1], *found[2].values()], [*cells, *defaults, *keywords.values()])):
        return function
    other = types.FunctionType(function.__code__, function.__globals__, function.__name__, found[1] or None, found[0] or None)
    other.__kwdefaults__, other.__qualname__, other.__module__ = found[2] or None, function.__qualname__, function.__module__
    vars(other).update(vars(function))
    return other


def of_cell(of):
    """The same for a cell of a closure: a new one where its content is another, and itself where it is not yet filled."""
    def mapped(cell):
        try:
            content = cell.cell_contents
        except ValueError:
            return cell
        found = of(content)
        return cell if found is content else types.CellType(found)

    return mapped
