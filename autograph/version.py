"""The version of the project, in one place: the package and its metadata both read it here."""

__version__ = "0.1.0"
