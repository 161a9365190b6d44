"""Documentation, JSON Schema and the editors' types, made from the registry and its messages.

`model` says what there is, in words of no language; each emitter turns it into one file.
"""
