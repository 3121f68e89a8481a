"""One converter per construct: statements become calls of `autograph.operators`."""
