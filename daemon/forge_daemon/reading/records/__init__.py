"""What the lines of a log mean: where records begin, how serious they are, and when they were written."""
