"""Optimizations, each from a graph to a graph."""
