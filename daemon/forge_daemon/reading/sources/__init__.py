"""Where bytes come from, and whether they are still the same bytes."""
