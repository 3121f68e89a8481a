"""Programs that random ones showed to go wrong, made small."""

from __future__ import annotations

from .entries import case


def unread_part_of_a_pattern(x, d):
    """Keep what was computed before a pattern binds a name that nobody reads."""
    y = d.get(0, 0.5)
    match x:
        case float(z):  # noqa: F841
            pass
    return y


case(unread_part_of_a_pattern, lambda: (2.0, {}), lambda: (2, {0: 3}))
