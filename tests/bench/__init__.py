"""Measures forge-read against what a user would pick instead: `PYTHONPATH=tests python -m bench`."""
