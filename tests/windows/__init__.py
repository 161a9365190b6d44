"""The tests under a real Windows Python, which runs here under wine: `make test-windows`."""
