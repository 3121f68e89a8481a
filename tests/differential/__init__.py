"""Differential tests: plain functions against every form the compiler gives them."""
