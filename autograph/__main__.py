"""``python -m autograph``; the command line itself is in `cli`."""

from __future__ import annotations

import sys

from autograph.cli import main

if __name__ == "__main__":
    sys.exit(main())
