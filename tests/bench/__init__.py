"""How fast, against what a user would pick instead: `python -m tests.bench`. A benchmark, not a test."""
