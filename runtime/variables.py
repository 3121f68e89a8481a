"""Variables: numbers that a program keeps and replaces.

Owns `Variable`: its checks, operators and NumPy protocols, and the snapshot behind it. It leaves
recording reads and writes in graphs to `runtime.ops.variables` and to graph mode, which hands in
another storage. Invariant: what a variable holds is a read-only array that `assign` replaces as a
whole; so a value that was read never changes, and a read needs no lock.
"""

from __future__ import annotations

import operator
import os
import threading
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from .errors import VariableError
from .ir.types import TYPE_OF_CLASS, ArrayType, VariableType, dtype_text, is_numeric
from .scopes import checked_name, scoped
from .thread_state import STATE

_PYTHON_DATA = (bool, int, float, complex, list, tuple)


class Storage(Protocol):
    """Where the value of a variable is kept."""

    def read(self, variable: Variable) -> Any:
        """Return the value: a read-only array, or a tensor of a graph."""
        ...

    def copy(self, variable: Variable) -> np.ndarray:
        """Return a copy of the value as it is at this moment."""
        ...

    def assign(self, variable: Variable, value: object) -> object:
        """Replace the value by `value`, and return what ``assign`` returns."""
        ...

    def update(
        self,
        variable: Variable,
        change: Callable[[Any, Any], Any],
        operand: object,
        in_place: bool = False,
    ) -> object:
        """Replace the value by ``change(value, operand)`` in one step."""
        ...

    def shown(self) -> str:
        """Return the value as `repr` shows it."""
        ...


class _Snapshot:
    """The storage of a variable outside of graphs: one array, replaced as a whole."""

    __slots__ = ("__weakref__", "array", "lock")

    def __init__(self, array: np.ndarray) -> None:
        self.array = array
        self.renew()
        _snapshots.add(self)

    def renew(self) -> None:
        """Take a lock of its own; re-entrant, as the operand's operator may use the variable."""
        self.lock = threading.RLock()

    def read(self, variable: Variable) -> np.ndarray:
        if STATE.graph is not None:  # its value would become a constant unnoticed
            raise made_outside(variable)
        return self.array.view()  # whose shape the caller may set

    def copy(self, variable: Variable) -> np.ndarray:
        return self.array.copy()

    def shown(self) -> str:
        return repr(self.array)

    def assign(self, variable: Variable, value: object) -> Variable:
        array = fitting(variable, value, "assigned")
        with self.lock:
            self.array = array
        return variable

    def update(
        self,
        variable: Variable,
        change: Callable[[Any, Any], Any],
        operand: object,
        in_place: bool = False,
    ) -> Variable:
        with self.lock:
            value = change(self.read(variable), plain(operand))
            self.array = fitting(variable, value, "updated to")
        return variable


_snapshots: weakref.WeakSet[_Snapshot] = weakref.WeakSet()


def _renew_locks() -> None:
    """Free what threads held that a fork has left behind in the parent."""
    for snapshot in list(_snapshots):
        snapshot.renew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_locks)


def made_outside(variable: Variable) -> VariableError:
    """Return the error for an eager variable that is used in a graph."""
    return VariableError(
        f"variable {variable.name!r} was made outside of the graph that is being built; "
        "make it inside, or take its present value as a constant: variable.numpy()"
    )


def plain(item: object) -> Any:
    """Return the value of a variable, and anything else as it is."""
    return item.value() if isinstance(item, Variable) else item


def _plain_all(item: Any) -> Any:
    """Return `item` with the variables in tuples, lists and dicts replaced by their values."""
    if isinstance(item, Variable):
        return item.value()
    if type(item) in (list, tuple):
        return type(item)(_plain_all(part) for part in item)
    if type(item) is dict:
        return {key: _plain_all(part) for key, part in item.items()}
    return item


def described(value: object) -> str:
    """Return what messages call a value that does not fit."""
    if type(value) is np.ndarray:
        return f"an array of dtype {dtype_text(value.dtype)} and shape {value.shape}"
    if isinstance(value, np.generic):
        return f"a scalar of dtype {dtype_text(value.dtype)}"
    if hasattr(type(value), "__ag_value__"):
        return "a tensor of a graph"
    return f"an object of class {type(value).__qualname__}"


def _snapshot(array: np.ndarray) -> np.ndarray:
    """Return a read-only copy of `array`, contiguous."""
    copy = np.array(array, order="C")
    copy.flags.writeable = False
    return copy


def initial_array(name: str, value: object, dtype: object) -> np.ndarray:
    """Return the read-only array that a variable starts with.

    Raises
    ------
    VariableError
        If `value` is not numbers, or `dtype` is no numeric dtype.
    """
    value = plain(value)
    if isinstance(value, np.ma.MaskedArray) or not isinstance(
        value, (np.ndarray, np.generic, *_PYTHON_DATA)
    ):
        raise VariableError(f"variable {name!r} starts with {described(value)}; it holds numbers")
    try:
        wanted = None if dtype is None else np.dtype(dtype)  # type: ignore[call-overload]
    except TypeError as error:
        raise VariableError(f"variable {name!r} has no dtype {dtype!r}") from error
    try:
        array = np.array(value, wanted, order="C")
    except (ValueError, TypeError, OverflowError) as error:
        raise VariableError(
            f"variable {name!r} cannot start with {described(value)}: {error}"
        ) from error
    if not is_numeric(array.dtype):
        raise VariableError(
            f"variable {name!r} would have dtype {array.dtype}; it holds native booleans, "
            "integers, floating or complex numbers"
        )
    array.flags.writeable = False
    return array


def fitting(variable: Variable, value: object, verb: str) -> np.ndarray:
    """Return `value` as a read-only array of the dtype and shape of `variable`.

    Parameters
    ----------
    variable
        The variable that is going to hold it.
    value
        An array or NumPy scalar of its dtype, another variable, or Python numbers (nested lists
        of them) that convert to its dtype without loss of kind.
    verb
        What messages say is done with the value, such as ``"assigned"``.

    Raises
    ------
    VariableError
        If dtype or shape differ; names the variable and both.
    """
    value = plain(value)
    name, dtype = variable.name, variable.dtype
    if isinstance(value, np.ndarray | np.generic) and not isinstance(value, np.ma.MaskedArray):
        if value.dtype != dtype:
            raise VariableError(
                f"variable {name!r} has dtype {dtype_text(dtype)}, but is {verb} "
                f"{described(value)}; convert it with .astype(np.{dtype.name})"
            )
        array = np.asarray(value)
    else:
        array = _from_python(name, dtype, value, verb)
    if array.shape != variable.shape:
        raise VariableError(
            f"variable {name!r} has shape {variable.shape}, but is {verb} a value of shape "
            f"{array.shape}"
        )
    return _snapshot(array)


def _from_python(name: str, dtype: np.dtype, value: object, verb: str) -> np.ndarray:
    refusal = f"variable {name!r} has dtype {dtype_text(dtype)}, but is {verb} "
    if not isinstance(value, _PYTHON_DATA):
        raise VariableError(refusal + described(value))
    try:
        found = np.asarray(value)
        if found.dtype == dtype:
            return found
        if found.dtype == object:
            raise VariableError(refusal + f"{described(value)} that NumPy has no dtype for")
        if found.size and not np.can_cast(found.dtype, dtype, "same_kind"):
            raise VariableError(refusal + f"Python data of dtype {found.dtype}")
        return np.asarray(value, dtype)
    except (ValueError, TypeError, OverflowError) as error:
        raise VariableError(refusal + f"{described(value)}: {error}") from error


def _binary(function: Callable[[Any, Any], Any]) -> Callable[[Variable, object], Any]:
    def operate(self: Variable, other: object) -> Any:
        return function(self.value(), plain(other))

    return operate


def _reflected(function: Callable[[Any, Any], Any]) -> Callable[[Variable, object], Any]:
    def operate(self: Variable, other: object) -> Any:
        return function(plain(other), self.value())

    return operate


def _in_place(function: Callable[[Any, Any], Any]) -> Callable[[Variable, object], Variable]:
    def operate(self: Variable, other: object) -> Variable:
        self.storage.update(self, function, other, in_place=True)
        return self

    return operate


def _unary(function: Callable[[Any], Any]) -> Callable[[Variable], Any]:
    def operate(self: Variable) -> Any:
        return function(self.value())

    return operate


def _method(name: str) -> Callable[..., Any]:
    def call(self: Variable, *args: object, **kwargs: object) -> Any:
        return getattr(self.value(), name)(*_plain_all(args), **_plain_all(kwargs))

    call.__name__ = name
    call.__qualname__ = f"Variable.{name}"
    call.__doc__ = f"Return ``value.{name}(...)`` of the present value."
    return call


class Variable:
    """Numbers that a program keeps and replaces: weights, counters, state.

    A variable has one dtype and one shape for life. `assign` replaces its value; what was read
    before stays as it was. It takes part in arithmetic, comparisons, indexing and NumPy functions
    as its present value. ``v += x`` is ``v.assign_add(x)``: it changes the variable itself, as
    ``+=`` changes an array in place; the other in-place operators do likewise.

    Parameters
    ----------
    value
        What it starts with: an array, a number, nested lists of numbers, or another variable. It
        is copied.
    name
        What messages, `repr` and checkpoints call it; the name scopes around are put before it.
    trainable
        Whether training is meant to change it.
    dtype
        Anything `np.dtype` takes; by default that of ``np.array(value)``.

    Raises
    ------
    VariableError
        If `value` is not numbers, or `dtype` is no numeric dtype.
    ValueError
        If `name` is no name.

    Examples
    --------
    >>> w = Variable([1.0, 2.0], name="w")
    >>> before = w.value()
    >>> w.assign_add([1.0, 1.0])
    Variable(array([2., 3.]), name='w')
    >>> before, w * 10, np.sum(w)
    (array([1., 2.]), array([20., 30.]), np.float64(5.0))
    """

    __slots__ = ("__weakref__", "dtype", "name", "shape", "storage", "trainable")

    name: str
    trainable: bool
    dtype: np.dtype
    shape: tuple[int, ...]
    storage: Storage

    def __init__(
        self,
        value: object,
        name: str | None = None,
        trainable: bool = True,
        dtype: object = None,
    ) -> None:
        chosen = scoped("Variable" if name is None else checked_name(name))
        array = initial_array(chosen, value, dtype)
        graph = STATE.graph
        storage: Storage = _Snapshot(array)
        if graph is not None:
            storage = graph.new_variable(self, chosen, array)
            chosen = graph.name_of_variable(self)
        self._set(chosen, array, bool(trainable), storage)

    def _set(self, name: str, array: np.ndarray, trainable: bool, storage: Storage) -> None:
        put = super().__setattr__
        put("name", name)
        put("trainable", trainable)
        put("dtype", array.dtype)
        put("shape", array.shape)
        put("storage", storage)

    def __setattr__(self, name: str, value: object) -> None:
        """Refuse: the value of a variable is replaced by `assign`, all else stays."""
        hint = "; use .assign(value)" if name == "value" else ""
        raise AttributeError(f"the attribute {name} of variable {self.name!r} is fixed{hint}")

    def __delattr__(self, name: str) -> None:
        """Refuse: a variable keeps all that it has."""
        raise AttributeError(f"the attribute {name} of variable {self.name!r} is fixed")

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return int(np.prod(self.shape, dtype=np.int64))

    @property
    def T(self) -> Any:
        """The transposed value."""
        return self.value().T

    def value(self) -> Any:
        """Return the present value: a read-only array that later assignments leave alone.

        In a graph that is being built, it is a tensor.

        Raises
        ------
        VariableError
            If the variable belongs to a graph that is not being built.
        """
        return self.storage.read(self)

    def read(self) -> Any:
        """Return the present value; the same as `value`."""
        return self.storage.read(self)

    def numpy(self) -> np.ndarray:
        """Return the present value as a new array that the caller may write to.

        Raises
        ------
        VariableError
            If the variable belongs to a graph: it has a value in each session.
        """
        return self.storage.copy(self)

    def assign(self, value: object) -> Any:
        """Replace the value, and return the variable.

        Parameters
        ----------
        value
            An array or NumPy scalar of the dtype and shape of the variable, another variable, or
            Python numbers that convert to its dtype without loss of kind. It is copied.

        Returns
        -------
        Variable
            The variable itself; in a graph, a tensor of the new value, to be fetched.

        Raises
        ------
        VariableError
            If dtype or shape differ; the variable then keeps its value.
        """
        return self.storage.assign(self, value)

    def assign_add(self, delta: object) -> Any:
        """Replace the value by ``value + delta``, in one step, and return the variable.

        Raises
        ------
        VariableError
            If the sum has another dtype or shape.
        """
        return self.storage.update(self, operator.add, delta)

    def assign_sub(self, delta: object) -> Any:
        """Replace the value by ``value - delta``, in one step, and return the variable.

        Raises
        ------
        VariableError
            If the difference has another dtype or shape.
        """
        return self.storage.update(self, operator.sub, delta)

    __add__, __radd__ = _binary(operator.add), _reflected(operator.add)
    __sub__, __rsub__ = _binary(operator.sub), _reflected(operator.sub)
    __mul__, __rmul__ = _binary(operator.mul), _reflected(operator.mul)
    __truediv__, __rtruediv__ = _binary(operator.truediv), _reflected(operator.truediv)
    __floordiv__, __rfloordiv__ = _binary(operator.floordiv), _reflected(operator.floordiv)
    __mod__, __rmod__ = _binary(operator.mod), _reflected(operator.mod)
    __divmod__, __rdivmod__ = _binary(divmod), _reflected(divmod)
    __pow__, __rpow__ = _binary(operator.pow), _reflected(operator.pow)
    __matmul__, __rmatmul__ = _binary(operator.matmul), _reflected(operator.matmul)
    __lshift__, __rlshift__ = _binary(operator.lshift), _reflected(operator.lshift)
    __rshift__, __rrshift__ = _binary(operator.rshift), _reflected(operator.rshift)
    __and__, __rand__ = _binary(operator.and_), _reflected(operator.and_)
    __or__, __ror__ = _binary(operator.or_), _reflected(operator.or_)
    __xor__, __rxor__ = _binary(operator.xor), _reflected(operator.xor)
    __iadd__, __isub__ = _in_place(operator.add), _in_place(operator.sub)
    __imul__, __itruediv__ = _in_place(operator.mul), _in_place(operator.truediv)
    __ifloordiv__, __imod__ = _in_place(operator.floordiv), _in_place(operator.mod)
    __ipow__, __imatmul__ = _in_place(operator.pow), _in_place(operator.matmul)
    __ilshift__, __irshift__ = _in_place(operator.lshift), _in_place(operator.rshift)
    __iand__, __ior__ = _in_place(operator.and_), _in_place(operator.or_)
    __ixor__ = _in_place(operator.xor)
    __lt__, __le__ = _binary(operator.lt), _binary(operator.le)
    __gt__, __ge__ = _binary(operator.gt), _binary(operator.ge)
    __eq__, __ne__ = _binary(operator.eq), _binary(operator.ne)
    __neg__, __pos__ = _unary(operator.neg), _unary(operator.pos)
    __invert__, __abs__ = _unary(operator.invert), _unary(abs)
    __bool__, __int__, __float__ = _unary(bool), _unary(int), _unary(float)
    __complex__, __index__, __len__ = _unary(complex), _unary(operator.index), _unary(len)

    all, any, argmax = _method("all"), _method("any"), _method("argmax")
    argmin, argsort, astype = _method("argmin"), _method("argsort"), _method("astype")
    clip, conj, cumprod = _method("clip"), _method("conj"), _method("cumprod")
    cumsum, diagonal, dot = _method("cumsum"), _method("diagonal"), _method("dot")
    flatten, item, max = _method("flatten"), _method("item"), _method("max")
    mean, min, prod = _method("mean"), _method("min"), _method("prod")
    ravel, repeat, reshape = _method("ravel"), _method("repeat"), _method("reshape")
    round, squeeze, std = _method("round"), _method("squeeze"), _method("std")
    sum, swapaxes, take = _method("sum"), _method("swapaxes"), _method("take")
    tolist, trace, transpose = _method("tolist"), _method("trace"), _method("transpose")
    var = _method("var")

    def __hash__(self) -> int:
        """Hash by identity: a variable may be a key, whatever its value."""
        return object.__hash__(self)

    def __getitem__(self, index: object) -> Any:
        """Return ``value[index]``; a view of a read-only array."""
        return self.value()[_plain_all(index)]

    def __setitem__(self, index: object, value: object) -> None:
        """Refuse: a variable is assigned as a whole."""
        raise VariableError(
            f"items of variable {self.name!r} are not assigned; write "
            "`value = v.numpy(); value[...] = ...; v.assign(value)`"
        )

    def __contains__(self, item: object) -> bool:
        """Tell whether an element equals `item`."""
        return plain(item) in self.value()

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the rows of the value as it is now."""
        return iter(self.value())

    def __format__(self, spec: str) -> str:
        """Format the value if there is a `spec`, the variable if not."""
        return format(self.value(), spec) if spec else str(self)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        """Return the value for `np.asarray`: read-only, or a copy if one is asked for."""
        value = self.value()
        return np.array(value if isinstance(value, np.ndarray) else self.numpy(), dtype, copy=copy)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        """Apply a ufunc to the value."""
        outputs: Sequence[object] = options.get("out") or ()
        written = inputs[:1] if method == "at" else outputs
        for item in written:
            if isinstance(item, Variable):
                raise VariableError(
                    f"np.{ufunc.__name__} cannot write into variable {item.name!r}; assign its "
                    "result"
                )
        return getattr(ufunc, method)(*map(plain, inputs), **_plain_all(options))

    def __array_function__(
        self,
        function: Callable[..., Any],
        types: Sequence[type],
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
    ) -> Any:
        """Apply a function of NumPy to the value."""
        written = kwargs.get("out")
        if function in (np.copyto, np.place, np.put, np.putmask, np.fill_diagonal) and args:
            written = args[0]
        if isinstance(written, Variable):
            raise VariableError(
                f"np.{function.__name__} cannot write into variable {written.name!r}; assign its "
                "result"
            )
        return function(*_plain_all(tuple(args)), **_plain_all(dict(kwargs)))

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle or copy: the copy is a variable of its own with the present value."""
        made = rebuilt, (self.name, self.numpy(), self.trainable, type(self))
        own, slots = state if isinstance(state := self.__getstate__(), tuple) else (state, {})
        more = {**(own or {}), **slots}
        for name in Variable.__slots__:
            more.pop(name, None)
        return (*made, more) if more else made

    def __setstate__(self, state: Mapping[str, object]) -> None:
        """Give a copy what a subclass adds."""
        for name, value in state.items():
            super().__setattr__(name, value)

    def __repr__(self) -> str:
        """Return a text such as ``Variable(array([1., 2.]), name='w')``."""
        options = "" if self.trainable else ", trainable=False"
        return f"Variable({self.storage.shown()}, name={self.name!r}{options})"


TYPE_OF_CLASS[Variable] = lambda variable: VariableType(
    Variable, ArrayType(variable.dtype, variable.shape)
)


def is_eager(variable: Variable) -> bool:
    """Tell whether a variable has one value, and not a value in each session."""
    return isinstance(variable.storage, _Snapshot)


def replace_value(variable: Variable, value: np.ndarray | Variable) -> None:
    """Give an eager variable a value of its dtype and shape, uncopied, so that nothing can fail.

    An array is one that nobody else has; a variable is an eager one.
    """
    storage = variable.storage
    assert isinstance(storage, _Snapshot)
    if isinstance(value, Variable):
        assert isinstance(value.storage, _Snapshot)
        value = value.storage.array
    value.flags.writeable = False
    with storage.lock:
        storage.array = value


def rebuilt(
    name: str, value: np.ndarray, trainable: bool, cls: type[Variable] = Variable
) -> Variable:
    """Return an eager variable of just this name, wherever the thread is."""
    array = initial_array(name, value, None)
    variable = cls.__new__(cls)
    variable._set(name, array, trainable, _Snapshot(array))
    return variable
