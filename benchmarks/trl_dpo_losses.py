#!/usr/bin/env python3
"""Prints the values that tests/alignment/dpo_golden_test.cpp compares with: losses, gradients and implicit rewards of the TRL library.

TRL's own DPOTrainer._compute_loss is called with models that return fixed log-probabilities of each token, for four pairs whose
completions have 3 and 2, 1 and 4, 2 and 2, and 4 and 1 tokens. Each row holds the mean loss, the derivatives of that loss with respect to
each completion's log-probability, and the means of the chosen and the rejected implicit rewards.
TRL passes over the label smoothing of sigmoid and sigmoid_norm (conservative DPO). Those two rows are the mixture of TRL's losses of the
pairs and of the pairs turned round.

Usage: benchmarks/trl_dpo_losses.py
Needs: pip install trl==1.16.0 torch
"""

from collections import defaultdict
from types import SimpleNamespace

import torch
from trl import DPOTrainer

CHOSEN = [[-0.9, -1.5, -0.4], [-2.3], [-0.3, -2.1], [-0.2, -1.1, -0.6, -0.8]]
REJECTED = [[-1.9, -0.7], [-0.5, -1.2, -0.1, -2.0], [-1.4, -0.6], [-1.7]]
REFERENCE_CHOSEN = [[-1.1, -1.8, -0.2], [-1.9], [-0.8, -2.6], [-0.1, -0.9, -0.4, -0.7]]
REFERENCE_REJECTED = [[-1.2, -0.9], [-0.9, -1.0, -0.3, -2.2], [-1.5, -0.2], [-3.7]]

SETTINGS = [
    dict(loss_type="sigmoid", beta=0.1),
    dict(loss_type="sigmoid", beta=2.0),
    dict(loss_type="sigmoid", beta=0.5, conservative=0.2),
    dict(loss_type="sigmoid_norm", beta=0.5),
    dict(loss_type="sigmoid_norm", beta=0.5, conservative=0.2),
    dict(loss_type="hinge", beta=0.9),
    dict(loss_type="ipo", beta=0.3),
    dict(loss_type="robust", beta=0.5, label_smoothing=0.2),
]


def padded(rows):
    """[pairs, 1 + longest] log-probabilities, the first token being the prompt's, and the mask of the completions."""
    longest = 1 + max(len(row) for row in CHOSEN + REJECTED)
    values, mask = torch.zeros(len(rows), longest, dtype=torch.float64), torch.zeros(len(rows), longest, dtype=torch.long)
    for i, row in enumerate(rows):
        values[i, 1:1 + len(row)] = torch.tensor(row, dtype=torch.float64)
        mask[i, 1:1 + len(row)] = 1
    return values, mask


class FixedModel(torch.nn.Module):
    """Returns log-probabilities as TRL's patched forward pass does: one column per predicted token."""

    is_gradient_checkpointing = False

    def __init__(self, logprobs):
        super().__init__()
        self.logprobs = logprobs

    def forward(self, **_):
        zeros = torch.zeros_like(self.logprobs[:, 1:])
        return SimpleNamespace(log_probs=self.logprobs[:, 1:], entropy=zeros, mean_logits=zeros, is_top1=zeros.bool())


def loss_of(setting, chosen, rejected, reference_chosen, reference_rejected):
    policy, mask = padded(chosen + rejected)
    reference, _ = padded(reference_chosen + reference_rejected)
    policy.requires_grad_()
    model = FixedModel(policy)
    metrics = defaultdict(lambda: defaultdict(list))
    accelerator = SimpleNamespace(device="cpu", gather_for_metrics=lambda x: x, gather=lambda x: x)
    trainer = SimpleNamespace(
        model=model, ref_model=FixedModel(reference), accelerator=accelerator, aux_loss_enabled=False, ld_alpha=None,
        precompute_ref_logps=False, args=SimpleNamespace(gradient_checkpointing=False, gradient_checkpointing_kwargs=None),
        f_divergence_type="reverse_kl", loss_types=[setting["loss_type"]], loss_weights=[1.0], beta=setting["beta"],
        label_smoothing=setting.get("label_smoothing", 0.0), use_weighting=False, _metrics=metrics, _total_train_tokens=0, _tp_size=1)
    inputs = dict(input_ids=torch.zeros_like(mask), attention_mask=torch.ones_like(mask), completion_mask=mask)
    loss = DPOTrainer._compute_loss(trainer, model, inputs, return_outputs=False)
    loss.backward()
    found = metrics["train"]
    # Every token of a completion has the derivative of the completion's log-probability.
    return loss.item(), policy.grad[:, 1].tolist(), found["rewards/chosen"][0], found["rewards/rejected"][0]


def row_of(setting):
    loss, gradient, chosen, rejected = loss_of(setting, CHOSEN, REJECTED, REFERENCE_CHOSEN, REFERENCE_REJECTED)
    if epsilon := setting.get("conservative"):
        turned, turned_gradient, _, _ = loss_of(setting, REJECTED, CHOSEN, REFERENCE_REJECTED, REFERENCE_CHOSEN)
        pairs = len(CHOSEN)
        turned_gradient = turned_gradient[pairs:] + turned_gradient[:pairs]
        loss = (1 - epsilon) * loss + epsilon * turned
        gradient = [(1 - epsilon) * a + epsilon * b for a, b in zip(gradient, turned_gradient)]
    return loss, gradient, chosen, rejected


def main():
    for setting in SETTINGS:
        loss, gradient, chosen, rejected = row_of(setting)
        numbers = ", ".join(f"{x:.12g}" for x in gradient)
        print(f"{setting}\n    {loss:.12g}, {{{numbers}}}, {chosen:.12g}, {rejected:.12g}")


if __name__ == "__main__":
    main()
