"""What converted code calls: `cond`, `while_loop`, `for_loop`, `call` and the rest."""
