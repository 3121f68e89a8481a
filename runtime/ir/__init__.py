"""The graph and its types: data structures, text in and out, verification, rewriting."""
