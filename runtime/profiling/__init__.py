"""Where the time and the memory of compiled functions go: instrumented programs, and reports."""
