"""Run the tests on every supported Python that is found: ``nox``, or ``nox -- -m "not slow"``."""

from __future__ import annotations

import nox

nox.options.default_venv_backend = "venv"
nox.options.error_on_missing_interpreters = False


@nox.session(python=["3.11", "3.12", "3.13"])
def tests(session: nox.Session) -> None:
    """Install the project with its development tools and run pytest."""
    session.install("--editable", ".[dev]")
    session.run("python", "-m", "pytest", *session.posargs)
