"""The functions behind the features and commands that `server.py` registers."""
