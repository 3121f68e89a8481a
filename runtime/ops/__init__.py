"""The operations, one block each; `catalog` imports every family."""
