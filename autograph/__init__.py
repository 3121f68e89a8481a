"""Write NumPy with ordinary Python control flow and compile it. Use ``import autograph as ag``."""
