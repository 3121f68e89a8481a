"""Scheduling: from operations in execution order to statements with nested expressions.

Owns what is nested into what, the statement each operation becomes, and where values are handed
over. It leaves variables to `coalesce` and syntax to `emit`. Invariant: every operation is
executed once, when and where the graph says, as far as anyone could tell: an expression is moved
only past others that it does not conflict with.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ..ir.graph import Constant, Graph, Node, Origin, Region, Terminator, Value
from ..ops.closures import CLOSURE
from ..ops.containers import CHECK_BOUND, SLOT, STATEMENTS
from ..ops.control import APPLY, BLOCK, FOR, IF, TRY, WHILE, WITH
from ..ops.registry import Sharing
from . import patterns
from .holding import is_held
from .nesting import Nested, Pending, definition
from .ordering import (
    EVERYTHING,
    NOTHING,
    READS,
    WRITES,
    evaluation_order,
    own_effects,
    truth_effects,
)
from .regions import GraphView, Run
from .statements import (
    Apply,
    Branch,
    CheckBound,
    Choose,
    Evaluate,
    Expression,
    ForLoop,
    Function,
    Handler,
    InPlace,
    InPlaceItem,
    Invoke,
    Jump,
    Label,
    Labelled,
    Raise,
    Read,
    Return,
    Shortcut,
    Statement,
    Transfer,
    Try,
    Unreachable,
    WhileLoop,
    With,
    variables,
)


@dataclass(frozen=True, eq=False)
class _Exit:
    """Where a jump leads, and the values it hands over."""

    label: Label
    outputs: tuple[Value, ...]
    """What a ``break`` or ``return`` sets."""
    state: tuple[Value, ...] = ()
    """What a ``continue`` sets."""


@dataclass(frozen=True)
class _Context:
    """What is around a region; `yields` is None where a yield is what the function returns."""

    loop: _Exit | None
    block: _Exit | None
    yields: tuple[Value, ...] | None

    def returns(self, end: Terminator) -> bool:
        """Tell whether `end` hands its values to the caller of the function."""
        if end.kind == "return":
            return self.block is None
        return end.kind == "yield" and self.yields is None


def schedule(graph: Graph) -> tuple[list[Function], Callable[[Value], str]]:
    """Return the statements of `graph` as functions: its definitions, then itself.

    Each holds the functions that its operations from other files become. The second result tells
    the user's name for a value, empty if there is none.
    """
    view = GraphView(graph)
    defined = {d.name: Function(d.name, d.file, d.body.params) for d in graph.functions}
    for part in graph.functions:
        _FunctionScheduler(view, defined[part.name], part.body, defined).run()
    main = Function(graph.name, graph.file, graph.params)
    _FunctionScheduler(view, main, graph.body, defined).run()
    return [*defined.values(), main], view.hint


class _FunctionScheduler:
    """Schedules one function of the program."""

    def __init__(
        self, view: GraphView, function: Function, body: Region, defined: dict[str, Function]
    ) -> None:
        self.view = view
        self.function = function
        self.body = body
        self.defined = defined
        """The functions that ``apply`` calls, by name."""
        self.uses = view.count_uses(body)
        self.shortcuts = view.shortcuts(body)
        """Operations of the shape ``if t { ... } else { yield t }``, or the other way round."""
        self.inlined: dict[Value, Nested] = {}
        """Indices, written out wherever they are used."""
        for node in self.shortcuts:
            self.uses[view.resolve(node.inputs[0])] = 1

    def run(self) -> None:
        """Fill the function."""
        context = _Context(None, None, None)
        self.function.body = self.statements(self.body, context)

    def statements(self, region: Region, context: _Context) -> list[Statement]:
        """Return the statements of a region, its end included."""
        sequence = _Sequence(self, region, context)
        sequence.finish()
        return sequence.statements

    def helper(self, run: Run) -> Function:
        """Return the function that a run of operations from another file becomes."""
        function = Function(run.name, run.file, run.captures)
        self.function.functions.append(function)
        renamed, self.view.renamed = self.view.renamed, {}
        _FunctionScheduler(self.view, function, run.body, self.defined).run()
        self.view.renamed = renamed
        return function


class _Sequence:
    """The statements of one region on their way."""

    def __init__(self, owner: _FunctionScheduler, region: Region, context: _Context) -> None:
        self.owner = owner
        self.view = owner.view
        self.context = context
        self.end = region.end
        self.pending = Pending(owner.inlined)
        self.statements = self.pending.statements
        self._finished = False
        self._tail = self._tail_node(region)
        self._nestable = self._find_nestable(region)
        nodes = self.view.nodes(region)
        self._held = self._find_held(nodes)
        position = 0
        while position < len(nodes):
            position += self._add(nodes, position)

    def _tail_node(self, region: Region) -> Node | None:
        """Return the operation whose outputs are just what the function returns."""
        nodes = self.view.nodes(region)
        if not nodes or not self.context.returns(region.end):
            return None
        ends = self.view.resolve_all(region.end.values)
        last = nodes[-1]
        return last if ends == last.outputs and len(set(ends)) == len(ends) else None

    def _find_nestable(self, region: Region) -> frozenset[Value]:
        """Return the values with a use in this region that is an operand of an expression."""
        used: list[Value] = []
        nodes = self.view.nodes(region)
        for node in nodes:
            if node in self.view.runs:
                used += self.view.runs[node].captures
            elif node.op is FOR:
                used.append(node.inputs[0])
            elif node.op is not WHILE:
                used += node.inputs
        end = region.end
        if end.kind == "raise" or self.context.returns(end):
            used += end.values
        elif end.kind == "yield" and len(end.values) == 1 and nodes:
            used += [value for value in nodes[-1].outputs if value is end.values[0]]
        return frozenset(self.view.resolve_all(used))

    def _find_held(self, nodes: Sequence[Node]) -> frozenset[Value]:
        """Return the objects that a variable keeps alive after their last use."""
        held = {node.outputs[0] for node in nodes if is_held(node, self.view.hint)}
        if self.context.returns(self.end):
            held -= {*self.view.resolve_all(self.end.values)}
        return frozenset(held)

    # -- operations without regions ----------------------------------------------------------

    def _add(self, nodes: Sequence[Node], position: int) -> int:
        """Add the operation at `position`; return how many operations that covers."""
        node = nodes[position]
        if node in self.view.runs:
            run = self.view.runs[node]
            self._add_call(node, self.owner.helper(run), self.view.resolve_all(run.captures))
        elif node.op is IF:
            self._add_if(node)
        elif node.op is WHILE:
            self._add_while(node)
        elif node.op is FOR:
            self._add_for(node)
        elif node.op is BLOCK:
            self._add_block(node)
        elif node.op is TRY:
            self._add_try(node)
        elif node.op is WITH:
            self._add_with(node)
        elif node.op in (APPLY, CLOSURE):
            inputs = self.view.resolve_all(node.inputs)
            self._add_call(node, self.owner.defined[str(node.attrs["function"])], inputs)
        elif node.op is CHECK_BOUND:
            self._add_check_bound(node)
        elif node.op.name in patterns.IN_PLACE:
            return self._add_in_place(nodes, position)
        elif self._is_assignment(node) or self._is_reading(node):
            self._add_access(node)
        else:
            self._add_operation(node)
        return 1

    def _add_operation(self, node: Node) -> None:
        inputs = self.view.resolve_all(node.inputs)
        if node.op.name in patterns.INDEX_PARTS and self._is_inlined(node.outputs[0]):
            taken = self.pending.take(inputs, (), NOTHING)
            index = taken.build(Apply(node, taken.operands))
            self.owner.inlined[node.outputs[0]] = index
            return
        order = evaluation_order(node.op, node.attrs, inputs)
        is_expression = len(node.outputs) == 1 and node.op.name not in STATEMENTS
        waits = is_expression and self._waits(node.outputs[0])
        taken = self.pending.take(inputs, order, own_effects(node, inputs), waits=waits)
        expression = Apply(node, taken.operands)
        if is_expression:
            self._define(node.outputs[0], taken.build(expression), node.origin)
        else:
            self.statements.append(Evaluate(expression, node.outputs, node.origin))

    def _is_inlined(self, index: Value) -> bool:
        """Tell whether an index is written out at each of its uses."""
        if not patterns.is_only_index(self.view, index) or self.view.is_captured(index):
            return False
        return self.owner.uses.get(index, 0) > 1 or any(
            isinstance(user, Node)
            and user.op.name in patterns.INDEX_PARTS
            and self._is_inlined(user.outputs[0])
            for user in self.view.users(index)
        )

    def _waits(self, output: Value) -> bool:
        """Tell whether an expression for `output` will be nested into its one use."""
        if self.owner.uses.get(output, 0) != 1 or output not in self._nestable:
            return False
        return output not in self._held

    def _define(self, output: Value, nested: Nested, origin: Origin | None) -> None:
        """Let `output` be the value of an expression: nested later if it is used once."""
        if self._waits(output):
            self.pending.push(output, nested, origin)
        else:
            self.statements.append(definition(output, nested.expression, origin))

    def _add_check_bound(self, node: Node) -> None:
        """Add a check; its output and its input are one value already."""
        (value,) = self.view.resolve_all(node.inputs)
        effects = own_effects(node, node.inputs)
        if effects != NOTHING:
            taken = self.pending.take((value,), (), effects)
            self.statements.append(CheckBound(node, taken.operands[0]))

    def _add_call(self, node: Node, function: Function, arguments: tuple[Value, ...]) -> None:
        """Add a call of another function of the program."""
        order = range(len(arguments))
        waits = len(node.outputs) == 1 and self._waits(node.outputs[0])
        taken = self.pending.take(arguments, order, EVERYTHING, waits=waits)
        expression = Invoke(node, function, taken.operands)
        if len(node.outputs) == 1:
            self._define(node.outputs[0], taken.build(expression), node.origin)
        else:
            self.statements.append(Evaluate(expression, node.outputs, node.origin))

    def _is_reading(self, node: Node) -> bool:
        """Tell whether `node` reads a variable in memory that is one of Python."""
        return node.op.name == "getitem" and self.view.is_variable(node.inputs[0])

    def _is_assignment(self, node: Node) -> bool:
        """Tell whether `node` makes or writes a variable in memory that is one of Python."""
        if node.op is SLOT:
            return self.view.is_variable(node.outputs[0])
        return node.op.name == "setitem" and self.view.is_variable(node.inputs[0])

    def _add_access(self, node: Node) -> None:
        """Add reading or writing a variable in memory that is one of Python."""
        if self._is_reading(node):
            waits = self._waits(node.outputs[0])
            self.pending.take((), (), READS, waits=waits)
            self._define(node.outputs[0], Nested(Read(node.inputs[0]), READS), node.origin)
            return
        variable = node.outputs[0] if node.op is SLOT else node.inputs[0]
        value = self.view.resolve(node.inputs[-1])
        (assigned,) = self.pending.take((value,), (0,), WRITES).operands
        self.statements.append(definition(variable, assigned, node.origin))

    def _add_in_place(self, nodes: Sequence[Node], position: int) -> int:
        """Add ``x += v``, together with the store of ``x[i] += v``."""
        node = nodes[position]
        operand, right = self.view.resolve_all(node.inputs)
        effects = own_effects(node, (operand, right))
        place = self.pending.peek(operand)
        if place is not None and self._is_assigned_next(nodes, position, place.expression):
            taken = self.pending.take((operand, right), (0, 1), effects | WRITES)
            where, value = taken.operands
            if where is place.expression:
                self._in_place(node, nodes[position + 1].inputs[0], value)
                return 2
            self._in_place(node, operand, value)
            return 1
        if place is not None and self.owner.uses.get(node.outputs[0], 0) == 1:
            store = patterns.find_store(
                self.view, place.expression, nodes, position, self.owner.uses
            )
            if store is not None:
                stored = own_effects(store.node, self.view.resolve_all(store.node.inputs))
                taken = self.pending.take((operand, right), (0, 1), effects | stored)
                where, value = taken.operands
                if isinstance(where, Apply):
                    self.statements.append(InPlaceItem(node, where, value))
                    return store.covered
                self._in_place(node, operand, value)
                return 1
        taken = self.pending.take((right,), (0,), effects, unnested=(operand,))
        self._in_place(node, operand, taken.operands[0])
        return 1

    def _is_assigned_next(
        self, nodes: Sequence[Node], position: int, place: Expression
    ) -> bool:
        """Tell whether what is made of the variable `place` goes nowhere but back into it."""
        made, after = nodes[position].outputs[0], nodes[position + 1 : position + 2]
        return (
            isinstance(place, Read)
            and self.view.is_variable(place.value)
            and bool(after)
            and after[0].op.name == "setitem"
            and after[0].inputs[0] is place.value
            and self.view.resolve(after[0].inputs[2]) is made
            and self.owner.uses.get(made, 0) == 1
        )

    def _in_place(self, node: Node, operand: Value, right: Expression) -> None:
        """Add the statement; its target is the operand if that is a variable in memory."""
        aliases = node.op.effects(node.inputs, node.attrs).aliases
        same = bool(aliases) and aliases[0].sharing is Sharing.SAME and aliases[0].inputs == (0,)
        target = operand if self.view.is_variable(operand) else node.outputs[0]
        self.statements.append(InPlace(node, target, operand, right, same))

    # -- operations with regions -------------------------------------------------------------

    def _add_if(self, node: Node) -> None:
        test = self.view.resolve(node.inputs[0])
        tail = node is self._tail
        context = replace(self.context, yields=None if tail else node.outputs)
        then = _Sequence(self.owner, node.regions[0], context)
        orelse = _Sequence(self.owner, node.regions[1], context)
        left, right = then.only_value(), orelse.only_value()
        if len(node.outputs) == 1 and left is not None and right is not None:
            self._add_choice(node, test, left, right)
            return
        unnested = (test,) if node in self.owner.shortcuts else ()
        taken = self.pending.take((test,), (0,), EVERYTHING, unnested=unnested, alone=True)
        then.finish()
        orelse.finish()
        self.statements.append(
            Branch(taken.operands[0], then.statements, orelse.statements, node.origin)
        )
        self._finished = tail

    def only_value(self) -> Nested | None:
        """Return what the region yields if it is one expression and nothing else."""
        if self.end.kind != "yield" or len(self.end.values) != 1 or self._finished:
            return None
        return self.pending.only(self.view.resolve(self.end.values[0]))

    def _add_choice(self, node: Node, test: Value, left: Nested, right: Nested) -> None:
        """Add an ``if`` that is an expression: a choice, ``and`` or ``or``."""
        kind: Literal["and", "or"] | None = None
        sides: tuple[Nested, ...] = (left, right)
        if isinstance(right.expression, Read) and right.expression.value is test:
            kind, sides = "and", (left,)
        elif isinstance(left.expression, Read) and left.expression.value is test:
            kind, sides = "or", (right,)
        read = [value for side in sides for value in variables(side.expression)]
        taken = self.pending.take(
            (test,), (0,), truth_effects(test), unnested=read, inner=sides,
            waits=self._waits(node.outputs[0]),
        )  # fmt: skip
        expression: Expression
        if kind is not None:
            expression = Shortcut(node, kind, taken.operands[0], sides[0].expression)
        else:
            expression = Choose(node, taken.operands[0], left.expression, right.expression)
        self._define(node.outputs[0], taken.build(expression), node.origin)

    def _add_while(self, node: Node) -> None:
        state = node.regions[0].params
        label = Label()
        exit_ = _Exit(label, node.outputs, state)
        self.pending.flush()
        self._transfer(state, node.inputs, node.origin)
        inside = replace(self.context, loop=exit_, yields=())
        test = _Sequence(self.owner, node.regions[0], inside)
        condition: Expression = Read(Constant(True))
        if test.end.kind == "yield":
            value = self.view.resolve(test.end.values[0])
            condition = test.pending.take((value,), (0,), NOTHING, alone=True).operands[0]
        else:
            test.finish()
        body = self.owner.statements(node.regions[1], replace(inside, yields=state))
        self.statements.append(
            WhileLoop(
                label, test.statements, condition, body, self._orelse(node, 2, state),
                node.origin, test.end.origin or node.origin,
            )
        )  # fmt: skip

    def _add_for(self, node: Node) -> None:
        item, *state_values = node.regions[0].params
        state = tuple(state_values)
        label = Label()
        exit_ = _Exit(label, node.outputs, state)
        inputs = self.view.resolve_all(node.inputs)
        taken = self.pending.take(inputs, (0,), EVERYTHING, alone=True)
        self._transfer(state, inputs[1:], node.origin)
        body = self.owner.statements(
            node.regions[0], replace(self.context, loop=exit_, yields=state)
        )
        target = self.view.loop_targets.get(node, item)
        self.statements.append(
            ForLoop(
                label, target, taken.operands[0], body, self._orelse(node, 1, state), node.origin
            )
        )

    def _orelse(self, node: Node, number: int, state: tuple[Value, ...]) -> list[Statement]:
        """Return what happens when a loop ends by itself."""
        if len(node.regions) > number:
            context = replace(self.context, yields=node.outputs)
            return self.owner.statements(node.regions[number], context)
        return [Transfer(node.outputs, state, node.origin)] if state else []

    def _add_block(self, node: Node) -> None:
        self.pending.flush()
        body = node.regions[0]
        if node is self._tail:
            self.statements += self.owner.statements(
                body, replace(self.context, block=None, yields=None)
            )
            self._finished = True
            return
        label = Label()
        context = replace(self.context, block=_Exit(label, node.outputs), yields=())
        self.statements.append(
            Labelled(label, self.owner.statements(body, context), node.origin)
        )

    def _add_try(self, node: Node) -> None:
        self.pending.flush()
        inside = replace(self.context, yields=())
        parts = list(node.regions)
        final: list[Statement] = []
        if node.attrs.get("final"):
            final = self._final(node, parts.pop(), inside)
        orelse: list[Statement] = []
        if node.attrs.get("orelse"):
            orelse = self.owner.statements(parts.pop(), inside)
        body, *handled = parts
        handlers = []
        for classes, region in zip(node.inputs, handled, strict=True):
            assert isinstance(classes, Constant)
            error = region.params[0] if self.owner.uses.get(region.params[0]) else None
            statements = self.owner.statements(region, inside)
            handlers.append(Handler(classes, error, statements))
        self.statements.append(
            Try(
                self.owner.statements(body, inside), tuple(handlers), orelse, final, node.origin
            )
        )

    def _final(self, node: Node, region: Region, context: _Context) -> list[Statement]:
        """Return the final part of a ``try``.

        A jump may set the state of the loop around before it passes through the final part, which
        still sees the state as it was: that is kept in variables of its own.
        """
        inlined = dict(self.owner.inlined)
        read = self.view.count_uses(region)
        for value in list(read):
            if value in inlined:
                read.update(dict.fromkeys(variables(inlined[value].expression), 1))
        state = () if context.loop is None else context.loop.state
        changing = self.view.resolve_all(value for value in state if value in read)
        kept = tuple(Value(value.type, self.view.hint(value)) for value in changing)
        self._transfer(kept, changing, node.origin)
        outside = self.view.renamed
        names = dict(zip(changing, kept, strict=True))
        self.view.renamed = {**outside, **names}
        for value, nested in inlined.items():
            self.owner.inlined[value] = replace(
                nested, expression=_renamed(nested.expression, names)
            )
        statements = self.owner.statements(region, context)
        self.owner.inlined.update(inlined)
        self.view.renamed = outside
        return statements

    def _add_with(self, node: Node) -> None:
        inputs = self.view.resolve_all(node.inputs)
        taken = self.pending.take(inputs, (0,), EVERYTHING, alone=True)
        (region,) = node.regions
        target = region.params[0] if self.owner.uses.get(region.params[0]) else None
        body = self.owner.statements(region, replace(self.context, yields=()))
        self.statements.append(With(taken.operands[0], target, body, node.origin))

    # -- the end -----------------------------------------------------------------------------

    def finish(self) -> None:
        """Add the end of the region."""
        if self._finished:
            return
        self._finished = True
        end, context = self.end, self.context
        values = self.view.resolve_all(end.values)
        if context.returns(end):
            taken = self.pending.take(values, range(len(values)), NOTHING, alone=True)
            self.statements.append(Return(taken.operands, end.origin))
        elif end.kind == "raise":
            taken = self.pending.take(values, range(len(values)), EVERYTHING, alone=True)
            exception, cause = (*taken.operands, None, None)[:2]
            self.statements.append(Raise(exception, cause, end.origin))
        else:
            self.pending.flush()
            self._hand_over(end, values)

    def _hand_over(self, end: Terminator, values: tuple[Value, ...]) -> None:
        context = self.context
        if end.kind == "yield":
            self._transfer(context.yields or (), values, end.origin)
        elif end.kind == "unreachable":
            self.statements.append(Unreachable(end.origin))
        elif end.kind == "continue":
            assert context.loop is not None
            self._transfer(context.loop.state, values, end.origin)
            self.statements.append(Jump("continue", context.loop.label, end.origin))
        else:
            target = context.loop if end.kind == "break" else context.block
            assert target is not None
            self._transfer(target.outputs, values, end.origin)
            self.statements.append(Jump("leave", target.label, end.origin))

    def _transfer(
        self, targets: tuple[Value, ...], sources: Sequence[Value], origin: Origin | None
    ) -> None:
        if len(targets) != len(sources):
            raise ValueError(f"{len(sources)} values are handed over where {len(targets)} belong")
        if targets:
            self.statements.append(Transfer(targets, self.view.resolve_all(sources), origin))


def _renamed(expression: Expression, names: Mapping[Value, Value]) -> Expression:
    """Return an index with other variables for those in `names`."""
    if isinstance(expression, Read):
        return Read(names.get(expression.value, expression.value))
    if not isinstance(expression, Apply):
        return expression
    operands = tuple(_renamed(operand, names) for operand in expression.operands)
    return replace(expression, operands=operands)
