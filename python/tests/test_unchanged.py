"""What a step must leave as it is: frozen parameters, buffers that nobody has chosen anything for, and which parameters are trained."""

import copy

import pytest

torch = pytest.importorskip("torch")

import paretofl
import paretofl.torch
from torch import nn


def samples(client, count=40):
    generator = torch.Generator().manual_seed(client)
    inputs = torch.randn(count, 3, generator=generator)
    return inputs, inputs.sum(dim=1, keepdim=True)


class Watched(nn.Module):
    """Calls `change` in training, after as many calls as `late` says."""

    calls = late = 0

    def __init__(self):
        super().__init__()
        torch.manual_seed(1)
        self.student = nn.Linear(3, 1)
        self.teacher = copy.deepcopy(self.student).requires_grad_(False)
        self.register_buffer("top", torch.ones(()))

    def forward(self, inputs):
        Watched.calls += self.training
        if self.training and Watched.calls > Watched.late:
            with torch.no_grad():
                type(self).change(self)
        return self.student(inputs) + self.teacher(inputs).detach() * self.top


class MeanTeacher(Watched):
    def change(self):
        self.teacher.weight.lerp_(self.student.weight + 1, 0.1)


class TeacherByData(Watched):
    def change(self):
        self.teacher.weight.data = self.teacher.weight.data * 0.9


class TeacherThroughData(Watched):
    def change(self):
        self.teacher.weight.data.mul_(0.9)


class AnotherTeacher(Watched):
    def change(self):
        self.teacher.weight = nn.Parameter(self.teacher.weight * 0.9, requires_grad=False)


class TopInPlace(Watched):
    def change(self):
        self.top.mul_(1.5)


class AnotherTop(Watched):
    def change(self):
        self.top = self.top * 1.5


class NewBuffer(Watched):
    def change(self):
        self.register_buffer("more", torch.ones(()))


class Freezes(Watched):
    def change(self):
        self.student.bias.requires_grad_(False)


class SameTop(Watched):
    """Writes the number that is there."""

    def change(self):
        self.top.fill_(1.0)


FROZEN = "expected a module that leaves its frozen parameters as they are, found that it writes into teacher.weight"
KINDS = [(MeanTeacher, FROZEN), (TeacherByData, FROZEN), (AnotherTeacher, FROZEN), (TopInPlace, 'buffers="average" or "local", found that it changes top'),
         (AnotherTop, 'buffers="average" or "local", found that it changes top'), (NewBuffer, "found that it changes more"),
         (Freezes, "expected trainable parameters to stay trainable, found that a step has frozen student.bias")]


def make(model, **more):
    losses = {"squared": lambda outputs, batch: (outputs - batch[1]).square().mean(), "absolute": lambda outputs, batch: (outputs - batch[1]).abs().mean()}
    return paretofl.torch.Problem(model, losses, [samples(client) for client in range(3)], test=samples(9), **more)


def run(problem, folder, **more):
    return paretofl.run(problem, strategy={"name": "fedavg", "local_steps": 3}, rounds=4, directory=folder, progress=False, **more)


@pytest.fixture(autouse=True)
def counted():
    Watched.calls = Watched.late = 0


@pytest.mark.parametrize("kind, message", [*KINDS, (TeacherThroughData, FROZEN)])
def test_what_the_first_minibatch_changes_is_an_error_and_the_module_stays_as_it_is(kind, message):
    model = kind()
    before = copy.deepcopy(model.state_dict())
    with pytest.raises(paretofl.Error, match=message):
        make(model)
    assert all(torch.equal(value, before[name]) for name, value in model.state_dict().items())


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("kind, message", KINDS)
def test_what_a_later_minibatch_changes_ends_the_run(tmp_path, kind, message, threads):
    Watched.late = 20
    with pytest.raises(paretofl.Error, match=message):
        run(make(kind()), tmp_path / "run", threads=threads)


@pytest.mark.parametrize("kind", [MeanTeacher, TeacherByData])
@pytest.mark.parametrize("policy", ["average", "local"])
def test_a_choice_for_buffers_is_none_for_frozen_parameters(kind, policy):
    with pytest.raises(paretofl.Error, match=FROZEN):
        make(kind(), buffers=policy)


def test_a_buffer_that_a_step_writes_and_does_not_change_is_no_change(tmp_path):
    assert len(run(make(SameTop()), tmp_path / "run").metrics) == 4


def test_new_buffers_are_refused_with_a_choice_too():
    with pytest.raises(paretofl.Error, match="expected a module that has its buffers from the beginning, found that a step makes more"):
        make(NewBuffer(), buffers="average")


def test_buffers_with_a_choice_may_change(tmp_path):
    assert len(run(make(TopInPlace(), buffers="average"), tmp_path / "run").metrics) == 4


@pytest.mark.parametrize("tensor, message", [(torch.eye(3).to_sparse(), "expected dense buffers with numbers, found top of layout torch.sparse_coo"),
                                             (torch.ones((), device="meta"), "expected dense buffers with numbers, found top on the device meta")])
def test_buffers_that_cannot_be_compared_are_refused(tensor, message):
    model = Watched()
    model.top = tensor
    with pytest.raises(paretofl.Error, match=message):
        make(model)
