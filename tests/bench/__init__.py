"""Measures forge-read against what a user would pick instead: `python -m tests.bench`."""
