"""The engine: graph, operations, memory, passes, lowering, execution. Needs NumPy alone."""
