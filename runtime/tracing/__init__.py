"""Running functions on symbolic values to record a graph."""
