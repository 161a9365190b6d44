"""How fast, against what a user would pick instead: `PYTHONPATH=tests python -m bench`. A benchmark, not a test."""
