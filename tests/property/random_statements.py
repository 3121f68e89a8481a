"""Random Python statements that contain no others.

Owns assignments, writes, output and jumps. It leaves statements with blocks, and the program around
them, to `random_programs`. Invariant: what a statement binds for sure is noted as bound.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from random_expressions import Expressions

PARAMETERS = ("i0", "f0", "a0", "b0", "o0")
"""An int, a float, a float array, another array that may overlap the first, and a `Box`."""


@dataclass(frozen=True)
class Place:
    """Where in the program a statement stands."""

    depth: int
    loop: bool = False
    """Whether break and continue are allowed."""
    indent: str = "    "
    finishing: bool = False
    """Whether a jump out would be silenced (in a finally block)."""
    yields: bool = False
    """Whether it is in a generator, outside of ``try`` and ``with``."""

    def deeper(self, **changes: object) -> Place:
        """Return the place of a block nested here."""
        return replace(self, depth=self.depth + 1, indent=self.indent + "    ", **changes)


@dataclass
class Statements(Expressions):
    """Writes statements; each method writes one."""

    lines: list[str] = field(default_factory=list)

    def _line(self, place: Place, text: str) -> None:
        self.lines.append(place.indent + text)

    def assign(self, place: Place) -> None:
        """Bind a name to a value of its kind."""
        kind, expression = self._one(
            [("i", self.integer), ("f", self.real), ("a", self.array), ("z", self.anything)]
        )
        name = self._target(kind)
        self._line(place, f"{name} = {expression()}")
        self._bind(name)

    def retype(self, place: Place) -> None:
        """Bind a name to a value of any kind of number or array."""
        self.constructs["retyped name"] += 1
        name = self._target("z")
        expression = self._one(
            [self.integer, self.real, self.real, self.array, self.condition,
             lambda: self._risky(["0"], lambda: "None")]
        )()  # fmt: skip
        self._line(place, f"{name} = {expression}")
        self._bind(name)

    def augment(self, place: Place) -> None:
        """Augment a name."""
        self.constructs["augmented assignment"] += 1
        kind = self._one("ifab")
        name = self._changeable(kind)
        if name is None:
            return self.assign(place)
        sign = self._one(["+=", "-=", "*=" if kind in "ab" else "+="])
        value = self._small(self.integer if kind == "i" or self._chance(3) else self.real)
        self._line(place, f"{name} {sign} {value}")
        return None

    def tuple_assign(self, place: Place) -> None:
        """Assign several names at once, or swap."""
        self.constructs["tuple assignment"] += 1
        kind = self._one("ifazl")
        names = [name for name in self.bound if name[0] == kind]
        first, second = (self._changeable(kind) for _ in range(2))
        if len(names) > 1 and first is not None and second is not None and self.choose(3):
            other = self._one(names)
            self._line(place, f"{first}, {second} = {second}, {other}")
        else:
            first, second = self._target("i"), self._target("f")
            self._line(place, f"{first}, {second} = {self.integer()}, {self.real()}")
            self._bind(first)
            self._bind(second)

    def alias(self, place: Place) -> None:
        """Give an array a second name, or name a view of it."""
        self.constructs["alias or view"] += 1
        name = self._target("a")
        source = self.some_array()
        part = self._one(["", f"[{self.slice()}]", ".T", f"[{self.slice()}]"])
        self._line(place, f"{name} = {source}{part}")
        self._bind(name)

    def write(self, place: Place) -> None:
        """Write into an array."""
        self.constructs["array write"] += 1
        name = self.some_array()
        index = f"{self._small(self.integer)} % 2"
        other = f"{self._small(self.integer)} % 2"
        value = self._small(self.real)
        self._line(place, self._one([
            lambda: f"{name}[{index}] = {value}",
            lambda: f"{name}[{index}] = {value}",
            lambda: f"{name}[{self.slice()}] = {value}",
            lambda: f"{name}[1:] += {self.some_array()}[:-1]",
            lambda: f"{name}[{index}], {name}[{other}] = {name}[{other}], {name}[{index}]",
            lambda: f"{name}[{name} > {value}] = {self._small(self.real)}",
            lambda: f"{name}[{self.said()} % 2] = {self.said()}",
            lambda: f"{name}[{index}] += {value}",
            lambda: f"{name}.{self._one(['sort()', 'fill(2)', 'fill(0.5)'])}",
        ])())  # fmt: skip

    def shared_write(self, place: Place) -> None:
        """Change an attribute, the global array, or an array by a function."""
        value = self._small(self.real)

        def used(construct: str, text: str) -> tuple[str, str]:
            self.constructs[construct] += 1
            return "", text

        def helped(text: str, kind: str) -> tuple[str, str]:
            name = self._target(kind)
            self.constructs["write in a helper"] += 1
            return name, f"{name} = {text}"

        name, text = self._one([
            lambda: used("attribute write", f"o0.value {self._one(['=', '+=', '-='])} {value}"),
            lambda: helped(f"o0.grow({value})", "f"),
            lambda: used("attribute write", f"o0.data = {self.array()}"),
            lambda: used("global write", f"TABLE[{self.slice()}] = {value}"),
            lambda: helped(f"poke({self.some_array()}, {self._small(self.integer)}, {value})", "a"),
            lambda: used("out=", f"np.add({(array := self.some_array())}, {value}, out={array})"),
        ])()  # fmt: skip
        self._line(place, text)
        if name:
            self._bind(name)

    def list_change(self, place: Place) -> None:
        """Change or rebind a list."""
        self.constructs["list"] += 1
        name, target = self._name("l") or "l0", self._target("l")
        text = self._one([
            lambda: f"{name}.append({self._one([self.real, self.array])()})",
            lambda: f"{name}.append({self.integer()})",
            lambda: f"{name}[{self._small(self.integer)} % 2] = {self.anything()}",
            lambda: f"{target} = [{self.anything()}, {self.integer()}]",
            lambda: f"{target} = {name}",
            lambda: f"{target} = {name}[{self._one(['1:', ':2', ':'])}]",
            lambda: f"{name}.{self._one(['pop()', 'reverse()', 'extend([1, 0.5])'])}",
            lambda: f"{target} = [{self._one(['v', 'say(v)'])} for v in {self.generated()}]",
        ])()  # fmt: skip
        self._line(place, text)
        if text.startswith(f"{target} = "):
            self._bind(target)

    def dict_change(self, place: Place) -> None:
        """Change or rebind a dict."""
        self.constructs["dict"] += 1
        name, target = self._name("d") or "d0", self._target("d")
        key = f"{self._small(self.integer)} % 3"
        text = self._one([
            lambda: f"{name}[{key}] = {self.anything()}",
            lambda: f"{name}[{key}] = {name}.get({key}, 0) + {self._small(self.integer)}",
            lambda: f"{target} = {{0: {self.real()}, {key}: {self.integer()}}}",
            lambda: f"{target} = {name}",
            lambda: f"{name}.{self._one(['pop', 'setdefault'])}({key}, 0.5)",
        ])()  # fmt: skip
        self._line(place, text)
        if text.startswith(f"{target} = "):
            self._bind(target)

    def function_call(self, place: Place) -> None:
        """Call an inner function, with what it may change read before and after."""
        function = self._name("gnnm")
        if function is None:
            return self.assign(place)
        self.constructs["call of inner function"] += 1
        name, other = self._target("z"), self._name("fi") or "i0"
        call = f"{function}({self._small(self.real)})"
        if self._chance(3):
            self.constructs["function handed over"] += 1
            call = f"apply({function}, {self._small(self.real)})"
        self._line(place, f"{name} = {self._one([call, f'({other}, {call}, {other})'])}")
        self._bind(name)
        return None

    def late_binding(self, place: Place) -> None:
        """Make a lambda, and change what it reads before calling it."""
        self.constructs["late binding"] += 1
        name = self._changeable("f") or self._bind("f5")
        function = self._bind(f"m{self.choose(2)}")
        default = self._one(["", f", q={self._small(self.real)}"])
        more = "q" if default else self._one(["0.5", self._name("f") or "f0", "TABLE[1]"])
        self._line(place, f"{function} = lambda p{default}: p * {name} + {more}")
        result = self._target("z")
        self.seen[result] = None
        header = self._one(["", f"if {self.condition()}:", "for k in range(SCALE):"])
        if header:
            self._line(place, header)
            place = place.deeper()
        else:
            self._bind(result)
        self._line(place, f"{name} = {self.real()}")
        self._line(place, f"{result} = {function}({self._small(self.real)})")
        self._line(place, f"print({result})")

    def output(self, place: Place) -> None:
        """Print."""
        self.constructs["print"] += 1
        shown = self._one([self.anything, self.question])()
        self._line(place, f"print({self._name('ifzs') or 'i0'}, {shown})")

    def jump(self, place: Place) -> None:
        """Write a jump, mostly under a condition, seldom after something else."""
        options = [("raise", f'raise ValueError("stop", {self._small(self.real)})')]
        if not place.finishing:
            options = [("return", "return" if place.yields else f"return {self.anything()}"),
                       *options]  # fmt: skip
            if place.loop:
                options += [("break", "break"), ("continue", "continue")] * 2
        kind, text = self._one(options)
        self.constructs[kind] += 1
        if self._chance(5) and place.depth > 0:
            self._line(place, text)
            return
        self._line(place, f"if {self.condition()}:")
        before = dict(self.bound)
        if self._chance(3):
            self.constructs[f"print before {kind}"] += 1
            self.output(place.deeper())
        if self._chance(3):
            self.retype(place.deeper())
        self.bound = before
        self._line(place.deeper(), text)

    def failure(self, place: Place) -> None:
        """Write what raises, or nearly always does."""
        self.constructs["failure"] += 1
        name = self._name("a") or "a0"
        self._line(place, self._one([
            f"raise {self._one(['ValueError', 'IndexError', 'KeyError'])}({self.choose(3)})",
            f"{name}[{self._one('129')}] = {name}[{self._one('129')}] + 1",
            f"print({name}[9], d0[7], l0[9])",
            f"print({self._name('z') or 'f0'} % {self._name('ic') or 'i0'})",
            f"{self._name('l') or 'l0'}.remove({self.choose(3)})",
            f"del {self._name('d') or 'd0'}[{self.choose(3)}]",
        ]))  # fmt: skip

    def failures(self, place: Place) -> None:
        """Write two computations that often raise, and use their values in another order."""
        self.constructs["two failures"] += 1
        risky = ["b0[3]", "d0.get(1)", "l0[1]", "7 // (i0 - 1)", "1.0 / (f0 - 0.5)", "l0[0] + 1",
                 "b0[:3] + 1", "d0[1]", "b0[5]", "[1, 2, 3][i0]", "int(f0)"]  # fmt: skip
        caught = self._chance(2)
        inside = place.deeper() if caught else place
        if caught:
            self._line(place, "try:")
        self._line(inside, f"t1 = {self._one(risky)}")
        self._line(inside, f"t2 = {self._one(risky)}")
        self._line(inside, f"print(t2, {self._one(['t1', 't1, t2', 't1, t2', 't2, t1'])})")
        if caught:
            self._line(place, "except Exception as error:")
            self._line(inside, "print(type(error).__name__)")

    def reread(self, place: Place) -> None:
        """Read an array before and after something is written through another name."""
        self.constructs["write through another name"] += 1
        name, other, target = self._name("ab") or "a0", self.some_array(), self._target("a")
        value, condition = self._small(self.real), self.condition()
        self._line(place, f"{target} = " + self._one([
            f"{name}[{self.slice()}]", f"{name} if {condition} else {other}", name,
            f"{other} if {condition} else {name}", f"({other}, {name})[1]", f"{name}.ravel()",
        ]))  # fmt: skip
        self._bind(target)
        before, after = self._target("z"), self._target("z")
        read = self._one(["[0]", "[0]", ".sum()", ".max()", ".copy()"])
        written = self._one([target, name])
        self._line(place, f"{before} = {name if written == target else target}{read}")
        self._line(place, f"{written}[{self._one(['0', ':1', '...'])}] = {value}")
        self._line(place, f"{after} = {name if written == target else target}{read}")
        self._bind(before)
        self._bind(after)
        self._line(place, f"print({before}, {after})")

    def assertion(self, place: Place) -> None:
        """Write an assert."""
        self.constructs["assert"] += 1
        message = self._without_binding(lambda: self._small(self.real))
        self._line(place, f"assert {self.condition()}, {message}")

    def deletion(self, place: Place) -> None:
        """Unbind a name."""
        name = self._changeable("fz")
        if name is None or name in PARAMETERS:
            return self.assign(place)
        self.constructs["del"] += 1
        self._line(place, f"del {name}")
        self.bound.pop(name, None)
        return None

    def growing_text(self, place: Place) -> None:
        """Let a text grow."""
        name = self._name("s")
        target = self._target("s")
        self._line(place, f"{target} = {name + ' + ' if name else ''}{self.text()}")
        self._bind(target)

    def yielding(self, place: Place) -> None:
        """Hand out an item, in a generator."""
        self._line(place, f"yield {self._small(self.real)}")
