"""Random programs of views, aliases, reads and writes, with the state after every statement.

Owns `ViewWriter`, which fills in statements from `STATEMENTS` while it runs them, so that most fit
the arrays at hand, and then puts runs of them into loops, branches and handlers. Invariant: what a
program logs is copied at once, and the arrays themselves are logged too, so that a change at a
wrong moment or through a wrong alias shows. That pins most reads to their place; programs in which
a compiler may merge and move them are those of `random_alias_programs`.
"""

from __future__ import annotations

import re

import numpy as np
from comparing import NAMES, Snippet, Trial
from random_arrays import Choose, array_text, chance, one, shape_of_choice
from random_index_expressions import AUGMENTED, Indexing

HEADER = """\
import numpy as np


class Box:
    def __init__(self, data):
        self.data = data

    def put(self, i, value):
        self.data[i] = value
        return self.data


def write(x, value):
    x[...] = value


def first_of(x):
    return x[:1]


"""
VIEWS = """
{v} = {a}
{v} = {a}[{i}]
{v} = {a}[{i}]
{v} = {a}[...]
{v} = {a}[::-1]
{v} = {a}.T
{v} = {a}.reshape(-1)
{v} = {a}.reshape({r})
{v} = {a}.ravel()
{v} = np.ravel({a}, order="K")
{v} = {a}.flatten()
{v} = {a}.diagonal()
{v} = np.diagonal({a}, 1)
{v} = {a}.real
{v} = {a}.imag
{v} = np.real({a})
{v} = {a}.view()
{v} = {a}.view({d})
{v} = {a}.swapaxes(0, -1)
{v} = np.moveaxis({a}, 0, -1)
{v} = np.transpose({a})
{v} = {a}.transpose()
{v} = np.broadcast_to({a}, {w})
{v} = np.asarray({a})
{v} = np.asarray({a}, {d})
{v} = np.ascontiguousarray({a})
{v} = np.atleast_2d({a})
{v} = np.squeeze({a})
{v} = {a}[None]
{v} = np.expand_dims({a}, 0)
{v} = np.flip({a}, 0)
{v} = {a}.astype({d})
{v} = {a}.astype({a}.dtype, copy=False)
{v} = {a}.copy()
{v} = np.array({a}, copy=False)
{v} = np.split({a}, 1)[0]
{v}, {u} = np.array_split({a}, 2)
{v} = np.einsum("...->...", {a})
{v} = np.where({a} > 1, {a}, {b})
{v} = {a} + {b}
{v} = -{a}
{v} = {a} * 2
{v} = np.zeros_like({a})
{v} = np.concatenate([{a}, {a}])
{v} = {a}.sum(axis=0)
{v} = {a}[0]
{v} = first_of({a})
{v} = np.add({a}, {b}, dtype=float)
{v} = {a}.take([0, 0], axis=0)
{v} = {a}.compress([True], axis=0)
{v} = np.meshgrid({a}, {a}, copy=False)[0]
{v} = {a}.base
{v} = np.trim_zeros({a})
{v}, {u} = {a}, {v}
{v}, {u} = {a}[:1], {a}[1:]
{v}, *{u} = {a}
"""
ALIASES = """
l0 = [{a}, {b}]
l0.append({a})
l0[0] = {a}
{v} = l0[-1]
{v} = l0[n % 2]
{v}, {u} = l0[:2]
d0 = {"x": {a}, "y": {b}}
d0["x"] = {a}
{v} = d0["y"]
t0 = ({a}, {b})
{v} = t0[0]
{v} = t0[n % 2]
o0 = Box({a})
o0.data = {a}
{v} = o0.data
{v} = o0.put({i_}, {x})
o0.data[{i}] = {x}
o0.data += {x}
l0[0] += {x}
l0[-1][{i}] = {x}
t0[0][{i}] {=} {x}
d0["x"] *= {x}
{v} = {a} if n else {b}
{v} = {a} if {a}.size > 3 else {b}
for {v} in {a}: {v} += 1
for {v} in (x0, {a}): {v}[...] = {x}
for k, row in enumerate({a}): row[...] = k
{v} = [row * 2 for row in {a}]
{v} = np.array([row for row in {a}])
{a}, {b} = {b}, {a}
del {v}
"""
WRITES = """
{a}[{i}] = {x}
{a}[{i}] = {x}
{a}[{i}] = {b}
{a}[{i}] {=} {x}
{a}[{i}] {=} {b}
{a} {=} {x}
{a} {=} {b}
{a}[...] = {b}
{a}[1:] = {a}[:-1]
{a}[1:] += {a}[:-1]
{a}[:] = {a}[::-1]
{a} += {a}[::-1]
{a} += {a}.T
{a}[0], {a}[1] = {a}[1], {a}[0]
{a}[0], {a}[-1] = {a}[-1].copy(), {a}[0].copy()
{a}[[0, 1]] = {a}[[1, 0]]
{a}[{a} > 0] = {x}
{a}[{a} > 0] {=} {x}
{a}.T[{i}] = {x}
{a}.real[...] = {x}
{a}.imag = {x}
{a}.real = {x}
{a}.flat = {x}
{a}.flat[1] = {x}
{a}.flat[::2] = {x}
{a}.flat[[0, -1]] = {x}
{a}.ravel()[0] = {x}
{a}.reshape(-1)[1:] = {x}
{a}.reshape({r})[0] {=} {x}
{a}.diagonal()[0] = {x}
{a}.sort()
{a}.sort(axis=0)
{a}.sort(kind="stable", axis=-1)
{a}.fill({x})
{a}.partition(1)
{v} = {a}.copy(); {v}.resize({r}, refcheck=False)
{a}.put([0, -1], {x})
{a}.itemset(0, {x})
{a}.byteswap(inplace=True)
{a}.setflags(write=False)
{a}.flags.writeable = False
{a}.shape = {r}
{a}.setfield({x}, {a}.dtype)
np.put({a}, [0, 1], [{x}, 7])
np.place({a}, {a} > 0, [{x}, 5])
np.putmask({a}, {a} > 0, {b})
np.copyto({a}, {b})
np.copyto({a}, {x}, where={a} > 0)
np.copyto({a}, {b}, casting="unsafe")
np.fill_diagonal({a}, {x})
np.put_along_axis({a}, np.argsort({a}, -1), {x}, -1)
np.add.at({a}, [0, 0], {x})
np.subtract.at({a}, {i_}, 1)
np.negative.at({a}, [0])
np.add({a}, {b}, out={a})
np.add({a}, {b}, {b})
{v} = np.multiply({a}, {x}, out={b})
np.subtract({a}[1:], {a}[:-1], out={a}[1:])
np.add({a}, {x}, out={a}, where={a} > 1)
np.sqrt({a}, out={b}, where={a} > 0)
np.add({a}, {b}, out={b}, casting="unsafe")
np.clip({a}, 0, 1, out={a})
{a}.clip(0, 2, out={b})
np.cumsum({a}[:2], axis=0, out={a}[:2])
np.cumsum({a}[:2], out={b}[:2])
np.sum({a}, axis=0, out={b})
{v} = {a}.max(axis=0, out={b})
np.maximum.accumulate({a}[:2], out={a}[:2])
np.add.reduce({a}, out={b})
np.divmod({a}, 2, out=({a}, {b}))
np.modf({a}, {a}, {b})
np.dot({a}, {a}, out={b})
np.matmul({a}, {b}, out={a})
np.take({a}, [0, 0], axis=0, out={a}[:2], mode="clip")
np.concatenate([{a}, {b}], out={b})
np.nan_to_num({a}, copy=False)
np.round({a}, 1, out={a})
{a}.round(out={b})
np.median({a}, overwrite_input=True)
np.percentile({a}, 50, overwrite_input=True)
np.logical_not({a}, out={b})
np.ndarray.fill({a}, {x})
np.ndarray.__setitem__({a}, 0, {x})
{a}.__iadd__({x})
{a}.__setitem__(0, {x})
write({a}, {x})
write({a}[1:], {a}[:-1])
write({a}, {b})
"""
STATEMENTS = tuple(tuple(group.strip().splitlines()) for group in (VIEWS, ALIASES, WRITES))
_LOCALS = ("v0", "v1", "v2", "v3")


class ViewWriter:
    """Writes one program."""

    def __init__(self, choose: Choose, size: int) -> None:
        self.choose = choose
        self.size = size
        self.arguments = self._arguments()
        self.trial = Trial({})
        exec(HEADER, self.trial.names)
        self.trial.runs(f"({', '.join(self.arguments)},) = {self._call(self.arguments)}", {})
        self.lines: list[list[str]] = []
        """The statements, each with what is logged after it."""
        self.logs_rarely = bool(choose(2))

    def _call(self, arguments: dict[str, str]) -> str:
        return f"(lambda z: ({', '.join(arguments.values())},))({self.base})"

    def _arguments(self) -> dict[str, str]:
        """Return the arguments: three arrays, some of which overlap, and a number."""
        choose = self.choose
        shape = shape_of_choice(choose)
        self.base = array_text(choose, (4, 4)).replace("'g'", "'f2'")
        texts = [array_text(choose, shape), array_text(choose, shape),
                 array_text(choose, shape_of_choice(choose))]  # fmt: skip
        if chance(choose, 3):
            pair = one(choose, (("z[1:]", "z[:-1]"), ("z", "z"), ("z[0]", "z"), ("z", "z.T"),
                                ("z[::2]", "z[1::2]"), ("z.real", "z[::-1]")))  # fmt: skip
            texts[:2] = pair
        # The padding of long doubles, which views and swapped bytes show, is not the same twice.
        first, second, third = (text.replace("'g'", "'f2'") for text in texts)
        return {"x0": first, "x1": second, "x2": third, "n": "1"}

    def _arrays(self) -> list[str]:
        """Return the names of arrays that exist now."""
        return [
            name for name in ("x0", "x1", "x2", *_LOCALS)
            if isinstance(self.trial.names.get(name), np.ndarray)
        ]  # fmt: skip

    def _fill(self, template: str) -> str:
        """Return a statement made of a template."""
        chosen: dict[str, str] = {}

        def part(match: re.Match[str]) -> str:
            kind = match.group(1)
            if kind in ("a", "b", "v", "u"):
                if kind not in chosen:
                    names = self._arrays() if kind in "ab" else _LOCALS
                    chosen[kind] = one(self.choose, names)
                return chosen[kind]
            return self._piece(kind, self.trial.names[chosen.get("a", "x0")])

        return re.sub(r"\{(\w_?|=)\}", part, template)

    def _piece(self, kind: str, value: object) -> str:
        choose = self.choose
        shape = np.shape(value)
        if kind == "=":
            return one(choose, AUGMENTED)
        if kind in ("i", "i_"):
            text = _WrittenOut(choose).index(shape)
            return text if kind == "i" else f"np.s_[{text}]"
        if kind == "x":
            return one(choose, ("1", "7", "2.5", "-1", "n", "True", "1j", "x0[0]", "[1, 2, 3]"))
        if kind == "d":
            return one(choose, ("np.int8", "np.float32", "np.float64", "np.int64", "'u1'",
                                "'c8'", "bool"))  # fmt: skip
        if kind == "w":
            return str(one(choose, ((2, *shape), shape, (2, 2, 2))))
        size = int(np.prod(shape))
        return str(one(choose, ((size,), (1, -1), (-1, 1), (2, -1), (size, 1), shape[::-1])))

    def statement(self) -> str:
        """Return a statement that mostly runs."""
        for _ in range(1 if chance(self.choose, 20) else 6):
            line = self._fill(one(self.choose, one(self.choose, STATEMENTS)))
            if self.trial.runs(line, {}):
                break
        return line

    def log(self) -> str:
        """Return the statement that logs the state."""
        names = [*self._arrays()]
        copies = ", ".join(f"np.array({name})" for name in names)
        return f"log.append(({', '.join(names)}, {copies}))"

    def program(self) -> Snippet:
        """Write the whole program."""
        for _ in range(self.size):
            lines = [self.statement()]
            if not self.logs_rarely or chance(self.choose, 3):
                lines.append(self.log())
            self.lines.append(lines)
        body = [*self._structured(self.lines, depth=0), self.log()]
        text = (
            f"{HEADER}def f(x0, x1, x2, n):\n    v0, v1, v2, v3 = x0, x1, x2, x0\n    log = []\n"
            "    l0 = [x0, x1]\n    d0 = {'x': x1, 'y': x2}\n    t0 = (x0, x2)\n    o0 = Box(x2)\n"
        )
        text += "".join(f"    {line}\n" for line in body)
        text += f"    return log, l0, t0, o0, {', '.join(self._arrays())}\n"
        other = {**self._again(), "n": one(self.choose, ("0", "2", "3"))}
        return Snippet(text, (self._call(self.arguments), self._call(other)))

    def _again(self) -> dict[str, str]:
        """Return arguments for another call, of the same types but perhaps other lengths."""
        found = {}
        for name, text in self.arguments.items():
            if text.startswith("array"):
                shape = np.shape(eval(text, dict(self.trial.names)))
                dtype = text.split("'")[1]
                if chance(self.choose, 2):
                    shape = shape_of_choice(self.choose, len(shape))
                text = array_text(self.choose, shape, (dtype,)).replace("'g'", "'f2'")
            found[name] = text
        return found

    def _structured(self, parts: list[list[str]], depth: int) -> list[str]:
        """Return lines, some of them put into a compound statement."""
        if len(parts) < 2 or depth > 2 or chance(self.choose, 3):
            return [line for part in parts for line in part]
        start = self.choose(len(parts))
        stop = start + 1 + self.choose(len(parts) - start)
        before = [line for part in parts[:start] for line in part]
        inside = [f"    {line}" for line in self._structured(parts[start:stop], depth + 1)]
        header, *after = one(self.choose, (
            ("for k in range(2):",), ("for k in range(n + 1):",), ("if n:",),
            ("if x0.size > 2:", "else:", "    v0 = x1"),
            ("try:", "except Exception as error:", "    n = len(error.args)"),
            ("try:", "finally:", "    n += 1"),
            ("while n < 3:", "    n += 1"),
            ("with np.errstate(all='ignore'):",),
            ("for row in x0[:2]:", "    row += 1"),
        ))  # fmt: skip
        if header.startswith(("while", "for row")):
            inside, after = [*after, *inside], []
        return [*before, header, *inside, *after, *self._structured(parts[stop:], depth)]


class _WrittenOut(Indexing):
    """Writes indexes whose parts are all in the text."""

    def argument(self, kind: str, *texts: str) -> str:
        value = eval(texts[0], dict(NAMES))
        if isinstance(value, np.ndarray):
            return f"np.array({value.tolist()}, {value.dtype.str!r})"
        return texts[0]


def view_snippet(choose: Choose, size: int = 10) -> Snippet:
    """Return a random program of views and writes."""
    return ViewWriter(choose, size).program()
