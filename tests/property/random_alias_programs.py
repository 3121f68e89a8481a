"""Random short programs that read, write through another way to the same memory, and read again.

Owns `AliasWriter`. Each of its episodes makes a way to an array (a view, a container, a second
name, a twin), reads, writes, and does the same reads again, alone or round a loop. It leaves long
programs of everything to `random_view_programs`. Invariant: nothing but what an episode is about
stands between its reads, and they are such as a compiler merges and moves (mostly of integers,
which never warn), so that a wrong alias, a forgotten write or read, or a wrong order shows.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from comparing import Snippet
from random_arrays import Choose, array_text, chance, one, shape_of_choice
from random_view_programs import HEADER, VIEWS, WRITES, ViewWriter

WAYS = """
{v} = {a}[:]
{v} = {a}[::-1]
{v} = {a}[0]
{v} = {a}[None]
{v} = {a}[..., :1]
{v} = {a}.T
{v} = {a}.mT
{v} = {a}.transpose()
{v} = np.transpose({a})
{v} = {a}.reshape(-1)
{v} = np.reshape({a}, -1)
{v} = {a}.ravel()
{v} = np.ravel({a})
{v} = {a}.diagonal()
{v} = np.diagonal({a})
{v} = {a}.real
{v} = {a}.imag
{v} = np.real({a})
{v} = np.imag({a})
{v} = {a}.view()
{v} = {a}.view({a}.dtype)
{v} = {a}.swapaxes(0, -1)
{v} = np.swapaxes({a}, 0, -1)
{v} = np.moveaxis({a}, 0, -1)
{v} = {a}.squeeze()
{v} = np.squeeze({a})
{v} = np.expand_dims({a}, 0)
{v} = np.broadcast_to({a}, {a}.shape)
{v} = np.flip({a})
{v} = np.asarray({a})
{v} = np.ascontiguousarray({a})
{v} = np.asfortranarray({a}); {u} = np.ascontiguousarray({a})
{v} = np.atleast_1d({a})
{v} = {a}.astype({a}.dtype, copy=False)
{v} = np.array({a}, copy=None)
{v} = {a}.squeeze().T
for {v} in {a}: pass
for k, {v} in enumerate({a}): pass
for {v}, {u} in zip({a}, {b}): pass
{v}, *{u} = {a}
{v}, {u} = {a}[:2]
{v} = np.add({a}, 1, out={a})
{v} = np.negative({a}, {a})
{v} = {a}; {v} += 1
{v} = np.split({a}, 1)[0]
"""
"""What NumPy gives of `a` that shares its memory, or may."""
HOLDERS = """
{v} = {a}
{v} = {a} if n else {b}
{v} = {a} if {a}.size > 1 else {b}
for {v} in ({b}, {a}): pass
{v} = [row for row in {a}][0]
{v} = list({a})[-1]
{v} = [{b}, {a}][-1]
{v} = [{a}, {b}][n % 2]
{v} = ({a}, {b})[n % 2]
{v}, {u} = [{a}, {b}]
l0 = []; l0.append({a}); {v} = l0[-1]
l0 = [{b}]; l0[0] = {a}; {v} = l0[0]
l0 = [{b}]; l0.insert(0, {a}); {v} = l0[0]
l0 = [{b}]; l0 += [{a}]; {v} = l0[1]
l0 = [[{a}]]; {v} = l0[0][0]
l0 = []; l0.extend(({b}, {a})); {v} = l0.pop()
t0 = ({b}, {a}); {v} = t0[1]
t0 = ({b}, [{a}]); {v} = t0[1][0]
d0 = {"x": {a}}; {v} = d0["x"]
d0 = {}; d0["x"] = {a}; {v} = d0["x"]
d0 = {"x": {b}}; d0.update(x={a}); {v} = d0.get("x")
d0 = {}; {v} = d0.setdefault("x", {a})
o0 = Box({a}); {v} = o0.data
o0 = Box({b}); o0.data = {a}; {v} = o0.data
k0 = lambda: {a}; {v} = k0()
{v} = first_of({a})
"""
"""What Python gives of `a` under another name."""
TWINS = (
    "{a} + 1", "{a} == 1", "{a}.copy()", "{a} * 2", "{a}[:1]", "{a}.T", "np.zeros(3, int)",
    "np.zeros_like({a})", "np.arange(4)", "np.negative({a})", "{a}[::-1] + 1", "np.array([1, 2])",
)  # fmt: skip
"""What gives two arrays if it is computed twice."""
PLAIN_WRITES = ("{v}[...] = {c}", "{v}[...] = {c}", "{v}.fill({c})", "{v} += {c}", "{v}[0] = {c}",
                "{v}[:] *= 3")  # fmt: skip
"""Writes that change what a way to memory shows, most of them all of it."""
WRITING = """
{v}[...] = {c}
{v}[:] = {c}
{v}[0] = {c}
{v}[-1] = {c}
{v}[[0, -1]] = {c}
{v}[{v} != {c}] = {c}
{v}[...] += 2
{v}[0] *= 3
{v} += {c}
{v} -= {c}
{v} ^= {c}
{v}.fill({c})
{v}.sort()
{v}[::-1].sort()
{v}.put([0, -1], {c})
{v}.partition(0)
{v}.flat = {c}
{v}.flat[0] = {c}
{v}.flat[:] = {c}
{v}.real = {c}
{v}.real[0] = {c}
{v}.imag = {c}
np.put({v}, [0, -1], {c})
np.copyto({v}, {c})
np.copyto({v}, {c}, where={v} != {c})
np.copyto({v}, {b})
np.place({v}, {v} != {c}, [{c}])
np.putmask({v}, {v} != {c}, {c})
np.fill_diagonal({v}, {c})
np.fill_diagonal({v}[:2], {c})
np.put_along_axis({v}, np.argsort({v}, -1), {c}, -1)
np.add.at({v}, 0, {c})
np.add.at({v}, [0, 0], 2)
np.subtract.at({v}, -1, 3)
np.negative.at({v}, [0])
np.add({v}, {c}, out={v})
np.add({b}, {c}, out={v})
np.add({v}, {c}, {v})
np.multiply({v}, 3, out={v}, where={v} != 0)
np.negative({v}, out={v})
np.divmod({v}, 2, out=({v}, {b}))
np.cumsum({v}, out={v})
np.sum({b}, axis=0, out={v})
np.clip({v}, 5, 6, out={v})
{v}.clip(5, 6, out={v})
np.add.accumulate({v}, out={v})
np.add.reduce({b}, out={v})
np.take({b}, [0], axis=0, out={v}, mode="clip")
np.concatenate([{b}, {b}], out={v})
write({v}, {c})
np.ndarray.fill({v}, {c})
{v}.__setitem__(0, {c})
"""
"""Writes into `v` of every kind."""
_MADE = ("x0.copy()", "x1 + 1", "np.arange(6).reshape(2, 3)", "np.zeros(3, int)",
         "x2.copy()", "np.ones((2, 2), int)", "x2 * 3")  # fmt: skip


def _templates(text: str) -> tuple[str, ...]:
    return tuple(text.strip().splitlines())


class AliasWriter(ViewWriter):
    """Writes one program of a few episodes."""

    def __init__(self, choose: Choose, size: int) -> None:
        super().__init__(choose, size)
        self.body: list[str] = []
        self.late: list[str] = []
        """Names of the reads that are used at the end of the program only."""
        self.start = f"v0, v1, v2, v3 = x0, x1, {one(choose, _MADE)}, {one(choose, _MADE)}"
        self.trial.runs(self.start, {})

    def _arguments(self) -> dict[str, str]:
        choose = self.choose
        self.base = "array((4, 4), 'i8', 'C', 0)"
        if chance(choose, 2):
            texts = one(choose, (("z[1:]", "z[:-1]"), ("z", "z"), ("z[0]", "z"), ("z", "z.T"),
                                 ("z[:2]", "z[2:]"), ("z[::2]", "z[1::2]")))  # fmt: skip
        else:
            shape = shape_of_choice(choose, one(choose, (1, 2, 2)))
            texts = (self._array(shape), self._array(shape))
        third = self._array(shape_of_choice(choose, one(choose, (2, 1, 2, 3, 0))))
        return {"x0": texts[0], "x1": texts[1], "x2": third, "n": one(choose, ("1", "0", "2"))}

    def _array(self, shape: tuple[int, ...]) -> str:
        shape = tuple(length or 2 for length in shape)
        if chance(self.choose, 6):
            return array_text(self.choose, shape).replace("'g'", "'f2'")
        dtype = one(self.choose, ("i8", "i8", "i4", "u1", "c16", "c16"))
        return f"array({shape}, {dtype!r}, 'C', {2 * self.choose(2)})"

    def _piece(self, kind: str, value: object) -> str:
        if kind == "c":
            return one(self.choose, ("7", "9", "4", "6"))
        return super()._piece(kind, value)

    def _filled(self, templates: Sequence[str], **chosen: str) -> str | None:
        """Return a statement made of one of `templates` that runs, if one is found soon."""
        for _ in range(8):
            template = one(self.choose, templates)
            for name, text in chosen.items():
                template = template.replace(f"{{{name}}}", text)
            line = self._fill(template)
            if self.trial.runs(line, {}):
                return line
        return None

    def _read(self, name: str) -> str:
        """Return a read of an array that raises nothing, and mostly warns of nothing."""
        value = self.trial.names[name]
        assert isinstance(value, np.ndarray)
        if value.size and (value.dtype.kind not in "biu" or chance(self.choose, 2)):
            places = (one(self.choose, ("0", "0", "-1")) for _ in range(value.ndim))
            return f"{name}[{', '.join(places) or '()'}]"
        return one(self.choose, (
            f"{name}.sum()", f"{name}.sum()", f"({name} == 7).sum()", f"np.sum({name} != 9)",
            f"np.equal({name}, 7).sum()",
        ))  # fmt: skip

    def _reads(self, names: Sequence[str]) -> list[str]:
        """Return a read of each array among `names`, seldom also of another."""
        arrays = self._arrays()
        wanted = [name for name in names if name in arrays]
        wanted += [one(self.choose, arrays)] if chance(self.choose, 3) else []
        return [self._read(name) for name in dict.fromkeys(wanted)]

    def _noted(self, reads: Sequence[str]) -> list[str]:
        """Return statements that log reads at once, or keep them for the end."""
        lines = []
        for text in reads:
            if chance(self.choose, 2):
                lines.append(f"log.append({text})")
            else:
                self.late.append(f"r{len(self.late)}")
                lines.append(f"{self.late[-1]} = {text}")
        return lines

    def episode(self) -> None:
        """Add a way to memory, reads, a write, and the same reads again."""
        choose = self.choose
        a, v, u = one(choose, self._sources()), "v0", "v1"
        first = self._read(a)
        pick = choose(10)
        ways: tuple[str, ...] = ()
        if pick == 0:
            twin = one(choose, TWINS)
            ways = (f"{{v}} = {twin}; {{u}} = {twin}",)
        elif pick <= 7:
            ways = _templates(WAYS if pick <= 4 else HOLDERS if pick <= 6 else VIEWS)
        way = self._filled(ways, a=a, v=v, u=u) if ways else None
        if way is None or v not in self._arrays():
            write = self._filled(self._writes(), v=a, t=a)
            self.body += self._around(self._reads([a, "x0", "x1"]), write or f"{a}.fill(7)")
            return
        noted = self._noted([first]) if chance(choose, 2) else []
        self.body += [*noted, way]
        reads = [first, *self._reads([v, u] if pick == 0 else [v])]
        readonly = not self.trial.runs(f"{v}[...] = {v}", {})
        target = a if readonly or chance(choose, 4) else v
        write = self._filled(PLAIN_WRITES if choose(4) else self._writes(), v=target, t=target)
        self.body += self._around(reads, write or f"{target}.fill(7)")

    def _writes(self) -> tuple[str, ...]:
        if chance(self.choose, 6):
            return _templates(WRITES.replace("{a}", "{t}"))
        return _templates(WRITING)

    def _sources(self) -> list[str]:
        """Return names of arrays to make ways to: arguments and such as are made at the start."""
        found = [name for name in self._arrays() if name not in ("v0", "v1")]
        return self._arrays() if chance(self.choose, 6) else found

    def _around(self, reads: Sequence[str], write: str) -> list[str]:
        """Return the write with the reads around it, straight or in a compound statement."""
        before, after = self._noted(reads), self._noted(reads)
        layout = self.choose(8)
        if layout <= 3:
            return [*before, write, *after]
        if layout == 4:
            again = [f"    log.append({text})" for text in reads]
            return [*before, "for k in range(n + 2):", *again, f"    {write}", *after]
        if layout == 5:
            again = [f"    log.append({text})" for text in reads]
            return [*before, "while n < 3:", "    n += 1", *again, f"    {write}", *after]
        if layout == 6:
            return [*before, "if n:", f"    {write}", *after]
        return [*before, "try:", f"    {write}", "except Exception:", "    n += 1", *after]

    def program(self) -> Snippet:
        """Write the whole program."""
        for _ in range(self.size):
            self.episode()
        returned = ["log", *self.late]
        if not chance(self.choose, 3):
            returned += self._arrays()
        start = ["log = []", self.start]
        if self.late:
            start.insert(0, f"{' = '.join(self.late)} = 0")
        lines = [*start, *self.body, f"return {', '.join(returned)}"]
        text = f"{HEADER}def f(x0, x1, x2, n):\n" + "".join(f"    {line}\n" for line in lines)
        calls = [self._call(self.arguments)]
        if chance(self.choose, 4):
            calls.append(self._call({**self._again(), "n": "2"}))
        return Snippet(text, tuple(calls))


def alias_snippet(choose: Choose, size: int = 3) -> Snippet:
    """Return a random program of a few episodes."""
    return AliasWriter(choose, size).program()
