"""Tests run in the environment that the chapters run in."""

from logpartition_book.run import settle

settle()
