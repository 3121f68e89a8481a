"""Arguments with which a kernel allocates 50 MB or more.

Owns `LARGE`, by the names of the kernels. Invariant: each call takes well under a second.
"""

from __future__ import annotations

import numpy as np

from corpus.entries import Maker

LARGE: dict[str, Maker] = {
    "grids.heat_3d": lambda: (np.ones((140, 140, 140)), np.ones((140, 140, 140)), 2),
    "grids.sobel": lambda: (np.random.default_rng(0).random((1500, 1500)),),
    "equations.burgers": lambda: (np.ones(2_000_000), 0.1, 0.1, 0.01, 3),
    "equations.gray_scott": lambda: (
        *np.full((2, 1300, 1300), 0.3), 0.16, 0.08, 0.06, 0.062, 2,
    ),
    "equations.sod_shock_tube": lambda: (400_000, 1e-6),
    "learning.transformer_block": lambda: _block(1500),
    "simulations.black_scholes": lambda: (*np.full((3, 1_500_000), 1.1), 0.1, 0.2),
    "simulations.arc_distance": lambda: (*np.full((4, 1500), 0.1),),
}  # fmt: skip


def _block(tokens: int) -> tuple[object, ...]:
    """Return the arguments of a transformer block of width 16."""
    widths = {"c_fc": (16, 64), "c_proj": (64, 16), "c_attn": (16, 48), "out": (16, 16)}
    affine = {n: {"w": np.full(w, 0.01), "b": np.zeros(w[1])} for n, w in widths.items()}
    norm = {"g": np.ones(16), "b": np.zeros(16)}
    mlp = {"c_fc": affine["c_fc"], "c_proj": affine["c_proj"]}
    attn = {"c_attn": affine["c_attn"], "c_proj": affine["out"]}
    return np.ones((tokens, 16)), mlp, attn, norm, dict(norm), 2
