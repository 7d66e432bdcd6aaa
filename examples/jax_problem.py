"""A federated problem whose losses and gradients are computed by JAX.

    pip install "jax[cpu]"
    python3 examples/jax_problem.py --dir runs/jax --threads 2

Clients share a network with one hidden layer. From three inputs it predicts a product (regression) and whether the point lies outside of a
ball (classification). Each client has inputs around a center of its own.
"""

import argparse
import os

# The engine's threads work on different clients at the same time, so that one XLA computation needs one thread.
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false")

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402

import paretofl  # noqa: E402

HIDDEN, DROPOUT = 32, 0.05


def draw_points(seed, count, center):
    """Inputs [count, 3] around a center, and the targets [count] of both objectives."""
    inputs = np.random.default_rng(seed).normal(center, 1.0, size=(count, 3)).astype(np.float32)
    return inputs, inputs[:, 0] * inputs[:, 1], (np.square(inputs).sum(axis=1) > 3).astype(np.float32)


class JaxProblem(paretofl.Problem):
    def __init__(self, clients=6, samples=200, batch_size=32):
        centers = np.random.default_rng(0).normal(0.0, 0.5, size=(clients, 3))
        self.clients = [draw_points(client + 1, samples, center) for client, center in enumerate(centers)]
        self.test = draw_points(0, 1000, 0.0)
        self.batch_size = batch_size
        # One forward pass serves all rows of the jacobian; has_aux returns the losses beside it.
        self.losses_and_jacobian = jax.jit(jax.jacrev(lambda *arguments: (self.losses(*arguments),) * 2, has_aux=True))
        self.figures = jax.jit(self.losses_and_accuracies)

    def num_clients(self):
        return len(self.clients)

    def num_samples(self, client):
        return len(self.clients[client][0])

    def objectives(self):
        return ["product", "outside"]

    def initial_parameters(self):
        keys = jax.random.split(jax.random.key(0), 3)
        return {"body.weight": jax.random.normal(keys[0], (3, HIDDEN)), "body.bias": jnp.zeros(HIDDEN),
                "product.weight": jax.random.normal(keys[1], (HIDDEN,)) / HIDDEN, "product.bias": jnp.zeros(()),
                "outside.weight": jax.random.normal(keys[2], (HIDDEN,)) / HIDDEN, "outside.bias": jnp.zeros(())}

    def heads(self):
        return {name: [f"{name}.weight", f"{name}.bias"] for name in self.objectives()}

    def outputs(self, theta, inputs, key=None):
        """Predictions [n] of both objectives; with dropout where there is a key."""
        named = self.unflatten(theta)  # also of a traced theta
        hidden = jnp.tanh(inputs @ named["body.weight"] + named["body.bias"])
        if key is not None:
            hidden *= jax.random.bernoulli(key, 1 - DROPOUT, hidden.shape) / (1 - DROPOUT)
        return [hidden @ named[f"{name}.weight"] + named[f"{name}.bias"] for name in self.objectives()]

    def losses(self, theta, batch, key=None):
        inputs, product, outside = batch
        predicted, logits = self.outputs(theta, inputs, key)
        return jnp.stack([jnp.mean((predicted - product) ** 2), jnp.mean(jax.nn.softplus(logits) - outside * logits)])

    def losses_and_accuracies(self, theta, batch):
        _, product, outside = batch
        predicted, logits = self.outputs(theta, batch[0])
        return self.losses(theta, batch), jnp.stack([jnp.mean(jnp.abs(predicted - product) < 0.5), jnp.mean((logits > 0) == (outside > 0))])

    def gradients(self, client, theta, draw):
        chosen = draw.minibatch(self.num_samples(client), self.batch_size)
        batch = [values[chosen] for values in self.clients[client]]
        # JAX takes 32 bits of a seed; these are all 64.
        key = jax.random.fold_in(jax.random.key(draw.seed & 0xFFFFFFFF), draw.seed >> 32)
        # A copy, since theta is valid in this call only and JAX would keep a reference to it.
        jacobian, losses = self.losses_and_jacobian(theta.copy(), batch, key)
        return np.asarray(losses), np.asarray(jacobian)

    def evaluate(self, theta):
        losses, accuracies = self.figures(theta.copy(), self.test)
        return {"loss": np.asarray(losses), "accuracy": np.asarray(accuracies)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dir", required=True, help="folder of the run")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    strategy = {"name": "fedcmoo", "optimizer": "adam", "client_lr": 0.02, "local_steps": 10}
    run = paretofl.run(JaxProblem(), strategy=strategy, rounds=options.rounds, threads=options.threads, directory=options.dir)
    print(run.summary["test"], run.summary["parameters_sha256"])


if __name__ == "__main__":
    main()
