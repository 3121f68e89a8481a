"""Graphs as pictures: nested boxes in Graphviz's language, in SVG, and in a page for browsers."""
