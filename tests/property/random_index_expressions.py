"""Random index expressions: every kind of index that NumPy knows, right ones and wrong ones.

Owns `Indexing`, which writes an index for a shape, and `indexing_snippet`, a function that reads
and writes with some. Invariant: each part is a constant in the text or an argument of the
function, by a choice of its own, so that indices known while compiling and at run time mix.
"""

from __future__ import annotations

from collections.abc import Callable

from comparing import Snippet, Trial
from random_arrays import Choose, array_text, chance, one, shape_of_choice

AUGMENTED = ("+=", "-=", "*=", "/=", "//=", "%=", "**=", "|=", "&=", "^=", "<<=", ">>=", "@=")


class Indexing:
    """Writes index expressions, and remembers the arguments they need."""

    def __init__(self, choose: Choose) -> None:
        self.choose = choose
        self.arguments: dict[str, list[str]] = {}
        """For each argument of the function, its expressions in the calls."""

    def argument(self, kind: str, *texts: str) -> str:
        """Return the name of a new argument."""
        name = f"{kind}{len(self.arguments)}"
        self.arguments[name] = list(texts)
        return name

    def maybe_argument(self, kind: str, *texts: str) -> str:
        """Return a constant, or seldom the name of an argument that has its value."""
        return self.argument(kind, *texts) if chance(self.choose, 3) else texts[0]

    def index(self, shape: tuple[int, ...]) -> str:
        """Return an index for an array of `shape`."""
        if not shape:
            return one(self.choose, ("()", "...", "None", "(None, ...)", "True", "False", "0",
                                     "np.True_", "(..., True)"))  # fmt: skip
        parts: list[str] = []
        axis = 0
        while axis < len(shape):
            consumed, part = self._part(shape, axis)
            parts.append(part)
            axis += consumed
            if chance(self.choose, 3):
                break
        if chance(self.choose, 4):
            parts.insert(self.choose(len(parts) + 1), one(self.choose, ("...", "None", "True")))
        if chance(self.choose, 20):
            parts.append(one(self.choose, ("0", ":", "...", "1.0", "'a'", "[]")))
        if len(parts) == 1:
            return parts[0] if self.choose(3) else f"{parts[0]},"
        text = ", ".join(parts)
        plain = not any(":" in part and "[" not in part for part in parts)
        if plain and chance(self.choose, 8):
            names = (f"({text})",)
            return self.argument("t", *names) if not self._names(text) else names[0]
        return text

    def _names(self, text: str) -> bool:
        """Tell whether a text uses an argument."""
        return any(name in text for name in self.arguments)

    def _part(self, shape: tuple[int, ...], axis: int) -> tuple[int, str]:
        """Return how many axes the next part of an index takes, and the part."""
        length = shape[axis]
        pick = self.choose(16)
        if pick <= 3:
            return 1, self.integer(length)
        if pick <= 7:
            return 1, self.slice(length)
        if pick == 8:
            return 1, self.maybe_argument("s", f"slice({self._bounds(length)})")
        if pick <= 10:
            return 1, self._integers(length)
        if pick == 11:
            return 1, self._list(length)
        if pick == 12:
            return self._mask(shape, axis)
        if pick == 13:
            return 0, one(self.choose, ("None", "np.newaxis", "True", "np.False_"))
        if pick == 14:
            return 1, self.maybe_argument("i", f"np.{one(self.choose, ('int64', 'uint8', 'intp'))}"
                                               f"({self._within(length)})")  # fmt: skip
        return 1, self.maybe_argument("i", f"np.array({self._within(length)})")

    def _within(self, length: int) -> int:
        return self.choose(length) if length else 0

    def integer(self, length: int) -> str:
        """Return an integer: from the front, from the back, or outside."""
        number = self._within(length)
        wanted = one(self.choose, (number, number, -1 - number, length))
        other = one(self.choose, (0, -1, 1, 5))
        return self.maybe_argument("i", str(wanted), str(other))

    def _bounds(self, length: int) -> str:
        def bound() -> str:
            return one(self.choose, ("None", "1", "0", "-1", "2", str(length), "-9", "9"))

        step = one(self.choose, ("None", "1", "2", "-1", "-2", "3"))
        if chance(self.choose, 30):
            step = "0"
        return f"{bound()}, {bound()}, {step}"

    def slice(self, length: int) -> str:
        """Return a slice, whose bounds may be arguments."""
        usual = ("", "1", "-1", "0", "2", str(length), "9")
        first, last = (one(self.choose, usual) for _ in range(2))
        step = one(self.choose, ("", "", "2", "-1", "-2", "3"))
        first, last, step = (
            self.maybe_argument("i", part, one(self.choose, ("0", "1", "-1"))) if part else ""
            for part in (first, last, step)
        )
        return f"{first}:{last}" + (f":{step}" if step else "")

    def _numbers(self, length: int, count: int) -> list[int]:
        outside = chance(self.choose, 15)
        numbers = [self._within(length) - (length if chance(self.choose, 4) else 0)
                   for _ in range(count)]  # fmt: skip
        return [*numbers[:-1], length] if outside and numbers else numbers

    def _integers(self, length: int) -> str:
        count = one(self.choose, (2, 3, 1, 0))
        dtype = one(self.choose, ("np.int64", "np.int64", "np.int8", "np.uint16"))
        numbers = self._numbers(length, count)
        if dtype == "np.uint16":
            numbers = [number % max(length, 1) for number in numbers]
        text = f"np.array({numbers}, {dtype})"
        if count and chance(self.choose, 4):
            text += one(self.choose, (".reshape(-1, 1)", "[None]", "[::-1]"))
        return self.argument("k", text) if self.choose(3) else text

    def _list(self, length: int) -> str:
        numbers = self._numbers(length, one(self.choose, (2, 1, 3)))
        text = one(self.choose, (str(numbers), f"[{numbers}]", f"range({length})[::2]"))
        return self.maybe_argument("l", text)

    def _mask(self, shape: tuple[int, ...], axis: int) -> tuple[int, str]:
        count = 1 + (axis + 1 < len(shape) and chance(self.choose, 3))
        extents = shape[axis : axis + count]
        if chance(self.choose, 15):
            extents = (extents[0] + 1, *extents[1:])
        text = f"array({extents}, '?', 'C', {self.choose(4)})"
        if count == 1 and chance(self.choose, 4):
            return 1, self.maybe_argument("l", str([k % 2 == 0 for k in range(extents[0])]))
        return count, self.argument("m", text)


def _value(indexing: Indexing) -> str:
    """Return something to write."""
    choose = indexing.choose
    pick = choose(8)
    if pick <= 1:
        return one(choose, ("1", "2.5", "-1", "True", "1j", "300", "np.float32(3)", "2**70"))
    if pick == 2:
        return indexing.argument("f", one(choose, ("1", "2.5", "np.int8(7)")), "3")
    if pick == 3:
        return f"[{', '.join('12345'[: 1 + choose(3)])}]"
    if pick == 4:
        return "x"
    return indexing.argument("v", array_text(choose, shape_of_choice(choose, choose(3))))


def indexing_snippet(choose: Choose) -> Snippet:
    """Return a function that reads, writes and reads again by index."""
    indexing = Indexing(choose)
    shape = shape_of_choice(choose)
    trial = Trial({"x": array_text(choose, shape)})
    x = trial.made["x"]
    lines: list[str] = []

    def fitting(write: Callable[[], str]) -> str:
        """Return a line that mostly runs, of the few that were tried."""
        before = dict(indexing.arguments)
        for _ in range(1 if chance(choose, 12) else 6):
            indexing.arguments = dict(before)
            line = write()
            if trial.runs(line, {name: texts[0] for name, texts in indexing.arguments.items()}):
                break
        lines.append(line)
        return line

    read = fitting(lambda: f"first = x[{indexing.index(shape)}]")
    index = read.removeprefix("first = x[").removesuffix("]")
    if chance(choose, 6):
        lines[-1:] = ["first = None", f"x[{index}]"]
    for _ in range(1 + choose(2)):
        again = chance(choose, 2)

        def write(again: bool = again) -> str:
            sign = one(choose, AUGMENTED) if chance(choose, 2) else "="
            other = index if again else indexing.index(shape)
            into = "first" if chance(choose, 5) else "x"
            if into == "first":
                other = one(choose, ("...", ":", "0", "()"))
            return f"{into}[{other}] {sign} {_value(indexing)}"

        fitting(write)
    lines.append(f"second = x[{index}]")
    fitting(lambda: f"third = x[{indexing.index(shape)}]")
    if chance(choose, 12):
        lines.append(f"del x[{index}]")
    names = ("x", *indexing.arguments)
    text = f"def f({', '.join(names)}):\n" + "".join(f"    {line}\n" for line in lines)
    text += "    return first, second, third, x\n"
    given = list(indexing.arguments.values())
    calls = tuple(
        f"({', '.join((x, *(texts[min(k, len(texts) - 1)] for texts in given)))},)"
        for k in range(max(map(len, given), default=1))
    )
    return Snippet(f"import numpy as np\n\n\n{text}", calls)
