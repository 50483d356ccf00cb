"""Tests run in the environment that the chapters run in."""

from pathlib import Path

import pytest
from browser import chromium
from logpartition_book.files import ROOT
from logpartition_book.run import settle

HERE = Path(__file__).resolve().parents[1]
if ROOT != HERE:  # a copied environment, whose code is another folder's
    pytest.exit(f"this Python has the code of {ROOT}, and these are the tests of {HERE}", 3)
settle()


@pytest.fixture(scope="session")
def browser():
    """One Chromium for all tests that need one."""
    with chromium() as found:
        yield found
