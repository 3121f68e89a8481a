"""From a graph to a NumPy program: schedule, names, statements, origins."""
