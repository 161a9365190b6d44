"""The functions that answer the features and commands that `server.py` registers."""
