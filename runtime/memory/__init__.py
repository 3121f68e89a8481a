"""Arrays that change: alias classes, order of reads and writes, escapes, the verifier."""
