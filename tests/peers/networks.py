"""Networks: a perceptron forward and one training step, an LSTM forward and its gradient."""

from __future__ import annotations

import numpy as np

from .entries import program


def mlp_forward(x, w1, b1, w2, b2):
    """Class probabilities of a perceptron with one hidden layer."""
    hidden = np.maximum(x @ w1 + b1, 0.0)
    logits = hidden @ w2 + b2
    logits = logits - logits.max(axis=1, keepdims=True)
    e = np.exp(logits)
    return e / e.sum(axis=1, keepdims=True)


def mlp_arguments(batch, inputs, hidden, outputs):
    """A batch and the parameters of a perceptron, float32."""
    rng = np.random.default_rng(3)
    shapes = (batch, inputs), (inputs, hidden), (hidden,), (hidden, outputs), (outputs,)
    return tuple((0.1 * rng.normal(size=shape)).astype(np.float32) for shape in shapes)


program(
    mlp_forward,
    lambda: mlp_arguments(2, 4, 3, 2),
    lambda: mlp_arguments(9, 7, 8, 5),
    timed={"float32, 64 x 784-256-10": lambda: mlp_arguments(64, 784, 256, 10)},
)


def mlp_training_step(x, labels, w1, b1, w2, b2, lr):
    """One step of gradient descent on the cross entropy; the parameters are changed in place."""
    n = len(x)
    hidden = x @ w1 + b1
    active = hidden > 0
    hidden[~active] = 0
    logits = hidden @ w2 + b2
    logits -= logits.max(axis=1, keepdims=True)
    p = np.exp(logits)
    p /= p.sum(axis=1, keepdims=True)
    loss = -np.log(p[np.arange(n), labels]).mean()
    d_logits = p.copy()
    d_logits[np.arange(n), labels] -= 1
    d_logits /= n
    d_w2 = hidden.T @ d_logits
    d_hidden = d_logits @ w2.T * active
    w2 -= lr * d_w2
    b2 -= lr * d_logits.sum(axis=0)
    w1 -= lr * (x.T @ d_hidden)
    b1 -= lr * d_hidden.sum(axis=0)
    return loss


def training_arguments(batch, inputs, hidden, outputs):
    """A batch with labels, parameters and a learning rate."""
    x, *parameters = mlp_arguments(batch, inputs, hidden, outputs)
    labels = np.random.default_rng(4).integers(0, outputs, batch)
    return x, labels, *parameters, 0.1


program(
    mlp_training_step,
    lambda: training_arguments(2, 4, 3, 2),
    lambda: training_arguments(9, 7, 8, 5),
    timed={"float32, 64 x 784-256-10": lambda: training_arguments(64, 784, 256, 10)},
)


def sigmoid(x):
    """The logistic function."""
    return 1.0 / (1.0 + np.exp(-x))


def lstm_forward(x, h, c, w, u, b):
    """Hidden states of an LSTM; the gates are input, forget, cell and output."""
    steps = len(x)
    size = h.shape[1]
    states = np.zeros((steps, *h.shape), dtype=x.dtype)
    for t in range(steps):
        z = x[t] @ w + h @ u + b
        i = sigmoid(z[:, :size])
        f = sigmoid(z[:, size : 2 * size])
        g = np.tanh(z[:, 2 * size : 3 * size])
        o = sigmoid(z[:, 3 * size :])
        c = f * c + i * g
        h = o * np.tanh(c)
        states[t] = h
    return states, c


def lstm_arguments(steps, batch, inputs, size):
    """A sequence, a first state, and the parameters of an LSTM, float32."""
    rng = np.random.default_rng(5)
    shapes = (
        (steps, batch, inputs), (batch, size), (batch, size), (inputs, 4 * size), (size, 4 * size),
        (4 * size,),
    )  # fmt: skip
    return tuple((0.3 * rng.normal(size=shape)).astype(np.float32) for shape in shapes)


program(
    lstm_forward,
    lambda: lstm_arguments(2, 1, 3, 2),
    lambda: lstm_arguments(5, 3, 4, 6),
    timed={"100 steps, 32 x 64-64": lambda: lstm_arguments(100, 32, 64, 64)},
)


def lstm_gradient(x, h, c, w, u, b, target):
    """Squared error of the last state, and its gradient with respect to the parameters."""
    steps, size = len(x), h.shape[1]
    hs, cs, gates = [h], [c], []
    for t in range(steps):
        z = x[t] @ w + hs[-1] @ u + b
        z[:, : 2 * size] = sigmoid(z[:, : 2 * size])
        z[:, 2 * size : 3 * size] = np.tanh(z[:, 2 * size : 3 * size])
        z[:, 3 * size :] = sigmoid(z[:, 3 * size :])
        i, f, g, o = np.split(z, 4, axis=1)
        cs.append(f * cs[-1] + i * g)
        hs.append(o * np.tanh(cs[-1]))
        gates.append((i, f, g, o))
    error = hs[-1] - target
    d_w, d_u, d_b = np.zeros_like(w), np.zeros_like(u), np.zeros_like(b)
    d_h, d_c = 2 * error / error.size, np.zeros_like(c)
    for t in reversed(range(steps)):
        i, f, g, o = gates[t]
        squashed = np.tanh(cs[t + 1])
        d_c = d_c + d_h * o * (1 - squashed**2)
        d_z = np.concatenate([
            d_c * g * i * (1 - i),
            d_c * cs[t] * f * (1 - f),
            d_c * i * (1 - g**2),
            d_h * squashed * o * (1 - o),
        ], axis=1)  # fmt: skip
        d_w += x[t].T @ d_z
        d_u += hs[t].T @ d_z
        d_b += d_z.sum(axis=0)
        d_h = d_z @ u.T
        d_c = d_c * f
    return np.mean(error**2), d_w, d_u, d_b


def gradient_arguments(*sizes):
    """What an LSTM takes, and a target for its last state."""
    given = lstm_arguments(*sizes)
    return *given, np.ones_like(given[1])


program(
    lstm_gradient,
    lambda: gradient_arguments(2, 1, 3, 2),
    lambda: gradient_arguments(5, 3, 4, 6),
    timed={"100 steps, 32 x 64-64": lambda: gradient_arguments(100, 32, 64, 64)},
)
