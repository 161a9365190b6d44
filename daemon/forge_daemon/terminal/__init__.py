"""What a person at a terminal, or a script, sees: the sub-commands but `serve`."""
