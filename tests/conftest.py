"""Tests run in the environment that the chapters run in."""

import pytest
from browser import chromium
from logpartition_book.run import settle

settle()


@pytest.fixture(scope="session")
def browser():
    """One Chromium for all tests that need one."""
    with chromium() as found:
        yield found
