"""Learning and filtering: clusters, networks, hidden states."""

from __future__ import annotations

import math

import numpy as np

from .entries import integers, kernel, normal, uniform


def kmeans(points, k, iterations, rng):
    """Lloyd's algorithm; an empty cluster is seeded anew."""
    n = points.shape[0]
    centers = points[rng.choice(n, k, replace=False)]
    labels = np.zeros(n, dtype=int)
    for it in range(iterations):
        d2 = ((points[:, None, :] - centers[None, :, :]) ** 2).sum(axis=2)
        new_labels = d2.argmin(axis=1)
        if it > 0 and np.array_equal(new_labels, labels):
            break
        labels = new_labels
        for c in range(k):
            members = points[labels == c]
            if len(members) == 0:
                centers[c] = points[rng.integers(n)]
            else:
                centers[c] = members.mean(axis=0)
    return centers, labels


kernel(
    kmeans,
    lambda: (normal(0, 6, 2), 2, 5, np.random.default_rng(0)),
    lambda: (normal(0, 4, 3), 3, 1, np.random.default_rng(1)),
    lambda: (normal(0, 150, 2), 4, 20, np.random.default_rng(2)),
)


def softmax(x, axis=-1):
    """Exponentials that sum to one."""
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)


kernel(
    softmax,
    lambda: (normal(0, 2, 3),),
    lambda: (normal(0, 1, 5),),
    lambda: (normal(0, 20, 30),),
)


def layer_norm(x, g, b, eps=1e-5):
    """Normalize over the last axis."""
    mean = np.mean(x, axis=-1, keepdims=True)
    variance = np.var(x, axis=-1, keepdims=True)
    return g * (x - mean) / np.sqrt(variance + eps) + b


def gelu(x):
    """Smooth rectifier."""
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


def attention(q, k, v, mask):
    """Scaled dot products."""
    return softmax(q @ k.T / np.sqrt(q.shape[-1]) + mask) @ v


def linear(x, w, b):
    """Affine map."""
    return x @ w + b


def mha(x, c_attn, c_proj, n_head):
    """Attention with several heads, causal."""
    x = linear(x, **c_attn)
    qkv = np.split(x, 3, axis=-1)
    qkv_heads = [np.split(part, n_head, axis=-1) for part in qkv]
    causal_mask = (1 - np.tri(x.shape[0], dtype=x.dtype)) * -1e10
    out_heads = [attention(q, k, v, causal_mask) for q, k, v in zip(*qkv_heads)]  # noqa: B905  # on purpose
    x = np.hstack(out_heads)
    return linear(x, **c_proj)


def transformer_block(x, mlp, attn, ln_1, ln_2, n_head):
    """Attention and a network, each with a residual."""
    x = x + mha(layer_norm(x, **ln_1), **attn, n_head=n_head)
    h = layer_norm(x, **ln_2)
    return x + linear(gelu(linear(h, **mlp["c_fc"])), **mlp["c_proj"])


def block_arguments(n, d):
    """Return the arguments of a block: n tokens of width d, two heads."""
    affine = [
        {"w": normal(i, *shape) * 0.1, "b": normal(i, shape[1])}
        for i, shape in enumerate([(d, 4 * d), (4 * d, d), (d, 3 * d), (d, d)])
    ]
    norms = [{"g": uniform(i, d), "b": normal(i, d)} for i in (5, 6)]
    mlp = {"c_fc": affine[0], "c_proj": affine[1]}
    attn = {"c_attn": affine[2], "c_proj": affine[3]}
    return normal(9, n, d), mlp, attn, norms[0], norms[1], 2


kernel(
    transformer_block,
    lambda: block_arguments(3, 4),
    lambda: block_arguments(1, 8),
    lambda: block_arguments(16, 16),
)


def sigmoid(z):
    """Logistic function without overflow."""
    out = np.empty_like(z)
    pos = z >= 0
    out[pos] = 1.0 / (1.0 + np.exp(-z[pos]))
    ez = np.exp(z[~pos])
    out[~pos] = ez / (1.0 + ez)
    return out


def lstm(x, h, c, w, u, b):
    """Run a sequence through a cell with gates."""
    hidden = h.shape[0]
    hs = []
    for x_t in x:
        z = w @ x_t + u @ h + b
        i = sigmoid(z[:hidden])
        f = sigmoid(z[hidden : 2 * hidden])
        o = sigmoid(z[2 * hidden : 3 * hidden])
        g = np.tanh(z[3 * hidden :])
        c = f * c + i * g
        h = o * np.tanh(c)
        hs.append(h)
    return np.stack(hs), c


def lstm_arguments(steps, d, hidden):
    """Return a sequence and the weights of a cell."""
    return (
        normal(0, steps, d), np.zeros(hidden), np.zeros(hidden),
        normal(1, 4 * hidden, d), normal(2, 4 * hidden, hidden), normal(3, 4 * hidden),
    )  # fmt: skip


kernel(
    lstm,
    lambda: lstm_arguments(3, 2, 2),
    lambda: lstm_arguments(1, 1, 4),
    lambda: lstm_arguments(30, 8, 8),
)


def train_mlp(x, y, hidden, lr, epochs, rng):
    """Train a network of two layers by backpropagation and momentum."""
    params = {
        "w1": rng.normal(0, 0.1, (x.shape[1], hidden)),
        "b1": np.zeros(hidden),
        "w2": rng.normal(0, 0.1, (hidden, 1)),
        "b2": np.zeros(1),
    }
    velocity = {name: np.zeros_like(p) for name, p in params.items()}
    losses = []
    for _ in range(epochs):
        a = np.maximum(x @ params["w1"] + params["b1"], 0)
        out = (a @ params["w2"] + params["b2"])[:, 0]
        err = out - y
        losses.append(float(np.mean(err**2)))
        d_out = (2 * err / len(y))[:, None]
        grads = {}
        grads["w2"] = a.T @ d_out
        grads["b2"] = d_out.sum(axis=0)
        d_a = d_out @ params["w2"].T
        d_a[a <= 0] = 0
        grads["w1"] = x.T @ d_a
        grads["b1"] = d_a.sum(axis=0)
        for name in params:
            velocity[name] = 0.9 * velocity[name] - lr * grads[name]
            params[name] += velocity[name]
    return params, losses


kernel(
    train_mlp,
    lambda: (normal(0, 4, 2), normal(1, 4), 3, 0.1, 2, np.random.default_rng(0)),
    lambda: (normal(0, 5, 3), normal(1, 5), 2, 0.2, 0, np.random.default_rng(0)),
    lambda: (normal(0, 40, 4), normal(1, 40), 8, 0.05, 30, np.random.default_rng(0)),
)


def kalman(zs, f, h, q, r, x, p):
    """Predict and correct."""
    eye = np.eye(len(x))
    means, log_likelihood = [], 0.0
    for z in zs:
        x = f @ x
        p = f @ p @ f.T + q
        s = h @ p @ h.T + r
        gain = p @ h.T @ np.linalg.inv(s)
        y = z - h @ x
        x = x + gain @ y
        p = (eye - gain @ h) @ p
        log_likelihood -= 0.5 * (y @ np.linalg.solve(s, y) + np.log(np.linalg.det(2 * np.pi * s)))
        means.append(x)
    return np.array(means), p, log_likelihood


def kalman_arguments(steps):
    """Return observations of a moving point."""
    f = np.array([[1.0, 0.1], [0.0, 1.0]])
    h = np.array([[1.0, 0.0]])
    return normal(0, steps, 1), f, h, 0.01 * np.eye(2), 0.1 * np.eye(1), np.zeros(2), np.eye(2)


kernel(
    kalman,
    lambda: kalman_arguments(3),
    lambda: kalman_arguments(1),
    lambda: kalman_arguments(40),
)


def viterbi(obs, log_init, log_trans, log_emit):
    """Most probable path of states."""
    n, k = len(obs), len(log_init)
    delta = np.empty((n, k))
    psi = np.zeros((n, k), dtype=int)
    delta[0] = log_init + log_emit[:, obs[0]]
    for t in range(1, n):
        for j in range(k):
            scores = delta[t - 1] + log_trans[:, j]
            psi[t, j] = np.argmax(scores)
            delta[t, j] = scores[psi[t, j]] + log_emit[j, obs[t]]
    path = np.empty(n, dtype=int)
    path[-1] = delta[-1].argmax()
    for t in range(n - 2, -1, -1):
        path[t] = psi[t + 1, path[t + 1]]
    return path, delta[-1].max()


def hidden_markov(n, k, symbols):
    """Return observations and the logarithms of a model."""
    logs = np.log(uniform(1, k)), np.log(uniform(2, k, k)), np.log(uniform(3, k, symbols))
    return integers(0, symbols, n), *logs


kernel(
    viterbi,
    lambda: hidden_markov(4, 2, 3),
    lambda: hidden_markov(1, 3, 2),
    lambda: hidden_markov(60, 4, 5),
)


def forward_backward(obs, init, trans, emit):
    """Posterior probabilities of hidden states, scaled."""
    n, k = obs.shape[0], init.shape[0]
    alpha, beta, scale = np.zeros((n, k)), np.ones((n, k)), np.zeros(n)
    alpha[0] = init * emit[:, obs[0]]
    scale[0] = alpha[0].sum()
    alpha[0] /= scale[0]
    for t in range(1, n):
        alpha[t] = (alpha[t - 1] @ trans) * emit[:, obs[t]]
        scale[t] = alpha[t].sum()
        alpha[t] /= scale[t]
    for t in reversed(range(n - 1)):
        beta[t] = trans @ (emit[:, obs[t + 1]] * beta[t + 1]) / scale[t + 1]
    gamma = alpha * beta
    return gamma / gamma.sum(axis=1, keepdims=True), np.log(scale).sum()


kernel(
    forward_backward,
    lambda: (integers(0, 3, 4), uniform(1, 2), uniform(2, 2, 2), uniform(3, 2, 3)),
    lambda: (integers(0, 2, 1), uniform(1, 3), uniform(2, 3, 3), uniform(3, 3, 2)),
    lambda: (integers(0, 5, 80), uniform(1, 4), uniform(2, 4, 4), uniform(3, 4, 5)),
)


def gaussian_mixture(x, mu, sigma, weight, iterations):
    """Expectation and maximization in one dimension."""
    for _ in range(iterations):
        density = (
            weight
            / (sigma * math.sqrt(2 * math.pi))
            * np.exp(-0.5 * ((x[:, None] - mu) / sigma) ** 2)
        )
        resp = density / density.sum(axis=1, keepdims=True)
        total = resp.sum(axis=0)
        mu = (resp * x[:, None]).sum(axis=0) / total
        sigma = np.sqrt((resp * (x[:, None] - mu) ** 2).sum(axis=0) / total)
        weight = total / x.size
    return mu, sigma, weight


kernel(
    gaussian_mixture,
    lambda: (normal(0, 8), np.array([-1.0, 1.0]), np.ones(2), np.ones(2) / 2, 2),
    lambda: (normal(0, 9), np.array([-1.0, 0.0, 1.0]), np.ones(3), np.ones(3) / 3, 0),
    lambda: (normal(0, 100), np.array([-1.0, 1.0]), np.ones(2), np.ones(2) / 2, 30),
)


def logistic_regression(x, y, lr=0.1, lam=0.01, tol=1e-6, max_iter=100):
    """Gradient descent with backtracking and an intercept."""
    n, d = x.shape
    design = np.c_[np.ones(n), x]
    w = np.zeros(d + 1)

    def loss(w):
        z = design @ w
        return np.mean(np.logaddexp(0, z) - y * z) + 0.5 * lam * w[1:] @ w[1:]

    value = loss(w)
    for it in range(max_iter):  # noqa: B007  # on purpose
        p = 1 / (1 + np.exp(-(design @ w)))
        grad = design.T @ (p - y) / n
        grad[1:] += lam * w[1:]
        step = lr
        while loss(w - step * grad) > value - 0.5 * step * (grad @ grad) and step > 1e-10:
            step *= 0.5
        w = w - step * grad
        new = loss(w)
        if value - new < tol:
            break
        value = new
    return w, it


kernel(
    logistic_regression,
    lambda: (normal(0, 6, 2), integers(1, 2, 6)),
    lambda: (normal(0, 4, 1), integers(1, 2, 4), 0.5, 0.1, 1e-3, 3),
    lambda: (normal(0, 60, 3), integers(1, 2, 60)),
)


def knn(train, labels, test, k):
    """Vote among the nearest neighbors."""
    predictions = []
    for p in test:
        distance = np.sqrt(np.sum((train - p) ** 2, axis=1))
        nearest = np.argsort(distance)[:k]
        votes = {}
        for label in labels[nearest]:
            votes[int(label)] = votes.get(int(label), 0) + 1
        best = -1
        for label, count in votes.items():
            if best == -1 or count > votes[best] or (count == votes[best] and label < best):
                best = label
        predictions.append(best)
    return np.array(predictions)


kernel(
    knn,
    lambda: (normal(0, 6, 2), integers(1, 3, 6), normal(2, 3, 2), 3),
    lambda: (normal(0, 5, 1), integers(1, 2, 5), normal(2, 1, 1), 1),
    lambda: (normal(0, 50, 3), integers(1, 4, 50), normal(2, 30, 3), 5),
)


def pca(x, components):
    """Principal components with a fixed sign."""
    centered = x - x.mean(axis=0)
    _, s, vt = np.linalg.svd(centered, full_matrices=False)
    for i in range(vt.shape[0]):
        j = np.abs(vt[i]).argmax()
        if vt[i, j] < 0:
            vt[i] *= -1
    ratio = s**2 / np.sum(s**2)
    return centered @ vt[:components].T, ratio[:components]


kernel(
    pca,
    lambda: (normal(0, 5, 3), 2),
    lambda: (normal(0, 4, 2), 1),
    lambda: (normal(0, 60, 8), 3),
)


def adam(grad_scale, theta, steps, lr=0.1, beta1=0.9, beta2=0.999, eps=1e-8):
    """Minimize a quadratic with adaptive moments, in place."""
    m = np.zeros_like(theta)
    v = np.zeros_like(theta)
    for t in range(1, steps + 1):
        g = grad_scale * theta
        m = beta1 * m + (1 - beta1) * g
        v = beta2 * v + (1 - beta2) * g * g
        m_hat = m / (1 - beta1**t)
        v_hat = v / (1 - beta2**t)
        theta -= lr * m_hat / (np.sqrt(v_hat) + eps)
    return theta


kernel(
    adam,
    lambda: (uniform(0, 3), normal(1, 3), 3),
    lambda: (uniform(0, 5), normal(1, 5), 0, 0.01),
    lambda: (uniform(0, 50), normal(1, 50), 100),
)
