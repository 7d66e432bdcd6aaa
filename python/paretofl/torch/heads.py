"""Which parameters belong to one objective alone."""

from torch import nn

from paretofl._engine import Error


def ordered_names(model, heads, objectives):
    """The trainable parameters' names as theta has them, shared ones first, then the heads by objective; and those of each head. `heads` are
    submodules or their names by objective; Error where one is none of the model's."""
    trainable = {id(parameter): name for name, parameter in model.named_parameters() if parameter.requires_grad}
    if not trainable:
        raise Error("model: expected parameters that need gradients, found none")
    modules, head_names = dict(model.named_modules()), {}
    for objective, head in heads.items():
        if objective not in objectives:
            raise Error(f"heads: expected objectives of {objectives}, found {objective!r}")
        module = modules.get(head) if isinstance(head, str) else head
        if not isinstance(module, nn.Module):
            raise Error(f"heads: expected a submodule or its name for {objective}, found {head!r}")
        names = [trainable.get(id(parameter)) for parameter in module.parameters() if parameter.requires_grad]
        if None in names:
            raise Error(f"heads: expected a submodule of the model for {objective}, found one whose parameters are not the model's")
        head_names[objective] = names
    order = {name: objectives.index(objective) for objective, names in head_names.items() for name in names}
    return sorted(trainable.values(), key=lambda name: order.get(name, -1)), head_names
