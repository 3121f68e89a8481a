"""Every function of the corpus: meaning, golden text, positions, length, determinism."""

from __future__ import annotations

import ast
import os
import pathlib
import subprocess
import sys

import corpus_control
import corpus_expressions
import corpus_handling
import gast
import pytest
from running import converted_function, outcome

from autograph.convert import convert, convert_tree

HERE = pathlib.Path(__file__).parent
GOLDEN = HERE.parent / "golden" / "converted"
CORPORA = {
    "control": corpus_control,
    "expressions": corpus_expressions,
    "handling": corpus_handling,
}
CASES = {
    function: inputs for corpus in CORPORA.values() for function, inputs in corpus.CASES.items()
}
FUNCTIONS = list(CASES)
# To Python 3.11 a name read in a comprehension is a free variable; its error says so.
DEPENDS_ON_PYTHON = ("comprehension_of_unbound",)
by_name = pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)


@by_name
def test_converted_means_the_same(function):
    """The converted function returns, raises and changes what the plain one does."""
    converted = converted_function(function)
    for arguments in CASES[function]:
        assert outcome(converted, arguments) == outcome(function, arguments), arguments


def test_evaluation_order():
    """Operands, targets and keys are evaluated in CPython's order."""
    order = corpus_expressions.order
    results = [f(corpus_expressions.Box([1, 2])) for f in (order, converted_function(order))]
    assert results[0] == results[1]


@pytest.mark.parametrize("name", CORPORA)
def test_golden_texts(name):
    """The converted texts are those on file; AUTOGRAPH_WRITE_GOLDEN=1 writes them anew."""
    functions = [f for f in CORPORA[name].CASES if f.__name__ not in DEPENDS_ON_PYTHON]
    text = "\n\n\n".join(convert(function).text for function in functions) + "\n"
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("AUTOGRAPH_WRITE_GOLDEN"):
        path.write_text(text)
    assert text == path.read_text()


@by_name
def test_text_says_what_runs(function):
    """The text parses to the very tree that is compiled."""
    unit, _ = convert_tree(function)
    [parsed] = ast.parse(convert(function).text).body
    assert ast.dump(parsed) == ast.dump(gast.gast_to_ast(unit.tree))


@by_name
def test_positions_are_in_the_statement(function):
    """Every node has a position, and none reaches out of the statement in which it stands."""
    original = ast.parse(pathlib.Path(function.__code__.co_filename).read_text())
    [definition] = [
        node
        for node in ast.walk(original)
        if isinstance(node, ast.FunctionDef) and node.lineno == function.__code__.co_firstlineno
    ]
    statements = [node for node in ast.walk(definition) if isinstance(node, ast.stmt)]
    unit, _ = convert_tree(function)
    for statement in gast.gast_to_ast(gast.Module(unit.tree.body, [])).body:
        for node in ast.walk(statement):
            if isinstance(node, ast.expr | ast.stmt | ast.keyword | ast.arg):
                assert any(holds(outer, node) for outer in statements), ast.dump(node)


def holds(statement, node):
    """Tell whether `node` is within a statement that holds no others, or in its header."""
    start = (statement.lineno, statement.col_offset)
    end = (statement.end_lineno, statement.end_col_offset)
    if isinstance(statement, ast.If | ast.While | ast.For):
        # Of a statement that holds others, only the header.
        header = statement.iter if isinstance(statement, ast.For) else statement.test
        end = (header.end_lineno, header.end_col_offset)
    inside = start <= (node.lineno, node.col_offset) <= (node.end_lineno, node.end_col_offset)
    return inside and (node.end_lineno, node.end_col_offset) <= end


def lines_of(text):
    return [line for line in text.splitlines() if line.strip()]


def test_converted_code_is_short():
    """Converted functions are at most two and a half times as long as written."""
    original = sum(len(lines_of(convert(function).source)) for function in FUNCTIONS)
    converted = sum(len(lines_of(convert(function).text)) for function in FUNCTIONS)
    ratio = converted / original
    print(f"{len(FUNCTIONS)} functions: {converted} lines from {original}, ratio {ratio:.2f}")
    assert len(FUNCTIONS) >= 30
    assert ratio <= 2.5


PRINT_ALL = """
import sys
sys.path[:0] = [{here!r}]
import corpus_control, corpus_expressions, corpus_handling
from autograph.convert import convert
for corpus in (corpus_control, corpus_expressions, corpus_handling):
    for function in corpus.CASES:
        print(convert(function).text)
"""


def test_texts_do_not_depend_on_the_hash_seed():
    """Two processes with two hash seeds print the same."""
    texts = [
        subprocess.run(
            [sys.executable, "-c", PRINT_ALL.format(here=str(HERE))],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
            cwd=HERE.parent.parent,
        ).stdout
        for seed in ("1", "2")
    ]
    assert texts[0] and texts[0] == texts[1]
