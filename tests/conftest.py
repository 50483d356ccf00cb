"""Tests run in the environment of the chapters, and property tests on the same examples again."""

import pytest
from browser import chromium
from hypothesis import settings
from logpartition_book.run import settle

settle()
settings.register_profile("repeatable", derandomize=True, database=None, deadline=None)
settings.load_profile("repeatable")


@pytest.fixture(scope="session")
def browser():
    """One Chromium for all tests that need one."""
    with chromium() as found:
        yield found
