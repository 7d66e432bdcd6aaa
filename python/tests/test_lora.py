"""Adapters that the library PEFT puts into a module, trained by paretofl.torch.Problem."""

import threading

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed (Debian: python3-torch)")
peft = pytest.importorskip("peft", reason="PEFT is not installed (pip install peft)")
from torch import nn  # noqa: E402

import paretofl  # noqa: E402
import paretofl.torch  # noqa: E402

RANK = 2


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(6, 16), nn.Linear(16, 16)
        self.sign, self.sum = nn.Linear(16, 2), nn.Linear(16, 1)

    def forward(self, inputs):
        hidden = self.second(self.first(inputs).tanh()).tanh()
        return self.sign(hidden), self.sum(hidden)


def base():
    torch.manual_seed(0)
    return Network()


def adapted(network=None, **options):
    torch.manual_seed(1)
    return peft.get_peft_model(network or base(), peft.LoraConfig(r=RANK, lora_alpha=4, target_modules=["first", "second"], **options))


def client_data(client, samples=40):
    inputs = torch.randn(samples, 6, generator=torch.Generator().manual_seed(client))
    return inputs, (inputs[:, 0] > 0).long(), inputs[:, 1:2] - inputs[:, 2:3]


LOSSES = {"sign": lambda outputs, batch: nn.functional.cross_entropy(outputs[0], batch[1]),
          "sum": lambda outputs, batch: nn.functional.mse_loss(outputs[1], batch[2])}
WHOLE_HEADS = {"modules_to_save": ["sign", "sum"]}


def problem(model, **changes):
    return paretofl.torch.Problem(model, **{"objectives": LOSSES, "clients": [client_data(client) for client in range(4)], "batch_size": 8,
                                            "test": client_data(99, 200), **changes})


def state(model):
    return {name: tensor.detach().clone() for name, tensor in model.state_dict().items()}


def memory(model, trainable):
    return {name: parameter.data_ptr() for name, parameter in model.named_parameters() if parameter.requires_grad is trainable}


def test_theta_is_the_adapter():
    model = adapted()
    slices = problem(model)._description().slices
    prefix = "base_model.model."
    assert [(name, shape) for name, shape, _ in slices] == [
        (prefix + "first.lora_A.default.weight", [RANK, 6]), (prefix + "first.lora_B.default.weight", [16, RANK]),
        (prefix + "second.lora_A.default.weight", [RANK, 16]), (prefix + "second.lora_B.default.weight", [16, RANK])]
    assert sum(np.prod(shape) for _, shape, _ in slices) == model.get_nb_trainable_parameters()[0]


def test_the_threads_share_the_base(monkeypatch, tmp_path):
    from paretofl.torch import problem as module

    made, both = {}, threading.Barrier(2)

    class Kept(module.Replica):
        def __init__(self, *arguments):
            super().__init__(*arguments)
            made[threading.get_ident()] = self.module
            both.wait(timeout=60)  # so that each thread makes one

    model = adapted()
    mine = problem(model)
    monkeypatch.setattr(module, "Replica", Kept)
    before = state(model)
    paretofl.run(mine, strategy="fedcmoo", rounds=3, threads=2, directory=tmp_path / "run")
    assert len(made) == 2 and model not in made.values()
    frozen = memory(model, trainable=False)
    assert len(frozen) == 8 and all(memory(replica, trainable=False) == frozen for replica in made.values())
    assert all(torch.equal(value, before[name]) for name, value in model.state_dict().items())


def test_replicas_on_another_device_share_one_copy_of_the_base():
    from paretofl.torch.buffers import Buffers
    from paretofl.torch.replica import Replica, frozen_parameters

    model, device = adapted(), torch.device("meta")
    names = [name for name, parameter in model.named_parameters() if parameter.requires_grad]
    frozen = frozen_parameters(model, device)
    replicas = [dict(Replica(model, names, device, frozen, Buffers("refuse", model)).module.named_parameters()) for _ in range(2)]
    for name, parameter in replicas[0].items():
        assert parameter.device == device and (parameter is replicas[1][name]) is (name not in names)


@pytest.mark.parametrize("options", [{}, {"lora_dropout": 0.3}, {"use_rslora": True, "bias": "lora_only"}, {"use_dora": True}, WHOLE_HEADS])
@pytest.mark.parametrize("strategy", ["fedcmoo", "firm"])
def test_threads_and_resuming_change_no_bit(tmp_path, strategy, options):
    def train(name, **arguments):
        mine = problem(adapted(**options))
        arguments = {"strategy": strategy, "directory": tmp_path / name, **arguments} if "resume" not in arguments else arguments
        return paretofl.run(mine, **arguments)

    whole = train("whole", rounds=4, threads=1).summary["parameters_sha256"]
    assert train("threads", rounds=4, threads=2).summary["parameters_sha256"] == whole
    train("part", rounds=2, threads=2)
    assert train("part", rounds=4, resume=tmp_path / "part").summary["parameters_sha256"] == whole


class Drawn:
    def __init__(self, seed):
        self.seed = seed

    def minibatch(self, num_samples, batch_size):
        return np.arange(batch_size)


def test_dropout_in_the_adapter_is_seeded_by_the_draw():
    def losses(seed, **options):
        mine = problem(adapted(init_lora_weights=False, **options))
        found, theta = np.empty(2), mine._initial().copy()
        mine._weighted_gradient(0, theta, np.array([0.5, 0.5]), Drawn(seed), found, np.empty_like(theta))
        return found.tolist()

    first = losses(1, lora_dropout=0.3)
    torch.rand(1)
    assert losses(1, lora_dropout=0.3) == first != losses(2, lora_dropout=0.3)
    assert losses(1) == losses(2) != first


def test_peft_loads_what_was_trained(tmp_path):
    mine = problem(adapted(**WHOLE_HEADS))
    run = paretofl.run(mine, strategy={"name": "fedcmoo", "client_lr": 0.1}, rounds=40, directory=tmp_path / "run")
    assert run.summary["test"]["loss"]["sum"] < 0.5 < mine.evaluate(mine._initial().copy())["loss"][1]
    model = run.model()
    assert isinstance(model, peft.PeftModel)
    fresh = base()
    for name, value in base().state_dict().items():
        layer, _, rest = name.rpartition(".")
        kept = "base_layer" if layer in ("first", "second") else "original_module"
        assert torch.equal(model.state_dict()[f"base_model.model.{layer}.{kept}.{rest}"], value)
    model.save_pretrained(tmp_path / "adapter")
    loaded = peft.PeftModel.from_pretrained(fresh, str(tmp_path / "adapter")).eval()
    inputs = client_data(99, 200)[0]
    with torch.no_grad():
        expected = model.eval()(inputs)
        assert all(torch.equal(one, other) for one, other in zip(loaded(inputs), expected))
        merged = loaded.merge_and_unload()(inputs)
        assert all(torch.allclose(one, other, atol=1e-5) for one, other in zip(merged, expected))
        assert not torch.allclose(base()(inputs)[1], expected[1], atol=0.1)
    loss = nn.functional.mse_loss(expected[1], client_data(99, 200)[2]).item()
    assert loss == pytest.approx(run.summary["test"]["loss"]["sum"], rel=1e-5)


def test_whole_heads_serve_their_objective_alone():
    mine = problem(adapted(**WHOLE_HEADS), heads={name: f"base_model.model.{name}" for name in ("sign", "sum")})
    slices = mine._description().slices
    assert [(name.split(".")[2], head) for name, _, head in slices if head >= 0] == [("sign", 0)] * 2 + [("sum", 1)] * 2


def test_a_base_of_half_precision_has_an_adapter_of_float32(tmp_path):
    model = adapted(base().to(torch.bfloat16))
    mine = problem(model, forward=lambda module, batch: [output.float() for output in module(batch[0].bfloat16())])
    run = paretofl.run(mine, strategy="fedavg", rounds=2, directory=tmp_path / "run")
    kinds = {name.split(".")[3]: value.dtype for name, value in run.model().named_parameters()}
    assert kinds == {"base_layer": torch.bfloat16, "lora_A": torch.float32, "lora_B": torch.float32, "weight": torch.bfloat16, "bias": torch.bfloat16}


def test_a_tiny_language_model_learns_by_its_adapter(tmp_path):
    transformers = pytest.importorskip("transformers", reason="Transformers is not installed (pip install transformers)")
    torch.manual_seed(0)
    config = transformers.GPT2Config(vocab_size=12, n_positions=16, n_embd=16, n_layer=2, n_head=2, initializer_range=0.5, bos_token_id=0, eos_token_id=0)
    model = peft.get_peft_model(transformers.GPT2LMHeadModel(config), peft.LoraConfig(
        task_type="CAUSAL_LM", r=4, lora_alpha=16, lora_dropout=0.1, target_modules=["c_attn", "c_fc"], fan_in_fan_out=True))

    class Counting(torch.utils.data.Dataset):
        """Sequences that count up by one: their even and their odd tokens are two objectives."""

        def __init__(self, seed):
            first = torch.randint(12, (40, 1), generator=torch.Generator().manual_seed(seed))
            self.tokens = (first + torch.arange(10)) % 12

        def __len__(self):
            return len(self.tokens)

        def __getitem__(self, index):
            return {"input_ids": self.tokens[index]}

    def loss_of(parity):
        def loss(outputs, batch):
            following = batch["input_ids"][:, 1:]
            losses = nn.functional.cross_entropy(outputs.logits[:, :-1].transpose(1, 2), following, reduction="none")
            return losses[following % 2 == parity].mean()

        return loss

    mine = paretofl.torch.Problem(model, {"even": loss_of(0), "odd": loss_of(1)}, [Counting(client) for client in range(3)], test=Counting(9), batch_size=8)
    assert mine._initial().size == model.get_nb_trainable_parameters()[0]
    strategy = {"name": "fedcmoo", "optimizer": "adam", "client_lr": 0.02, "local_steps": 5}
    runs = [paretofl.run(mine, strategy=strategy, rounds=10, threads=threads, directory=tmp_path / str(threads)) for threads in (1, 2)]
    assert len({run.summary["parameters_sha256"] for run in runs}) == 1
    before = mine.evaluate(mine._initial().copy())["loss"]
    assert max(runs[0].summary["test"]["loss"].values()) < 0.5 * min(before)
