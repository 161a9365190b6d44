"""What goes over the wire, declared once for every language.

This package declares the requests, commands, results, errors and settings of forge-read and knows
nothing of how they are served. Modules are imported by name; importing the package itself costs nothing.
"""

LARGEST_INTEGER = 2**63 - 1
PROTOCOL_VERSION = "1.0"
"""Sent as `experimental.forge.protocol_version`. The first number changes when a client must change."""
