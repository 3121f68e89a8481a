"""Puts this folder on the path, so that suites share `corpus`, `differential` and `graphs`."""
