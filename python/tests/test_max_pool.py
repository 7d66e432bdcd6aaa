"""Max-pooling by the engine, beside PyTorch's own."""

import math

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed (Debian: python3-torch)")
from torch import nn  # noqa: E402
from torch.nn import functional  # noqa: E402

import paretofl  # noqa: E402
import paretofl.torch  # noqa: E402
from paretofl.torch import max_pool  # noqa: E402


def images(*shape):
    """Small whole numbers, of which many are equal, and some that are none."""
    generator = torch.Generator().manual_seed(0)
    numbers = torch.randint(4, shape, generator=generator).float()
    numbers[torch.rand(shape, generator=generator) < 0.3] = -math.inf
    numbers[torch.rand(shape, generator=generator) < 0.1] = math.nan
    return numbers.requires_grad_()


def pooled(use, inputs):
    """What `use` makes of a copy of the inputs, its strides and the gradient."""
    inputs = inputs.detach().clone().requires_grad_()
    outputs = use(inputs)
    (gradient,) = torch.autograd.grad(outputs, inputs, torch.arange(outputs.numel(), dtype=outputs.dtype).reshape(outputs.shape))
    return outputs.detach(), outputs.stride(), gradient


def same(one, other):
    return one.shape == other.shape and one.dtype == other.dtype and torch.equal(one.nan_to_num(nan=9.5), other.nan_to_num(nan=9.5))


def expect_torchs(use, inputs, by_engine):
    expected = pooled(use, inputs)
    with max_pool.EnginePooling() as mode:
        found = pooled(use, inputs)
    assert mode.used == by_engine
    assert same(found[0], expected[0]) and found[1] == expected[1] and same(found[2], expected[2])


@pytest.mark.parametrize("memory_format", [torch.contiguous_format, torch.channels_last])
@pytest.mark.parametrize("shape", [(3, 2, 6, 38), (2, 3, 7, 5), (2, 10, 4, 6), (1, 37, 2, 3)])
def test_images_are_pooled_as_by_pytorch(shape, memory_format):
    for use in (lambda x: functional.max_pool2d(x, 2), nn.MaxPool2d(2), nn.MaxPool2d((2, 2), [2, 2]), lambda x: torch.max_pool2d(x, [2], (2, 2)),
                lambda x: functional.max_pool2d(input=x, kernel_size=2)):
        expect_torchs(use, images(*shape).contiguous(memory_format=memory_format), True)


@pytest.mark.parametrize("use", [nn.MaxPool2d(3), nn.MaxPool2d(2, stride=1), nn.MaxPool2d(2, padding=1), nn.MaxPool2d(2, ceil_mode=True),
                                 nn.MaxPool2d(2, dilation=2), nn.MaxPool2d((2, 1)), lambda x: nn.MaxPool2d(2, return_indices=True)(x)[0],
                                 lambda x: functional.max_pool2d(x.double(), 2), lambda x: functional.max_pool2d(x[0], 2),
                                 lambda x: functional.max_pool2d(x[..., ::2], 2), lambda x: functional.max_pool2d(x.bfloat16(), 2),
                                 lambda x: functional.max_pool2d(x[:, :1], 2), lambda x: functional.max_pool2d(x.transpose(0, 1), 2)])
def test_everything_else_is_left_to_pytorch(use):
    expect_torchs(use, images(2, 3, 6, 8), False)


def test_errors_are_pytorchs():
    for wrong in (lambda: functional.max_pool2d(torch.zeros(1, 1, 1, 4), 2), lambda: functional.max_pool2d(torch.zeros(4), 2),
                  lambda: functional.max_pool2d(torch.zeros(1, 2, 4, 4), (2, 2, 2)), lambda: functional.max_pool2d("image", 2)):
        with pytest.raises(Exception) as expected:
            wrong()
        with max_pool.EnginePooling(), pytest.raises(type(expected.value)) as found:
            wrong()
        assert str(found.value) == str(expected.value)


def test_a_gradient_can_be_differentiated_again():
    def penalty(inputs):
        (gradient,) = torch.autograd.grad(functional.max_pool2d(inputs, 2).pow(3).sum(), inputs, create_graph=True)
        return gradient.pow(2)

    torch.manual_seed(0)
    expect_torchs(penalty, torch.randn(2, 3, 6, 4), True)


def test_transformed_and_traced_images_are_left_to_pytorch():
    inputs = torch.randn(5, 2, 3, 4, 4)
    tangent = torch.ones_like(inputs[0])
    uses = [lambda: torch.jit.trace(nn.MaxPool2d(2), inputs[0], check_trace=False)(inputs[1])]
    if hasattr(torch, "func"):  # since PyTorch 2.0
        uses += [lambda: torch.func.vmap(nn.MaxPool2d(2))(inputs), lambda: torch.func.grad(lambda x: functional.max_pool2d(x, 2).sum())(inputs[0]),
                 lambda: torch.func.jvp(nn.MaxPool2d(2), (inputs[0],), (tangent,))[1]]
    for use in uses:
        expected = use()
        with max_pool.EnginePooling() as mode:
            assert torch.equal(use(), expected)
        assert not mode.used


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.first, self.second, self.out = nn.Conv2d(1, 4, 3), nn.Conv2d(4, 6, 3), nn.Linear(6, 3)

    def forward(self, pictures):
        hidden = functional.max_pool2d(self.first(pictures), 2).relu()
        return self.out(functional.dropout(nn.MaxPool2d(2)(self.second(hidden)), 0.5, self.training).mean((2, 3)))


def problem(**options):
    data = [(torch.randn(24, 1, 14, 14, generator=torch.Generator().manual_seed(k)), torch.arange(24) % 3) for k in range(4)]
    losses = {"cross_entropy": lambda outputs, batch: functional.cross_entropy(outputs, batch[1]), "size": lambda outputs, batch: outputs.pow(2).mean()}
    return paretofl.torch.Problem(Network(), losses, data, test=data[0], batch_size=8, **options)


def test_a_run_has_the_bits_that_it_has_without(tmp_path, monkeypatch):
    called = []
    kernel = max_pool._engine.max_pool_by_two
    monkeypatch.setattr(max_pool._engine, "max_pool_by_two", lambda *arguments: (called.append(1), kernel(*arguments)))
    runs = [paretofl.run(problem(), strategy="fedcmoo", rounds=3, threads=threads, directory=tmp_path / str(threads))
            for threads in (1, 2)]
    count = len(called)
    assert count > 100
    monkeypatch.setattr(max_pool, "_engine_takes", lambda images: False)
    runs.append(paretofl.run(problem(), strategy="fedcmoo", rounds=3, directory=tmp_path / "without"))
    assert len(called) == count
    assert len({run.summary["parameters_sha256"] for run in runs}) == 1
    assert runs[0].metrics[-1]["test"] == runs[2].metrics[-1]["test"]


@pytest.mark.skipif(not hasattr(torch, "compile"), reason="this PyTorch has no torch.compile")
@pytest.mark.filterwarnings("error")
def test_compiled_code_pools_by_itself():
    inputs = torch.randn(2, 3, 6, 6)
    network = torch.compile(lambda x: functional.max_pool2d(x, 2).relu(), backend="aot_eager", fullgraph=True)
    with max_pool.EnginePooling():
        found = network(inputs)
    assert torch.equal(found, functional.max_pool2d(inputs, 2).relu())
