"""Letters that are easily confused with others."""

LETTERS = "aAkK\u212asS\u017fiI\u0131\u0130\u00df\u1e9eåÅ\u212b\u0432\u0412\u1c80"
"""In some of their forms, such as the Kelvin sign, long s or dotless i: of one, two or three bytes."""
