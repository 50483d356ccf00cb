"""Tests run in the environment of the chapters, and property tests on the same examples again."""

from pathlib import Path

import pytest
from browser import chromium
from hypothesis import settings

from logpartition_book.files import ROOT
from logpartition_book.run import settle

HERE = Path(__file__).resolve().parents[1]
if ROOT != HERE:  # a copied environment, whose code is another folder's
    pytest.exit(f"this Python has the code of {ROOT}, and these are the tests of {HERE}", 3)
settle()
settings.register_profile("repeatable", derandomize=True, database=None, deadline=None)
settings.load_profile("repeatable")


@pytest.fixture(scope="session")
def browser():
    """One Chromium for all tests that need one."""
    with chromium() as found:
        yield found
