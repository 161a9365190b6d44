"""Documentation, JSON Schema and the editors' types, made from the registry and its messages.

`model` is language-neutral; each emitter turns it into one file.
"""
