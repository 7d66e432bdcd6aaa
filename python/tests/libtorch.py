"""What the tests do that need a package with LibTorch."""

import os

import pytest


def skip_without_libtorch(**options):
    """Skips, or fails where PARETOFL_REQUIRE_LIBTORCH says that the package was built with LibTorch (scripts/python.sh)."""
    message = "this package is built without LibTorch: runs of language models are not tested"
    if os.environ.get("PARETOFL_REQUIRE_LIBTORCH"):
        pytest.fail(message, pytrace=False)
    pytest.skip(message, **options)
