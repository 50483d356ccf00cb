"""How much is tried: `make test` leaves out what takes long and is like what it does try."""

import os
from pathlib import Path

import pytest

CASES = os.environ.get("LOGPARTITION_CASES") == "all"  # of the corpora of the verifier
PAGES = os.environ.get("LOGPARTITION_WALK") == "all"  # of the site, in a browser
SLOW = Path(__file__).with_name("slow.txt")


def without_slow(config, items):
    """The tests less the slow cases, which have to exist where their files are collected whole."""
    slow = {line for line in SLOW.read_text(encoding="utf-8").splitlines() if line[0] != "#"}
    names = {item: f"{item.path.name}::{item.name}" for item in items}
    if not any("::" in argument for argument in config.args):
        files = {item.path.name for item in items}
        missing = {n for n in slow - set(names.values()) if n.split("::")[0] in files}
        if missing:
            raise pytest.UsageError(f"{SLOW.name} names no case of the tests: {sorted(missing)}")
    left = [item for item in items if names[item] in slow]
    config.hook.pytest_deselected(items=left)
    return [item for item in items if names[item] not in slow]
