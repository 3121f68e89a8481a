"""Nodes by which a desugaring says what only converted code can say.

Owns the classes. It leaves turning them into plain nodes to the converters of expressions.
Invariant: each is read by the analyses as the plain node that it derives from, and none is left in
a converted tree.
"""

from __future__ import annotations

import gast


class OperatorCall(gast.Call):  # type: ignore[misc]  # gast is untyped
    """A call of an operator, or of a method of what one returned: it stays as it is."""


class BoxValue(gast.Attribute):  # type: ignore[misc]  # gast is untyped
    """The content of a box: a read of it looks itself whether the variable is bound."""
