"""Wrong uses of PyTorch problems and of environments: each gives one paretofl.Error that says what was expected and what was found."""

import threading

import pytest

import paretofl
from wrong_use import at, check_failures, check_one_error, no_hang, uses  # noqa: F401

torch = pytest.importorskip("torch", reason="PyTorch is not installed (Debian: python3-torch)")

import paretofl.torch  # noqa: E402
from torch import nn  # noqa: E402


def samples(seed, inputs=3, count=20):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(count, inputs, generator=generator), torch.randn(count, 1, generator=generator)


def squared(outputs, batch):
    return (outputs - batch[1]).square().mean()


def of_classes(outputs, batch):
    return nn.functional.cross_entropy(torch.cat([outputs, -outputs], 1), batch[1])


def make(model=None, loss=squared, **arguments):
    """A problem of two objectives and three clients, the second of which is called near zero."""
    arguments = {"objectives": {"first": loss, "second": lambda outputs, batch: outputs.abs().mean()}, "clients": [samples(c) for c in range(3)], **arguments}
    return paretofl.torch.Problem(nn.Linear(3, 1) if model is None else model, **arguments)


def changed_later(change):
    """A problem whose module is changed after the problem was made."""
    model = nn.Linear(3, 1)
    made = make(model)
    change(model)
    return made


def numpy_samples():
    return tuple(part.numpy() for part in samples(0))


def vector(length):
    return nn.Parameter(torch.zeros(length))


def locked():
    model = nn.Linear(3, 1)
    model.lock = threading.Lock()
    return model


def tied_by_data():
    model = nn.Sequential(nn.Linear(3, 3), nn.Linear(3, 3))
    model[1].weight.data = model[0].weight.data
    return model


class Counting(nn.Linear):
    steps = 0

    def forward(self, inputs):
        self.steps += 1
        return super().forward(inputs) * self.steps


class Clipped(nn.Linear):
    """Writes into its weights in every pass."""

    def forward(self, inputs):
        self.weight.data.clamp_(-0.01, 0.01)
        return super().forward(inputs)


def embedding():
    """A bag of words whose vectors are shortened in every pass."""
    return nn.Sequential(nn.EmbeddingBag(9, 4, max_norm=0.1), nn.Linear(4, 1))


class Noisy:
    """A loss with a generator of its own."""

    def __init__(self):
        self.generator = torch.Generator().manual_seed(1)

    def __call__(self, outputs, batch):
        return squared(outputs + torch.randn(outputs.shape, generator=self.generator), batch)


class Iterable(torch.utils.data.IterableDataset):
    def __len__(self):
        return 20

    def __iter__(self):
        return iter(zip(*samples(0)))


TEST = samples(9)
VECTOR = vector(2)

PROBLEMS = [
    ("model of another type", lambda at: make(3), "model: expected a torch.nn.Module", "found int"),
    ("model of float64", lambda at: make(nn.Linear(3, 1).double()), "model: expected float32 parameters", "found torch.float64 for weight"),
    ("frozen model", lambda at: make(nn.Linear(3, 1).requires_grad_(False)), "model: expected parameters that need gradients", "found none"),
    ("model without shapes", lambda at: make(nn.LazyLinear(1)), "model: expected parameters with a shape", "found that weight has none yet"),
    ("model without numbers", lambda at: make(nn.Linear(3, 1, device="meta")), "model: expected parameters with numbers", "found weight on the device meta"),
    ("model of torch.jit", lambda at: make(torch.jit.script(nn.Linear(3, 1))), "model: expected trainable modules in Python", "found the compiled one of torch.jit"),
    ("model with a part of torch.jit", lambda at: make(nn.Sequential(torch.jit.script(nn.Linear(3, 1)))), "model: expected trainable modules in Python", "found the compiled one of torch.jit at 0"),
    ("model tied by its data", lambda at: make(tied_by_data(), forward=lambda model, batch: model[1](model[0](batch[0]))[:, :1]), "model: expected trainable parameters in memory of their own", "found 1.weight in that of 0.weight"),
    ("model with a state", lambda at: make(Counting(3, 1)), "random: expected steps whose results depend on theta, the samples and the seeded generators alone", "found others from equal ones"),
    ("model that clips its weights", lambda at: make(Clipped(3, 1)), "model: expected a module that leaves its parameters as they are", "found that it writes into weight"),
    ("model that shortens its vectors", lambda at: make(embedding(), forward=lambda module, batch: module(batch[0].abs().long())), "model: expected a module that leaves its parameters as they are", "found that it writes into 0.weight"),
    ("loss with a generator of its own", lambda at: make(loss=Noisy()), "random: expected steps whose results depend on theta", "found others from equal ones"),
    ("model that cannot be copied", lambda at: make(locked()), "model: expected a module that copy.deepcopy can copy", "found TypeError: cannot pickle"),
    ("model with batch normalization", lambda at: make(nn.Sequential(nn.Linear(3, 1), nn.BatchNorm1d(1))), 'or buffers="average" or "local"', "found that it changes 1.running_mean"),
    ("objectives as a list", lambda at: make(objectives=["a"]), "objectives: expected a dictionary {name: loss function}", "found ['a']"),
    ("objective of another type", lambda at: make(objectives={"a": 3}), "objectives: expected a dictionary {name: loss function}", "found {'a': 3}"),
    ("loss per sample", lambda at: make(loss=lambda outputs, batch: outputs - batch[1]), "objectives: expected a scalar tensor of first", "found a tensor of shape [20, 1]"),
    ("loss as a float", lambda at: make(loss=lambda outputs, batch: 0.0), "objectives: expected a scalar tensor of first", "found float"),
    ("loss without gradient", lambda at: make(loss=lambda outputs, batch: torch.zeros(())), "that depends on the model's parameters", "found one without a gradient"),
    ("detached loss", lambda at: make(loss=lambda outputs, batch: squared(outputs.detach(), batch)), "that depends on the model's parameters", "found one without a gradient"),
    ("loss that is not a number", lambda at: make(loss=lambda outputs, batch: outputs.sum() * float("nan")), "objectives: expected a finite loss of first", "found nan"),
    ("no clients", lambda at: make(clients=[]), "clients: expected at least one data set", "found none"),
    ("clients of another type", lambda at: make(clients=3), "clients: expected a list of data sets or a function", "found 3"),
    ("client of another type", lambda at: make(clients=[samples(0), 3]), "client 1: expected a data set with a length and items", "found int"),
    ("empty client", lambda at: make(clients=[samples(0), samples(1, count=0)]), "client 1: expected samples", "found none"),
    ("tensors of several lengths", lambda at: make(clients=[samples(0), (torch.zeros(4, 3), torch.zeros(5, 1))]), "client 1: expected tensors of one length", "found [4, 5]"),
    ("tensors of no dimension", lambda at: make(clients=[(samples(0)[0], torch.zeros(()))]), "client 0: expected dense tensors with a sample in each row", "found one of no dimension"),
    ("sparse tensors", lambda at: make(clients=[(torch.eye(3).to_sparse(), torch.zeros(3, 1))]), "client 0: expected dense tensors", "found one of layout torch.sparse_coo"),
    ("a tensor and a list", lambda at: make(clients=[(samples(0)[0], [1] * 20)]), "client 0: expected a tuple of tensors", "found one with list"),
    ("a dictionary of tensors", lambda at: make(clients=[{"inputs": samples(0)[0]}]), "client 0: expected a data set with a length and items", "found dict"),
    ("an iterable data set", lambda at: make(clients=[Iterable()]), "client 0: expected a data set with a length and items", "found Iterable"),
    ("samples that the model does not take", lambda at: make(clients=[samples(0, inputs=7)]), "client 0: expected samples that the model and the losses take", "found RuntimeError: "),
    ("label out of range", lambda at: make(loss=of_classes, clients=[(samples(0)[0], torch.full((20,), 7))]),
     "client 0: expected samples that the model and the losses take", "found IndexError in the loss of first: Target 7 is out of bounds"),
    ("labels as floats", lambda at: make(loss=of_classes, clients=[(samples(0)[0], torch.zeros(20))]),
     "client 0: expected samples that the model and the losses take", "found RuntimeError in the loss of first: "),
    ("label of the test set out of range", lambda at: make(loss=of_classes, clients=[(samples(0)[0], torch.zeros(20).long())], test=(samples(0)[0], torch.full((20,), 7))),
     "test: expected samples like the clients'", "found IndexError in the loss of first: "),
    ("dictionary of clients without their number", lambda at: make(clients={}), "num_clients: expected the number of clients beside a dictionary", "found none"),
    ("number of clients as a bool", lambda at: make(clients=samples, num_clients=True), "num_clients: expected an integer of at least 1", "found True"),
    ("arrays of NumPy", lambda at: make(clients=[numpy_samples()]), "client 0: expected a tuple of tensors", "found one with NumPy's arrays"),
    ("function without a number of clients", lambda at: make(clients=samples), "num_clients: expected an integer of at least 1", "found None"),
    ("another number of clients", lambda at: make(num_clients=5), "num_clients: expected 3", "found 5"),
    ("test set of other inputs", lambda at: make(test=samples(9, inputs=7)), "test: expected samples like the clients'", "mat1 and mat2 shapes cannot be multiplied (20x7 and 3x1)"),
    ("test set without targets", lambda at: make(test=samples(9)[:1]), "test: expected samples like the clients'", "found IndexError"),
    ("validation set of other inputs", lambda at: make(validation=samples(9, inputs=7)), "validation: expected samples like the clients'", "found RuntimeError"),
    ("metric of another length", lambda at: make(test=TEST, metrics={"error": lambda outputs, batch: [1.0]}), "metrics: expected 2 numbers of error", "found 1"),
    ("metric as one number", lambda at: make(test=TEST, metrics={"error": lambda outputs, batch: 1.0}), "metrics: expected 2 numbers of error", "found 1.0"),
    ("metric called loss", lambda at: make(test=TEST, metrics={"loss": lambda outputs, batch: [1.0, 2.0]}), "metrics: expected other names than loss", "found loss"),
    ("metrics as a list", lambda at: make(metrics=["error"]), "metrics: expected a dictionary {name: function}", "found list"),
    ("metric of another type", lambda at: make(metrics={"error": "mae"}), "error: expected a function", "found 'mae'"),
    ("head that is not there", lambda at: make(heads={"first": "head"}), "heads: expected a submodule or its name for first", "found 'head'"),
    ("head of another module", lambda at: make(heads={"first": nn.Linear(3, 1)}), "heads: expected a submodule of the model for first", "found one whose parameters are not the model's"),
    ("head of no objective", lambda at: make(heads={"third": "weight"}), "heads: expected objectives of ['first', 'second']", "found 'third'"),
    ("heads as a list", lambda at: make(heads=["first"]), "heads: expected a dictionary {objective: submodule or its name}", "found list"),
    ("too few preferences", lambda at: make(preferences=[[1, 2]]), "preferences: expected a list of 3, one per client", "found [[1, 2]]"),
    ("preferences as a number", lambda at: make(preferences=3), "preferences: expected a list of 3, one per client", "found 3"),
    ("preferences of another length", lambda at: at.run(make(preferences=[[1, 2, 3]] * 3), strategy="fedpref"), "preference: expected 2 numbers", "found 3"),
    ("empty minibatches", lambda at: make(batch_size=0), "batch_size: expected an integer of at least 1", "found 0"),
    ("unknown buffers", lambda at: make(buffers="mean"), "buffers: expected one of refuse, average, local", "found 'mean'"),
    ("unknown device", lambda at: make(device="cud"), "device: expected one that PyTorch has here", "found 'cud'"),
    ("half precision", lambda at: make(dtype=torch.float16), "dtype: expected torch.bfloat16 or None", "found torch.float16"),
    ("forward of another type", lambda at: make(forward=3), "forward: expected a function", "found 3"),
    ("random of another type", lambda at: make(random="yes"), "random: expected True, False or None", "found 'yes'"),
    ("module frozen later", lambda at: at.run(changed_later(lambda model: model.weight.requires_grad_(False))), "model: expected the trainable parameters that it had", "found a change of weight"),
    ("module of half precision later", lambda at: at.run(changed_later(lambda model: model.half())), "model: expected float32 parameters", "found torch.float16 for weight"),
    ("module of too many parameters", lambda at: make().module([0.0] * 9), "theta: expected 4 parameters", "found 9"),
    ("module of a matrix", lambda at: make().module(torch.zeros(2, 2)), "theta: expected 1 dimension", "found 2"),
    ("figures of too few parameters", lambda at: make(test=TEST).evaluate([0.0] * 3), "theta: expected 4 parameters", "found 3"),
    ("names of too many parameters", lambda at: make().unflatten(torch.zeros(9)), "theta: expected shape [4]", "found [9]"),
    ("module extended later", lambda at: at.run(changed_later(lambda model: model.register_parameter("scale", vector(1)))), "model: expected the trainable parameters that it had", "found a change of scale"),
    ("module of a client that is not there", lambda at: at.run(make()).model(client=9), "client: expected an integer from 0 to 2", "found 9"),
    ("backward of a loss without graph", lambda at: paretofl.torch.backward([torch.zeros(())], [vector(2)]), "backward: expected scalar tensors that need a gradient", "found one without a graph at 0"),
    ("backward of no losses", lambda at: paretofl.torch.backward([], [vector(2)]), "backward: expected losses and shared parameters that need gradients", "found 0 and 1"),
    ("backward of a single parameter", lambda at: paretofl.torch.backward([VECTOR.sum()], VECTOR), "backward: expected a list of shared parameters", "found a tensor"),
    ("backward of computed tensors", lambda at: paretofl.torch.backward([VECTOR.sum()], [VECTOR * 1]), "backward: expected shared parameters", "found a tensor of shape [2] that was computed from others"),
    ("backward of names", lambda at: paretofl.torch.backward([VECTOR.sum()], ["weight"]), "backward: expected shared parameters", "found str"),
    ("backward of other parameters", lambda at: paretofl.torch.backward([vector(2).sum()], [VECTOR]), "backward: expected losses that depend on the shared parameters", "found none that does"),
    ("backward by an unknown solver", lambda at: paretofl.torch.backward([VECTOR.sum()], [VECTOR], solver="x"), "solver: expected one of fixed", "found 'x'"),
]


class Later:
    """A loss that is wrong from its second minibatch of client 1 on: the first minibatch of all is the trial of the problem."""

    def __init__(self, wrong):
        self.wrong = wrong

    def __call__(self, outputs, batch):
        marked = bool((batch[1] > 50).any())
        return self.wrong(outputs, batch) if marked else squared(outputs, batch)


def marked_clients():
    """Three clients, of which the targets of the second are marked by large numbers."""
    inputs, targets = samples(1)
    return [samples(0), (inputs, targets + 100), samples(2)]


class Replaced(nn.Module):
    """A module that puts another tensor in the place of its parameter, on inputs above 50."""

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(1, 3))

    def forward(self, inputs):
        if bool((inputs > 50).any()):
            self.weight = nn.Parameter(torch.ones(1, 3))
        return inputs @ self.weight.T


def one_marked_input():
    inputs, targets = samples(1)
    return [samples(0), (inputs + 100, targets), samples(2)]


FAILURES = [
    ("exception in a loss", lambda at: at.run(make(loss=Later(lambda outputs, batch: 1 / 0), clients=marked_clients())), "ZeroDivisionError: division by zero\nTraceback", "in <lambda>"),
    ("loss that is not a number", lambda at: at.run(make(loss=Later(lambda outputs, batch: outputs.sum() / 0 * 0), clients=marked_clients())), "objectives: expected a finite loss of first", "found nan"),
    ("loss without gradient", lambda at: at.run(make(loss=Later(lambda outputs, batch: torch.ones(())), clients=marked_clients())), "that depends on the model's parameters", "found one without a gradient"),
    ("client of other inputs", lambda at: at.run(make(clients=[samples(0), samples(1, inputs=7), samples(2)])), "mat1 and mat2 shapes cannot be multiplied (20x7 and 3x1)", "Traceback"),
    ("client of other targets", lambda at: at.run(make(clients=[samples(0), (samples(1)[0], torch.zeros(20, 3, 2)), samples(2)])), "RuntimeError", "Traceback"),
    ("module changed under way", lambda at: at.run(make(Replaced(), clients=one_marked_input())), "model: expected a step that leaves the parameter weight in its place", "found another object there"),
]


@uses(*PROBLEMS)
def test_problem(at, use, expected, found):
    check_one_error(at, use, expected, found)


@uses(*FAILURES)
def test_failure_of_one_client(at, use, expected, found):
    check_failures(at, use, expected, found)


def test_a_module_that_changes_itself_later_leaves_the_callers_alone(at):
    model = Replaced()
    before = {name: value.clone() for name, value in model.state_dict().items()}
    at.run(make(model, clients=one_marked_input()))
    assert all(torch.equal(value, before[name]) for name, value in model.state_dict().items())


ENVIRONMENTS = [
    ("unknown id", lambda at, e: e.make("minecart-v9"), "environment: expected one of deep-sea-treasure-v0", "found 'minecart-v9'"),
    ("id of another type", lambda at, e: e.make(3), "environment: expected an id", "found int"),
    ("no copies", lambda at, e: e.make_vec("minecart-v0", 0), "make_vec: expected num_envs of at least 1", "found 0"),
    ("problem of an unknown id", lambda at, e: at.run(e.Problem("nothing-v0"), strategy="fedpref"), "make: expected the id of an environment of Gymnasium", "found 'nothing-v0'"),
    ("problem of another type", lambda at, e: e.Problem(3), "make: expected an id or a function", "found int"),
    ("gradients of an environment", lambda at, e: e.Problem("paretofl/minecart-v0").gradients(0, None, None), "gradients: expected a problem with gradients", "found an environment"),
]


@uses(*ENVIRONMENTS)
def test_environment(at, use, expected, found):
    pytest.importorskip("gymnasium", minversion="1.1", reason="Gymnasium is not installed (pip install gymnasium)")
    import paretofl.environments

    check_one_error(at, lambda at: use(at, paretofl.environments), expected, found)
