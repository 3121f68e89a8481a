"""Random calls of ufuncs, of their methods, and of reductions.

Owns `Calls`, which writes one call with its arguments, and `call_snippet`, a function that makes it
several times with a write in between. It leaves calls made from samples to `sampled_calls`.
Invariant: no call leaves part of its result uninitialized, so that a result can be compared.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from comparing import Snippet, Trial
from random_arrays import DTYPES, Choose, array_text, chance, one, shape_of_choice

from runtime.ops.ufuncs import numpy_ufuncs

UFUNCS = sorted({ufunc.__name__ for ufunc in numpy_ufuncs()} & set(dir(np)))
BINARY = [name for name in UFUNCS if getattr(np, name).nin == 2 and not getattr(np, name).signature]
REDUCTIONS = (
    "sum", "prod", "max", "min", "mean", "std", "var", "any", "all", "ptp", "argmax", "argmin",
    "median", "average", "count_nonzero", "nansum", "nanprod", "nanmax", "nanmin", "nanmean",
    "nanstd", "nanvar", "nanmedian", "nanargmax", "nanargmin", "cumsum", "cumprod", "nancumsum",
    "nancumprod", "amax", "amin", "percentile", "quantile", "nanpercentile", "nanquantile",
)  # fmt: skip
METHODS = (
    "sum", "prod", "max", "min", "mean", "std", "var", "any", "all", "argmax", "argmin", "cumsum",
    "cumprod",
)  # fmt: skip
_TYPED = ("sum", "prod", "mean", "std", "var", "nansum", "nanprod", "nanmean", "nanstd", "nanvar",
          "cumsum", "cumprod", "nancumsum", "nancumprod")  # fmt: skip
_STARTED = ("sum", "prod", "max", "min", "amax", "amin", "nansum", "nanprod", "nanmax", "nanmin")
_ONE_AXIS = ("argmax", "argmin", "nanargmax", "nanargmin")
_RUNNING = ("cumsum", "cumprod", "nancumsum", "nancumprod")
_COMMON_DTYPES = ("f8", "f4", "i8", "i4", "u1", "?", "c16")
_GROWING = ("power", "float_power", "left_shift", "ldexp", "pow", "bitwise_left_shift")


class Calls:
    """Writes one call, and remembers the arguments it needs."""

    def __init__(self, choose: Choose) -> None:
        self.choose = choose
        self.arguments: dict[str, str] = {}

    def argument(self, text: str) -> str:
        """Return the name of a new argument."""
        name = f"x{len(self.arguments)}"
        self.arguments[name] = text
        return name

    def _dtype(self) -> str:
        name = one(self.choose, DTYPES if chance(self.choose, 4) else _COMMON_DTYPES)
        return one(self.choose, (repr(name), f"np.dtype({name!r})"))

    def _number(self, safe: bool) -> str:
        usual = ("2", "0.5", "-1", "True", "1j", "0", "np.float32(1.5)", "np.int8(3)")
        text = one(self.choose, usual if safe else (*usual, "300", "2**40", "2**70"))
        return self.argument(text) if chance(self.choose, 3) else text

    def operand(self, shape: tuple[int, ...], safe: bool = False) -> str:
        """Return an operand that broadcasts to `shape`, seldom one that does not."""
        pick = self.choose(10)
        if pick >= 8:
            return self._number(safe)
        if pick == 7 and shape:
            return one(self.choose, ("[1, 2, 3]", "[1.5]", "(1, 0)", "[[1], [2]]", "[]"))
        given = list(shape[self.choose(len(shape) + 1) if chance(self.choose, 4) else 0 :])
        for axis in range(len(given)):
            if chance(self.choose, 6):
                given[axis] = 1
        if chance(self.choose, 15) and given:
            given[-1] += 1
        dtypes = DTYPES if chance(self.choose, 2) else _COMMON_DTYPES
        return self.argument(array_text(self.choose, tuple(given), dtypes))

    # Ufuncs

    def ufunc(self) -> str:
        """Return a call of a ufunc."""
        name = one(self.choose, UFUNCS)
        ufunc: np.ufunc = getattr(np, name)
        shape = shape_of_choice(self.choose)
        if ufunc.signature and len(shape) < 2:
            shape = (3, 3)
        operands = [self.operand(shape, name in _GROWING) for _ in range(ufunc.nin)]
        options = []
        if chance(self.choose, 5):
            options.append(f"dtype={self._dtype()}")
        if chance(self.choose, 8):
            casting = one(self.choose, ("unsafe", "same_kind", "safe", "no", "equiv"))
            options.append(f"casting={casting!r}")
        if chance(self.choose, 10):
            options.append(f"order={one(self.choose, 'CFAK')!r}")
        return f"np.{name}({', '.join([*operands, *options])})"

    def ufunc_method(self) -> str:
        """Return a call of a method of a ufunc."""
        name = one(self.choose, BINARY)
        if chance(self.choose, 3):
            name = one(self.choose, ("add", "multiply", "maximum", "minimum", "logical_or"))
        method = one(self.choose, ("reduce", "accumulate", "outer", "reduceat"))
        shape = shape_of_choice(self.choose)
        first = self.operand(shape, name in _GROWING)
        if method == "outer":
            return f"np.{name}.outer({first}, {self.operand(shape[:1], name in _GROWING)})"
        parts = [first]
        if method == "reduceat":
            at = one(self.choose, ("[0, 1]", "[1, 0, 1]", "np.array([0])", "[0, 2, 1]"))
            parts.append(self.argument(at) if chance(self.choose, 3) else at)
        axis = self._axis(len(shape), method == "reduce")
        if axis is not None:
            parts.append(one(self.choose, (f"axis={axis}", axis)))
        if chance(self.choose, 4):
            parts.append(f"dtype={self._dtype()}")
        if method == "reduce":
            parts += self._reduced(shape, started=True)
        return f"np.{name}.{method}({', '.join(parts)})"

    def ufunc_at(self) -> str:
        """Return a call of the method of a ufunc that writes."""
        name = one(self.choose, UFUNCS)
        if chance(self.choose, 2):
            name = one(self.choose, ("add", "subtract", "maximum", "multiply", "negative"))
        shape = shape_of_choice(self.choose) or (3,)
        target = self.argument(array_text(self.choose, shape, _COMMON_DTYPES))
        at = one(self.choose, ("0", "[0, 0]", "np.array([0, -1])", "slice(None)", "([0, 0], 0)",
                               "[True, False, True]", "..."))  # fmt: skip
        at = self.argument(at) if chance(self.choose, 3) else at
        values = ""
        if getattr(np, name).nin == 2 or chance(self.choose, 20):
            values = ", " + one(self.choose, ("1", "0.5", "[1, 2]", self.operand((), True)))
        return f"np.{name}.at({target}, {at}{values})"

    # Reductions

    def _axis(self, rank: int, several: bool) -> str | None:
        """Return an axis, None to leave it out."""
        options: list[str | None] = [None, "0", "-1", "None", "1"]
        if several:
            options += ["(0, 1)", "(0,)", "(-1, 0)", "()"]
        if chance(self.choose, 15):
            options = [str(rank), "1.0", "(0, 0)", "'a'"]
        axis = one(self.choose, options)
        if axis is not None and chance(self.choose, 3):
            return self.argument(axis)
        return axis

    def _reduced(self, shape: tuple[int, ...], started: bool) -> list[str]:
        """Return ``keepdims=``, ``initial=`` and ``where=``, each seldom."""
        parts = []
        if chance(self.choose, 3):
            keeps = one(self.choose, ("True", "False", "1"))
            parts.append(f"keepdims={self.argument(keeps) if chance(self.choose, 4) else keeps}")
        if started and chance(self.choose, 4):
            parts.append(f"initial={one(self.choose, ('0', '1.5', 'None', '-2', '1j'))}")
        if chance(self.choose, 5):
            mask = array_text(self.choose, shape, ("?",)).replace("'i1'", "'?'")
            parts.append(f"where={self.argument(mask)}")
        return parts

    def reduction(self) -> str:
        """Return a call of a function, or a method of an array, that reduces axes."""
        method = chance(self.choose, 3)
        name = one(self.choose, METHODS if method else REDUCTIONS)
        shape = shape_of_choice(self.choose)
        receiver = f"({self.operand(shape)})" if method else self.operand(shape)
        parts = [] if method else [receiver]
        if "percentile" in name or "quantile" in name:
            parts.append(one(self.choose, ("0.5", "[0.25, 1]", "0", self._number(True))))
        axis = self._axis(len(shape), name not in _ONE_AXIS and name not in _RUNNING)
        if axis is not None:
            parts.append(f"axis={axis}" if self.choose(3) else axis)
        if name in _TYPED and chance(self.choose, 3):
            parts.append(f"dtype={self._dtype()}")
        if name not in _RUNNING and not (name in _ONE_AXIS and chance(self.choose, 2)):
            extra = self._reduced(shape, name in _STARTED)
            parts += extra if chance(self.choose, 2) else extra[:1]
        if name.endswith(("std", "var")) and chance(self.choose, 4):
            parts.append(f"ddof={one(self.choose, ('1', '0.5', '4'))}")
        return f"{receiver if method else 'np'}.{name}({', '.join(parts)})"

    def with_out(self, call: str, result: object) -> str:
        """Return `call`, writing its result to arrays of the right shape or nearly so."""
        results = result if isinstance(result, tuple) else (result,)
        # NumPy itself crashes on accumulating into an array without axes.
        running = "cum" in call or "accumulate" in call
        if running and np.ndim(results[0]) == 0:
            return call
        outs = []
        for part in results:
            shape = np.shape(part)
            if chance(self.choose, 12) and not running:
                shape = (*shape, 2)
            same = np.asarray(part).dtype.str.lstrip("<|=") if self.choose(3) else "f8"
            known = same if same in DTYPES else "f8"
            outs.append(self.argument(array_text(self.choose, shape, (known,))))
        if "x0" in self.arguments and not running and chance(self.choose, 4):
            outs[0] = "x0"
        if len(outs) == 1 and self.choose(3):
            text = outs[0]
        else:
            text = f"({', '.join(outs)},)"
        where = ""
        # NumPy itself crashes on comparisons with ``where=`` and integers too long for a dtype.
        long = any(number in text for text in (call, *self.arguments.values())
                   for number in ("300", "2**"))  # fmt: skip
        if call[3:].partition("(")[0] in UFUNCS and not long and chance(self.choose, 3):
            mask = array_text(self.choose, np.shape(results[0]), ("?",))
            where = f", where={self.argument(mask)}"
        comma = "" if call.endswith("()") else ", "
        return f"{call[:-1]}{comma}out={text}{where})"


Kind = Callable[[Calls], str]


def call_snippet(choose: Choose) -> Snippet:
    """Return a function that makes one call several times, with a write in between."""
    kinds: tuple[Kind, ...] = (Calls.ufunc, Calls.reduction, Calls.ufunc_method, Calls.ufunc_at)
    kind = one(choose, kinds)
    for _ in range(1 if chance(choose, 5) else 5):
        calls = Calls(choose)
        call = kind(calls)
        trial = Trial({})
        if trial.runs(f"result = {call}", calls.arguments):
            if kind is not Calls.ufunc_at and chance(choose, 3):
                call = calls.with_out(call, trial.names["result"])
            break
    return repeated(choose, call, calls.arguments)


def repeated(choose: Choose, call: str, arguments: dict[str, str]) -> Snippet:
    """Return a function that makes a call, perhaps for nothing, writes, and makes it again."""
    lines = []
    if chance(choose, 3):
        lines.append(call)
    lines.append(f"first = {call}")
    lines.append("second = third = None")
    if chance(choose, 2):
        lines.append(f"second = {call}")
    names = [name for name, text in arguments.items() if text.startswith(("array", "laid"))]
    if names and chance(choose, 2):
        lines.append(f"{one(choose, names)}[...] = {one(choose, ('1', '0', names[-1]))}")
        lines.append(f"third = {call}")
    if chance(choose, 6):
        lines.append("first += 1")
    text = "".join(f"    {line}\n" for line in lines)
    return Snippet(
        f"import numpy as np\n\n\ndef f({', '.join(arguments)}):\n{text}"
        "    return first, second, third\n",
        (f"({''.join(text + ', ' for text in arguments.values())})",),
    )
