"""What a step must leave as it is, beside the numbers of the parameters that are trained."""

import contextlib

import torch

from paretofl._engine import Error
from paretofl.torch.buffers import equal
from paretofl.torch.first_minibatch import written_into


class Unchanged:
    """Notices what has been changed of a replica's module since it was made: frozen parameters, which all replicas share; which parameters are
    trained; and buffers, where nobody has chosen what a change means. By PyTorch's counts of changes, so that looking after every step is
    cheap; what is written through `data` is noticed where that becomes another tensor."""

    def __init__(self, module, buffers):
        self._module, self._buffers = module, buffers
        owners = dict(module.named_modules())
        self._frozen, self._trained = [], []
        for name, parameter in module.named_parameters():
            owner, _, key = name.rpartition(".")
            if parameter.requires_grad:
                self._trained.append((name, parameter))
            else:
                self._frozen.append((name, owners[owner]._parameters, key, parameter, version(parameter), parameter.data_ptr()))
        self._note_buffers()

    def changed(self):
        """The message of an Error about what has been changed; None where nothing was."""
        for name, holder, key, parameter, before, place in self._frozen:
            if holder.get(key) is not parameter or version(parameter) != before or parameter.data_ptr() != place:
                return frozen_written(name)
            if parameter.requires_grad:
                return f"model: expected frozen parameters to stay frozen, found that a step has made {name} trainable"
        for name, parameter in self._trained:
            if not parameter.requires_grad:
                return f"model: expected trainable parameters to stay trainable, found that a step has frozen {name}"
        if self._buffers.policy != "refuse" or all(same(holder, known) for holder, known in self._known):
            return None
        self._note_buffers()
        return self._buffers.change_in(self._module)

    def _note_buffers(self):
        self._known = [(module._buffers, {key: (buffer, version(buffer)) for key, buffer in module._buffers.items()}) for module in self._module.modules()]


def same(holder, known):
    """Whether a module's buffers are the objects that are known, and nothing has written into them."""
    return len(holder) == len(known) and all(key in known and known[key][0] is buffer and known[key][1] == version(buffer) for key, buffer in holder.items())


def version(tensor):
    """How often PyTorch has changed a tensor; of those that it does not count for, such as None, the same each time."""
    return 0 if tensor is None or tensor.is_inference() else tensor._version


def changed_weight(places, parameters, versions):
    """The same message about parameters that are trained, which an operation has written into since they had these versions."""
    for (name, _, _), parameter, before in zip(places, parameters, versions):
        if parameter._version != before:
            return written_into(name)
    return None


@contextlib.contextmanager
def expecting_frozen(model, limit=2**28):
    """Error where the first minibatch has written into frozen parameters of the user's own module, also through `data`; they get their numbers back.
    For modules whose frozen parameters have at most so many bytes."""
    frozen = [(name, parameter) for name, parameter in model.named_parameters() if not parameter.requires_grad]
    small = sum(parameter.numel() * parameter.element_size() for _, parameter in frozen) <= limit
    before = [(name, parameter, parameter.detach().clone()) for name, parameter in frozen] if small else []
    failure = None
    try:
        yield
    except Exception as problem:  # which may only be a consequence
        failure = problem
    written = [(name, parameter, value) for name, parameter, value in before if not equal(parameter.detach(), value)]
    with torch.no_grad():
        for _, parameter, value in written:
            parameter.copy_(value)
    if written:
        raise Error(frozen_written(written[0][0])) from failure
    if failure is not None:
        raise failure


def frozen_written(name):
    """The message of an Error about a frozen parameter of this name."""
    return (f"model: expected a module that leaves its frozen parameters as they are, found that it writes into {name}, as with a moving average of "
            "other weights; they are the same for all clients and steps")
