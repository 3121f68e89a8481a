"""Random small programs: text of one function ``f(a, b, xs)``, which always ends."""

from __future__ import annotations

import linecache

from hypothesis import strategies as st

NAMES = ("a", "b", "c", "d")
GLOBALS = ("c", "d")


class Writer:
    """Writes one program; `draw` makes the choices."""

    def __init__(self, draw):
        self.draw = draw
        self.lines = []
        self.loops = 0
        self.functions = 0
        self.locals = NAMES
        self.left = 14

    def start(self):
        names = self.choose((), (), (), GLOBALS[:1], GLOBALS)
        if names:
            self.line(1, f"global {', '.join(names)}")
            self.locals = tuple(name for name in NAMES if name not in names)
        if names == GLOBALS[:1]:
            self.line(1, "d = 0")

    def choose(self, *options):
        return self.draw(st.sampled_from(options))

    def name(self):
        return self.choose(*NAMES)

    def expression(self, depth=2):
        kinds = ["name", "name", "number"]
        if depth:
            kinds += ["sum", "test", "and", "if", "item", "divide", "listed", "call", "any", "not"]
        kind = self.choose(*kinds)
        inner = lambda: self.expression(depth - 1)  # noqa: E731  # on purpose
        match kind:
            case "name":
                return self.name()
            case "number":
                return str(self.choose(0, 1, 2, 3))
            case "sum":
                return f"({inner()} {self.choose('+', '-')} {inner()})"
            case "test":
                chain = f" <= {inner()}" if self.choose(True, False, False) else ""
                left = f"{self.name()} is not None" if self.choose(True, False, False) else inner()
                return f"({left} {self.choose('<', '==')} {inner()}{chain})"
            case "and":
                return f"({inner()} {self.choose('and', 'or')} {inner()})"
            case "if":
                return f"({inner()} if {inner()} else {inner()})"
            case "item":
                return f"xs[{inner()} % 3]"
            case "divide":
                return f"({inner()} // ({inner()} % 3))"
            case "listed":
                return f"sum([v - {inner()} for v in xs if v != {inner()}])"
            case "any":
                return f"{self.choose('any', 'all')}(v > {inner()} for v in xs)"
            case "not":
                return f"(not {inner()})"
            case "call":
                return f"{self.choose('g', 'h')}({inner()})"
        raise AssertionError(kind)

    def line(self, indent, text):
        self.lines.append("    " * indent + text)

    def block(self, indent, in_loop, in_inner):
        for _ in range(self.choose(1, 2, 2, 3)):
            self.statement(indent, in_loop, in_inner)

    def statement(self, indent, in_loop, in_inner):
        self.left -= 1
        kinds = ["assign"] * 3 + ["swap", "unpack", "add", "append", "delete", "return", "raise",
                                  "assert", "lambda", "call", "pass"]  # fmt: skip
        if in_loop:
            kinds += ["break", "break", "continue"]
        if self.left > 0 and indent < 5:
            kinds += ["if"] * 4 + ["for", "for", "while", "while", "try", "try", "with", "match"]
            if not in_inner:
                kinds += ["def", "def"]
        kind = self.choose(*kinds)
        getattr(self, f"write_{kind}")(indent, in_loop, in_inner)

    def write_assign(self, indent, *_):
        self.line(indent, f"{self.name()} = {self.expression()}")

    def write_swap(self, indent, *_):
        one, other = self.name(), self.name()
        self.line(indent, f"{one}, {other} = {other}, {one}")

    def write_unpack(self, indent, *_):
        target = self.choose("a, b", "c, *d", "(a, c), b")
        self.line(indent, f"{target} = {self.choose('xs', '(xs, 1)', '[1, 2]', 'a')}")

    def write_add(self, indent, *_):
        self.line(indent, f"{self.name()} {self.choose('+=', '-=')} {self.expression(1)}")

    def write_append(self, indent, *_):
        value = self.expression(1)
        self.line(indent, self.choose(f"xs.append({value})", f"xs += [{value}]", "xs[:] = xs[1:]"))

    def write_delete(self, indent, *_):
        self.line(indent, f"del {self.choose(*self.locals)}")

    def write_return(self, indent, *_):
        self.line(indent, f"return {self.choose(self.expression(1), 'a, b', 'None')}")

    def write_raise(self, indent, *_):
        self.line(indent, f"raise ValueError({self.expression(1)})")

    def write_assert(self, indent, *_):
        self.line(indent, f"assert {self.expression(1)}, {self.expression(1)}")

    def write_lambda(self, indent, *_):
        default = f"y={self.expression(1)}" if self.choose(True, False) else "y=0"
        self.line(indent, f"{self.choose('g', 'h')} = lambda x, {default}: {self.expression(1)}")

    def write_call(self, indent, *_):
        self.line(indent, f"{self.choose('g', 'h')}({self.expression(1)})")

    def write_pass(self, indent, *_):
        self.line(indent, "pass")

    def write_break(self, indent, *_):
        self.line(indent, "break")

    def write_continue(self, indent, *_):
        self.line(indent, "continue")

    def write_if(self, indent, in_loop, in_inner):
        self.line(indent, f"if {self.expression()}:")
        self.block(indent + 1, in_loop, in_inner)
        if self.choose(True, False):
            self.line(indent, self.choose("else:", f"elif {self.expression(1)}:"))
            self.block(indent + 1, in_loop, in_inner)

    def write_for(self, indent, in_loop, in_inner):
        target = self.choose("a", "c", "i", "a, b", "i, c")
        source = self.choose("range(3)", "xs[:2]", f"range({self.expression(1)} % 4)")
        if "," in target:
            source = f"enumerate({source})"
        self.line(indent, f"for {target} in {source}:")
        self.finish_loop(indent, in_loop, in_inner)

    def write_while(self, indent, in_loop, in_inner):
        self.loops += 1
        count = f"n{self.loops}"
        self.line(indent, f"{count} = 0")
        test = self.choose("True", self.expression(1), self.expression(1))
        self.line(indent, f"while {test}:")
        self.line(indent + 1, f"{count} += 1")
        self.line(indent + 1, f"if {count} > 3:")
        self.line(indent + 2, "break")
        self.finish_loop(indent, in_loop, in_inner)

    def finish_loop(self, indent, in_loop, in_inner):
        self.block(indent + 1, True, in_inner)
        if self.choose(True, False, False):
            self.line(indent, "else:")
            self.block(indent + 1, in_loop, in_inner)

    def write_try(self, indent, in_loop, in_inner):
        kind = self.choose("except", "except", "finally", "both")
        self.line(indent, "try:")
        self.block(indent + 1, in_loop, in_inner)
        if kind != "finally":
            for classes in self.choose((0, 3), (1,), (1, 2), (0,), (3,)):
                error = self.choose("e", "e", *self.locals[:3])
                name = self.choose("", f" as {error}")
                clause = ("ZeroDivisionError", "(TypeError, NameError)", "ValueError", "Exception")
                self.line(indent, f"except {clause[classes]}{name}:")
                uses = self.choose("pass", "raise", "b = type(e).__name__", "deeper()")
                self.line(indent + 1, uses)
                self.block(indent + 1, in_loop, in_inner)
            if self.choose(True, False, False):
                self.line(indent, "else:")
                self.block(indent + 1, in_loop, in_inner)
        if kind != "except":
            self.line(indent, "finally:")
            self.block(indent + 1, in_loop, in_inner)

    def pattern(self, names, depth=2):
        """Write a pattern that binds some of the names, each once."""
        kinds = ["value", "value", "single", "wild", "class"]
        kinds += ["name", "name"] if names else []
        kinds += ["sequence", "sequence", "sequence", "or", "parts", "as"] if depth else []
        kind = self.choose(*kinds)
        match kind:
            case "value":
                return str(self.choose(0, 1, 2, 3, "'text'", -1))
            case "single":
                return self.choose("None", "True")
            case "wild":
                return "_"
            case "class":
                return self.choose("int()", "list()", "str()", "float()")
            case "name":
                return names.pop()
            case "sequence":
                count = self.choose(0, 1, 2, 2, 3)
                parts = [self.pattern(names, depth - 1) for _ in range(count)]
                if count and self.choose(True, False):
                    star = names.pop() if names and self.choose(True, False) else "_"
                    parts[self.choose(*range(count))] = f"*{star}"
                return f"[{', '.join(parts)}]"
            case "or":
                parts = [self.pattern([], depth - 1) for _ in range(2)]
                return f"({' | '.join(parts)})"
            case "parts":
                return f"{self.choose('int', 'list', 'str')}({self.pattern(names, depth - 1)})"
            case "as":
                name = names.pop() if names else "i"
                return f"({self.pattern(names, depth - 1)} as {name})"
        raise AssertionError(kind)

    def write_match(self, indent, in_loop, in_inner):
        subject = self.choose("xs", "a", "(a, b)", "(xs, 1)", "[a, [b, 1]]", self.expression(1))
        self.line(indent, f"match {subject}:")
        for _ in range(self.choose(1, 2, 3)):
            names = list(self.choose(("a", "b", "c"), ("c", "d"), ("d", "i", "a")))
            guard = f" if {self.expression(1)}" if self.choose(True, False, False) else ""
            self.line(indent + 1, f"case {self.pattern(names)}{guard}:")
            self.block(indent + 2, in_loop, in_inner)

    def write_with(self, indent, in_loop, in_inner):
        manager = self.choose("held(xs)", "held(a)", "held([1, 2])", "held(5, ValueError)")
        target = self.choose("", " as a", " as c", " as (a, c)", " as i")
        more = f", held({self.expression(1)}) as d" if self.choose(True, False, False) else ""
        self.line(indent, f"with {manager}{target}{more}:")
        self.block(indent + 1, in_loop, in_inner)

    def write_def(self, indent, *_):
        self.line(indent, f"def {self.choose('g', 'h')}(x):")
        names = self.draw(st.sets(st.sampled_from(self.locals), max_size=3))
        if names:
            self.line(indent + 1, f"nonlocal {', '.join(sorted(names))}")
        self.line(indent + 1, "deeper()")
        self.block(indent + 1, False, True)
        self.line(indent + 1, f"return {self.expression(1)}")


def depth_guard():
    """Return a function that ends recursion without end after so many calls."""
    left = [60]

    def deeper():
        left[0] -= 1
        if left[0] < 0:
            raise KeyError("too deep")

    return deeper


class held:
    """A context manager that notes in the list `log` what happens to it."""

    log = ()

    def __init__(self, value, swallowed=ZeroDivisionError):
        self.value, self.swallowed = value, swallowed

    def __enter__(self):
        self.log.append("enter")
        return self.value

    def __exit__(self, kind, error, traceback):
        self.log.append(kind)
        return kind is not None and issubclass(kind, self.swallowed)


@st.composite
def programs(draw):
    """Draw the text of a program."""
    writer = Writer(draw)
    writer.line(0, "def f(a, b, xs):")
    writer.start()
    while writer.left > 4:
        writer.statement(1, False, False)
    writer.line(1, "return a, b, c, d, xs")
    # What follows is never reached, but makes locals of the names.
    unbound = [name for name in ("c", "d") if name in writer.locals]
    writer.line(1, f"{' = '.join(unbound)}{' = ' if unbound else ''}e = g = h = i = 0")
    return "\n".join(writer.lines) + "\n"


def function_in(text, name="program.py"):
    """Return the function that `text` defines, with its source where it will be looked for."""
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    namespace = {}
    exec(compile(text, name, "exec"), namespace)
    return namespace["f"]
