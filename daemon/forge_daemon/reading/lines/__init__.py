"""Where lines start: the sparse index, the scan that builds it, and the cache that keeps it."""
