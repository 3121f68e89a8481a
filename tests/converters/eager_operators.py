"""The contract between converters and operators, in plain Python: what converted code must mean."""

from __future__ import annotations

import operator

UNBOUND = type("Unbound", (), {"__repr__": lambda self: "UNBOUND"})()


class Jump(BaseException):
    def __init__(self, kind, state):
        self.kind, self.state = kind, state


class Leave(BaseException):
    def __init__(self, scope, value):
        self.scope, self.value = scope, value


def cond(test, then, orelse=None, state=(), names=""):
    if test:
        result = then(*state)
    elif orelse is not None:
        result = orelse(*state)
    else:
        result = state[0] if len(state) == 1 else state or None
    expected = names.split()
    assert len(expected) < 2 or len(result) == len(expected), "as many values as names"
    return result


def _trip(body, arguments, count):
    try:
        result = body(*arguments)
    except Jump as jump:
        assert len(jump.state) == count, "a jump hands on the whole state"
        return jump.state, jump.kind == "break"
    assert (result is None and not count) or (type(result) is tuple and len(result) == count)
    return result or (), False


def while_loop(test, body, state, names="", orelse=None):
    assert len(names.split()) == len(state)
    while test(*state):
        state, broken = _trip(body, state, len(state))
        if broken:
            return state
    return state if orelse is None else orelse(*state) or ()


def for_loop(iterable, body, state=(), names="", orelse=None):
    assert len(names.split()) == len(state)
    for item in iterable:
        state, broken = _trip(body, (item, *state), len(state))
        if broken:
            return state
    return state if orelse is None else orelse(*state) or ()


def break_(*state):
    raise Jump("break", state)


def continue_(*state):
    raise Jump("continue", state)


class scope:
    value = None

    def __enter__(self):
        return self

    def return_(self, value):
        raise Leave(self, value)

    def __exit__(self, kind, error, traceback):
        if isinstance(error, Leave) and error.scope is self:
            self.value = error.value
            return True
        return False


def call(function, /, *args, **keywords):
    return function(*args, **keywords)


def and_(value, *rest):
    for thunk in rest:
        if not value:
            return value
        value = thunk()
    return value


def or_(value, *rest):
    for thunk in rest:
        if value:
            return value
        value = thunk()
    return value


not_ = operator.not_
is_ = operator.is_
is_not = operator.is_not


def in_(item, container):
    return item in container


def not_in(item, container):
    return item not in container


COMPARISONS = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq,
    "!=": operator.ne, "is": is_, "is not": is_not, "in": in_, "not in": not_in,
}  # fmt: skip


def compare(left, text, thunk, *rest):
    right = thunk()
    result = COMPARISONS[text](left, right)
    return compare(right, *rest) if rest and result else result


def list_(*items):
    return list(items)


def tuple_(*items):
    return items


def item(base, index):
    return base[index]


def star(arguments, now=False):
    return arguments


def double_star(mapping, number):
    return mapping


def set_(*items):
    return set(items)


def dict_(*parts):
    result = {}
    for part in parts:
        result = {**result, **(part[0] if len(part) == 1 else dict([part]))}
    return result


def spread(mapping):
    return (mapping,)


def unpack(value, count):
    return value


def unpack_starred(value, before, after):
    [*items] = value
    if len(items) < before + after:
        raise ValueError(
            f"not enough values to unpack (expected at least {before + after}, got {len(items)})"
        )
    middle = len(items) - after
    return (*items[:before], items[before:middle], *items[middle:])


def field(value, conversion="", spec=""):
    convert = {"": lambda v: v, "r": repr, "s": str, "a": ascii}[conversion]
    return format(convert(value), spec)


def gathered(items, consumer):
    """Hand the items of a generator expression on."""
    return items


def fstring(*parts):
    return "".join(parts)


def percent(text, value):
    return text % value


def unbound(name):
    return UNBOUND


def bound(value, name, free=False):
    if value is not UNBOUND:
        return value
    if free:
        raise NameError(
            f"cannot access free variable '{name}' where it is not associated with a value in"
            " enclosing scope"
        )
    raise UnboundLocalError(
        f"cannot access local variable '{name}' where it is not associated with a value"
    )


def assert_(test, message=None):
    if not test:
        raise AssertionError(*([] if message is None else [message()]))


def raise_(error, *cause):
    if cause:
        raise error from cause[0]
    raise error


def special(item, name):
    return getattr(item, name)


def target(item):
    return item


class box:
    def __init__(self, name, content=UNBOUND):
        self.name, self.content = name, content

    @property
    def value(self):
        return bound(self.content, self.name)

    @value.setter
    def value(self, item):
        self.content = item

    @property
    def free(self):
        return bound(self.content, self.name, True)

    @free.setter
    def free(self, item):
        self.content = item

    def put(self, item):
        self.content = item
        return item


def try_(body, *excepts, orelse=None, final=None):
    try:
        try:
            body()
        except (Jump, Leave):
            raise
        except BaseException as error:
            for classes, handler in excepts:
                if classes is None or isinstance(error, classes()):
                    handler(error)
                    break
            else:
                raise
        else:
            if orelse is not None:
                orelse()
    finally:
        if final is not None:
            final()


def reraise():
    raise


def with_(manager, body):
    jump = None
    with manager as entered:
        try:
            body(entered)
        except (Jump, Leave) as signal:
            jump = signal
    if jump is not None:
        raise jump


def store_global(name, value):
    return value


def match_sequence(subject, count, more=False):
    match subject:
        case [*items]:
            return len(items) >= count if more else len(items) == count
    return False


def match_class(subject, cls, count=0, *names):
    if not count and not names:
        match subject:
            case cls():
                return True
        return False
    if not isinstance(subject, cls):
        return None
    if count == 1 and issubclass(cls, (int, str, list, dict, tuple, float)):
        return subject, *(getattr(subject, name) for name in names)
    if not all(hasattr(subject, name) for name in names):
        return None
    listed = getattr(cls, "__match_args__", ())[:count]
    return tuple(getattr(subject, name) for name in (*listed, *names))
